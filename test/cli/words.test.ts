import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { progressLine, progressText } from '../../cli/progress.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import {
  finalizerFault,
  groupOf,
  namespaceFault,
  objectNameFault,
} from '../../input/manifests/names.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { escaped } from '../../text/escape.ts';
import { EXIT, worst } from '../../text/exit-codes.ts';
import { shellQuoted, WIDTH, wrapped } from '../../text/layout.ts';
import { closest } from '../../text/suggest.ts';

describe('escaped', () => {
  it('leaves nothing in a text that could steer a terminal', () => {
    const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          escaped(text).replaceAll(
            /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/gu,
            '',
          ),
        ).not.toMatch(unsafe);
      }),
    );
  });

  it('leaves ordinary text as it is, in any script', () => {
    for (const text of ['Pod/web-1.shop', 'größer', '日本語', '😀'])
      expect(escaped(text)).toBe(text);
  });

  it('names the character', () => {
    expect(escaped('\u001b[31m\u202e\ud800')).toBe('\\x1b[31m\\u202e\\ud800');
  });
});

describe('wrapped', () => {
  it('loses nothing and keeps to the width', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1, maxLength: 150 }).map((word) => word.replaceAll(/\s/g, 'x')),
        ),
        fc.nat(20),
        (words, indent) => {
          const lines = wrapped(words.join(' '), '>'.padEnd(indent + 1));
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(WIDTH);
          const letters = lines.join('').slice(1).replaceAll(' ', '');
          expect(letters).toBe(words.join(''));
        },
      ),
    );
  });
});

describe('closest', () => {
  it.each([
    ['foregroud-chain', 'foreground-chain'],
    ['cycel', 'cycle'],
    ['tree', 'three'],
    ['foreground', 'foreground-chain'],
    ['xyzzy', null],
    ['x'.repeat(1000), null],
  ])('%s: %s', (given, expected) => {
    expect(closest(given, ['foreground-chain', 'cycle', 'three', 'orphan'])).toBe(expected);
  });

  it('finds every word from itself with one letter changed', () => {
    const words = ['finalizer', 'owner', 'dependent'];
    fc.assert(
      fc.property(fc.constantFrom(...words), fc.nat(), (word, at) => {
        const index = at % word.length;
        expect(closest(`${word.slice(0, index)}_${word.slice(index + 1)}`, words)).toBe(word);
      }),
    );
  });
});

describe('names as the API server has them', () => {
  it.each([
    ['example.com/hold', true, true],
    ['kubernetes', true, true],
    ['hold', true, false],
    ['hold', false, true],
    ['a/b/c', false, false],
    ['__proto__', false, false],
    ['-/x', false, false],
  ])('finalizer %s of a built-in kind (%s): %s', (name, builtIn, good) => {
    expect(finalizerFault(name, builtIn) === null).toBe(good);
  });

  it('objects and namespaces', () => {
    expect(objectNameFault('system:node', 'rbac.authorization.k8s.io', true)).toBeNull();
    expect(objectNameFault('system:node', '', true)).not.toBeNull();
    expect(objectNameFault('a/b', 'example.com', false)).not.toBeNull();
    expect(objectNameFault('a.b-c', 'apps', true)).toBeNull();
    expect(namespaceFault('a.b')).not.toBeNull();
    expect(namespaceFault('a'.repeat(64))).not.toBeNull();
  });

  it('groups', () => {
    expect([groupOf('v1'), groupOf('apps/v1'), groupOf('a/b/c'), groupOf('/v1')]).toEqual([
      '',
      'apps',
      null,
      null,
    ]);
  });
});

describe('kinds as kubectl has them', () => {
  const named = (word: string) =>
    new KindCatalogue(BUILT_IN_KINDS).named(word).map(({ name }) => name);

  it.each([
    ['po', 'Pod'],
    ['pods', 'Pod'],
    ['POD', 'Pod'],
    ['deploy', 'Deployment.apps'],
    ['deployments.apps', 'Deployment.apps'],
    ['Deployment.apps', 'Deployment.apps'],
    ['netpol', 'NetworkPolicy.networking.k8s.io'],
    ['endpoints', 'Endpoints'],
  ])('%s is %s', (word, name) => {
    expect(named(word)).toContain(name);
  });

  it.each(['constructor', '__proto__', 'nothing'])('%s is none', (word) => {
    expect(named(word)).toEqual([]);
  });

  it('every short name leads to a kind', () => {
    const catalogue = new KindCatalogue(BUILT_IN_KINDS);
    const unknown = catalogue.words().filter((word) => catalogue.named(word).length === 0);
    expect(unknown).toEqual([]);
  });

  it('a version that is not built in becomes the preferred one, and is noted', () => {
    const catalogue = new KindCatalogue(BUILT_IN_KINDS);
    const kind = catalogue.accept('batch/v9', 'Job', true);
    expect(kind.apiVersions[0]).toBe('batch/v9');
    expect(catalogue.resolve('batch/v1', 'Job')?.name).toBe(kind.name);
    expect(catalogue.notes).toEqual([expect.stringContaining('Job is read as batch/v9')]);
  });
});

describe('exit codes', () => {
  it('the worst one wins, in the documented order', () => {
    expect(worst([])).toBe(EXIT.asExpected);
    expect(worst([EXIT.vacuous, EXIT.inconclusive])).toBe(EXIT.inconclusive);
    expect(worst([EXIT.violated, EXIT.interrupted])).toBe(EXIT.interrupted);
    expect(worst([EXIT.interrupted, EXIT.defect, EXIT.usage])).toBe(EXIT.defect);
  });
});

describe('the progress line', () => {
  const event = {
    phase: 'search',
    layer: 12,
    frontier: 3456,
    previousFrontier: 4000,
    states: 1_234_567,
    transitions: 5_000_000,
    statesPerSecond: 812_345,
    megabytes: 345.6,
    elapsedSeconds: 2.5,
  } as const;

  it('says layer, frontier, trend, states, rate and memory in one line', () => {
    expect(progressText('foreground-chain', event)).toBe(
      'foreground-chain: layer 12, 3,456 in it, shrinking, 1,234,567 states, 812 k/s, 346 MB',
    );
    expect(progressText('x'.repeat(200), event)).toHaveLength(WIDTH);
  });

  it('waits for two seconds and takes itself away', () => {
    const written: string[] = [];
    const line = progressLine((text) => written.push(text));
    line.show('a', { ...event, elapsedSeconds: 1.9 });
    line.clear();
    expect(written).toEqual([]);
    line.show('a', event);
    line.clear();
    expect(written).toEqual([expect.stringMatching(/^\r\u001b\[2Ka: /), '\r\u001b[2K']);
  });
});

it('words for a shell are quoted where they have to be', () => {
  expect(['cm/a.b', '', "it's", 'a b'].map(shellQuoted)).toEqual([
    'cm/a.b',
    "''",
    "'it'\\''s'",
    "'a b'",
  ]);
});
