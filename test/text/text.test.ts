import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped } from '../../text/escape.ts';
import { EXIT, worst } from '../../text/exit-codes.ts';
import { errorLines } from '../../text/input-error.ts';
import { grouped, shellQuoted, WIDTH, wrapped } from '../../text/layout.ts';
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

describe('grouped', () => {
  it('has a comma before each three digits of the whole part', () => {
    const numbers = fc.oneof(
      fc.maxSafeNat(),
      fc.nat({ max: 100_000 }).map((number) => number / 8),
    );
    fc.assert(
      fc.property(numbers, (number) => {
        fc.pre(number < Number.MAX_SAFE_INTEGER);
        const locale = number.toLocaleString('en-US', { maximumFractionDigits: 3 });
        expect(grouped(number)).toBe(locale);
      }),
    );
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
    ['cycleWith', 'cycle'],
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

describe('exit codes', () => {
  it('the worst one wins, in the documented order', () => {
    expect(worst([])).toBe(EXIT.asExpected);
    expect(worst([EXIT.vacuous, EXIT.inconclusive])).toBe(EXIT.inconclusive);
    expect(worst([EXIT.violated, EXIT.interrupted])).toBe(EXIT.interrupted);
    expect(worst([EXIT.interrupted, EXIT.defect, EXIT.usage])).toBe(EXIT.defect);
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

describe('the lines of an error', () => {
  it('cut words that no name is as long as, and no command', () => {
    const [long, name] = ['x'.repeat(250_000), 'y'.repeat(253)];
    const field = `items[0].metadata.labels.${long}`;
    const lines = errorLines({
      what: `"${name}" and "${long}" are no names`,
      where: { file: 'dump.yaml', field },
      next: `reapcheck replay ${long}`,
    });
    const cut = /^error: "y{253}" and "x{199}\.\.\. \(250,002 characters\) are no names$/;
    expect(lines[0]).toMatch(cut);
    expect(lines[1]).toHaveLength(240);
    expect(lines[2]).toContain(long);
  });
});

describe('errorLines', () => {
  it('cuts a name that is as long as a file', () => {
    const [line] = errorLines({ what: `no ${'n'.repeat(3e7)} in\u2028${'é'.repeat(499)}` });
    const shown = `error: no ${'n'.repeat(200)}... (30,000,000 characters) in`;
    expect(line).toBe(`${shown}\\u2028${'é'.repeat(499)}`);
  });
});
