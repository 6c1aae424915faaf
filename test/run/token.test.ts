import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import type { Subject } from '../../input/plan.ts';
import { withRule } from '../../input/scenarios/protocol.ts';
import { RULES } from '../../model/rules/rules.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { lateAfter, modelOf } from '../../run/assemble.ts';
import { readSubject, writeSubject } from '../../run/tokens/subject.ts';
import { decodeToken, runOfToken } from '../../run/tokens/token.ts';
import {
  documentOf,
  dump,
  expectError,
  runCli,
  temporaryFile,
  temporaryFolder,
} from '../cli/run-cli.ts';

const ORPHAN = 'late-dependent-orphan';

/** Each line is a check of another sort; all of them are violated. */
const CHECKS: readonly (readonly string[])[] = [
  [ORPHAN],
  ['unserved-owner-kind'],
  ['--museum', 'K8S-77081'],
  [ORPHAN, '--rule', 'absentOwnerKey=uid', '--workers', '2', '--relists', '1'],
  [dump('ledger.yaml'), '--delete', 'secret/odd', '--cascade', 'foreground'],
];

/** A piece of a namespace that pods hold back. */
const BESIDE_HOLDERS: World = {
  ...PLAIN_WORLD,
  part: {
    ...{ division: 'pieces', number: 2, holders: [7, 12] },
    operators: { stops: [1], starts: [1, 1], ends: [0, 2] },
    shown: { deleted: [0, 3], waiting: [3], left: [1], kept: [2], released: [4], used: [5] },
  },
};

interface ReplayDocument {
  readonly traces: readonly {
    readonly outcome: string;
    readonly step: number;
    readonly what: string;
    readonly property: string;
    readonly trace: { readonly steps: readonly { readonly state: unknown }[] };
    readonly possible: readonly { readonly sentence: string }[];
  }[];
}

async function replayed(token: string, ...words: readonly string[]) {
  const { code, stdout, stderr } = await runCli(['replay', token, '--format', 'json', ...words]);
  expect(stderr).toBe('');
  const [first] = (JSON.parse(stdout) as ReplayDocument).traces;
  return { code, ...first! };
}

function tracesOf({ result, fates }: CheckReport) {
  return [...result.properties, ...fates.flatMap(({ goes, mayGo }) => [goes, mayGo])];
}

async function someToken(scenario = ORPHAN): Promise<string> {
  const [report] = (await documentOf([scenario])).checks;
  return report!.tokens.find(({ property }) => property.startsWith('orphaned'))!.token;
}

describe('a token', () => {
  it.each(CHECKS)('takes the same steps again: %s %s %s', async (...words) => {
    const document = await documentOf(words);
    const tokens = document.checks.flatMap((report) =>
      report.tokens.map((told) => ({ ...told, report })),
    );
    expect(tokens).not.toEqual([]);
    for (const { property, token, report } of tokens) {
      const trace = tracesOf(report).find(({ name }) => name === property)!.trace!;
      const again = await replayed(token);
      expect(again).toMatchObject({ code: 0, outcome: 'same', property });
      // Sentences, statuses and states equal those of the trace that the search has found.
      expect(again.trace).toEqual(trace);
    }
  });

  it('is short, and nothing that a shell looks at', async () => {
    const [report] = (await documentOf([ORPHAN])).checks;
    for (const { property, token } of report!.tokens) {
      const { trace } = tracesOf(report!).find(({ name }) => name === property)!;
      expect(token).toMatch(/^[\w:,=@./%+-]+$/);
      expect(token.length).toBeLessThan(60 + 2.5 * trace!.steps.length);
    }
  });

  it('is refused after any slip', async () => {
    const token = await someToken();
    for (let at = 'rt1:'.length; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const slipped = token.slice(0, at) + other + token.slice(at + 1);
      expect(() => decodeToken(slipped), slipped).toThrow(/not a reapcheck token/);
      expect(() => decodeToken(token.slice(0, at))).toThrow(/not a reapcheck token/);
    }
    expectError(await runCli(['replay', `${token}x`]), /its checksum is wrong/);
  });

  it.each([
    ['rt1:', /is not complete/],
    ['rt2:whatever', /does not know the token format rt2/],
    ['late-dependent', /is neither a token nor a file that exists[\s\S]*begins with rt1:/],
    [`rt1:${'x'.repeat(2_000_000)}`, /it is too long/],
  ])('is refused: %#', async (word, message) => {
    expectError(await runCli(['replay', word]), message);
  });

  it('names its input and its options whatever they are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    const word = text.filter((given) => !given.includes('='));
    const subjects: fc.Arbitrary<Subject> = fc.record({
      inputs: fc.array(text, { minLength: 1, maxLength: 3 }),
      museum: fc.constant(false),
      variant: fc.constantFrom(null, 'before', 'after'),
      deletions: fc.array(text, { minLength: 1, maxLength: 2 }),
      cascade: fc.constantFrom('background', 'foreground', 'orphan'),
      namespace: fc.option(text),
      overrides: fc.record({
        protocol: text,
        rules: fc.uniqueArray(
          fc.record({ name: word.filter((name) => name !== ''), value: text }),
          { maxLength: 2, selector: ({ name }) => name },
        ),
        stuckFinalizers: fc.array(text, { maxLength: 2 }),
        deleteWorkers: fc.integer({ min: 1, max: 8 }),
        relists: fc.nat(20),
        world: fc.constant(BESIDE_HOLDERS),
      }),
    });
    fc.assert(
      fc.property(subjects, (subject) => {
        const written = writeSubject(subject);
        expect(written).toMatch(/^[\w,=./%+-]*$/);
        expect(readSubject(written)).toEqual(subject);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a forged token', () => {
  /** With the right checksum. */
  function madeUp(subject: string, steps = 'AA:AAAA'): string {
    const body = `rt1:${subject}:AAA:${steps}`;
    return `${body}:${createHash('sha256').update(body).digest('base64url').slice(0, 4)}`;
  }

  it.each([':AAAA', 'AA:', 'AA:AAA'])('has the digest that its steps need: not %s', (steps) => {
    expect(() => decodeToken(madeUp(ORPHAN, steps))).toThrow(/its fields are not valid/);
  });

  it.each([
    [
      'no-such-scenario',
      /there is no built-in scenario "no-such-scenario"[\s\S]*the token was made from/,
    ],
    [`${ORPHAN},workers=999999`, /its options are not valid/],
    [`${ORPHAN},protocol=v9`, /there is no protocol "v9"/],
    [`${ORPHAN},workers=2,workers=2`, /it has workers twice/],
    [`${ORPHAN},rule=a=b,rule=a=c`, /it has rule a twice/],
    [`${ORPHAN},museum=before,variant=after`, /it has variant twice/],
    [`${ORPHAN},rule=x`, /its options are not valid/],
    [`${ORPHAN},__proto__=x`, /its options are not valid/],
    [`${ORPHAN},variant=sideways`, /its options are not valid/],
    [`${ORPHAN},variant=before`, /its variants have changed/],
    [ORPHAN, /its objects or requests have changed/],
    ['a%00b.yaml', /cannot be read|there is no file/],
    ['%E0%A4%A', /its options are not valid/],
    ['%1B[2J.yaml', /its options are not valid|no file \\x1b/],
  ])('%s', async (subject, message) => {
    expectError(await runCli(['replay', madeUp(subject)]), message);
  });
});

describe('a token on a model that has changed', () => {
  it('stops, or takes the very same actions, but never others', async () => {
    const document = await documentOf([ORPHAN, 'cycle-both-foreground']);
    const stops: number[] = [];
    for (const { tokens, setup, ...report } of document.checks) {
      for (const { property, token } of tokens.slice(0, 1)) {
        const { trace } = tracesOf(report as CheckReport).find(({ name }) => name === property)!;
        const actions = trace!.steps.map((step) => ({
          name: step.action,
          parameters: step.parameters,
        }));
        for (const [name, { values }] of Object.entries(RULES)) {
          for (const value of values) {
            const model = modelOf({ ...setup!, rules: withRule(setup!.rules, name, value) });
            const run = runOfToken(model, decodeToken(token));
            expect(run.actions).toEqual(actions.slice(0, run.actions.length));
            if (run.stopped === null) expect(run.actions).toHaveLength(actions.length);
            else stops.push(run.actions.length);
          }
        }
      }
    }
    expect(new Set(stops).size).toBeGreaterThan(2);
  });

  /** A scenario file, its token, and what comes of it once the file has changed. */
  async function afterChange(change: (text: string) => string) {
    const text = readFileSync('scenarios/cycle-both-foreground.yaml', 'utf8');
    const file = temporaryFile('cycle.yaml', text);
    const [report] = (await documentOf([file])).checks;
    const { token } = report!.tokens[0]!;
    expect(token).toContain(file);
    writeFileSync(file, change(text));
    return { token, file };
  }

  it('names the step, and what is possible there', async () => {
    const { token } = await afterChange((text) =>
      text.replace('requests:', 'protocol: gc-proposal\nrequests:'),
    );
    const { code, outcome, step, possible } = await replayed(token);
    expect({ code, outcome }).toEqual({ code: 1, outcome: 'different' });
    expect(step).toBeGreaterThan(1);
    expect(possible.length).toBeGreaterThan(0);
    const { stdout } = await runCli(['replay', token]);
    expect(stdout).toMatch(new RegExp(`At step ${step}: the`));
    expect(stdout).toContain(possible[0]!.sentence);
  });

  it('is of another scenario once objects or requests are others', async () => {
    const { token, file } = await afterChange((text) =>
      text.replace('requests:', 'requests:\n  - delete: ConfigMap/a'),
    );
    expectError(
      await runCli(['replay', token]),
      `the token was made for another version of ${file}`,
    );
  });

  it('says which file is not there', async () => {
    const { token, file } = await afterChange((text) => text);
    const gone = join(temporaryFolder(), 'gone.yaml');
    expect(file).not.toBe(gone);
    writeFileSync(file, '');
    expectError(await runCli(['replay', token]), /there are no objects/, /the token was made from/);
  });
});

describe('replay --until and --extend', () => {
  it('stops after a step: the state, and what is possible', async () => {
    const token = await someToken();
    const { code, outcome, trace, possible } = await replayed(token, '--until', '4');
    expect({ code, outcome }).toEqual({ code: 0, outcome: 'stopped' });
    expect(trace.steps).toHaveLength(4);
    expect(possible.map(({ sentence }) => sentence)).toEqual([
      'graph builder: sees ADDED Secret/late',
      'gc orphan worker: takes ConfigMap/a from attemptToOrphan, to free no dependents',
    ]);
    expectError(await runCli(['replay', token, '--until', '99']), /--until does not take "99"/);
  });

  it('searches on from there, and keeps the steps that were given', async () => {
    const token = await someToken();
    const words = ['replay', token, '--until', '4', '--extend'];
    const { code, stdout } = await runCli([...words, '--format', 'json']);
    expect(code).toBe(1);
    const [report] = (JSON.parse(stdout) as { checks: CheckReport[] }).checks;
    const found = report!.result.properties.find(({ name }) => name.startsWith('orphaned'))!;
    expect(found).toMatchObject({ verdict: 'violated', continuedFrom: 4 });
    expect(found.trace!.steps).toHaveLength(15);
    // The run that was found is one of the model itself.
    expect(report!.tokens.map((told) => told.token)).toContain(token);
    const file = temporaryFile('extended.json', stdout);
    expect((await runCli(['replay', file])).code).toBe(0);
  });

  it('has the other way taken where the step before the mistake is left out', async () => {
    const token = await someToken();
    // The dependent is seen in time, so nothing goes wrong any more.
    const { code } = await runCli([
      'replay',
      token,
      '--until',
      '3',
      '--extend',
      '--max-depth',
      '1',
    ]);
    expect(code).toBe(3);
  });

  it.each([
    [['--max-states', '5'], /--max-states has no effect without --extend/],
    [['--format', 'junit'], /no format junit without --extend/],
    [['--check', '1'], /--check has no effect with a token/],
    [['--full', '--format', 'json'], /--full has no effect with --format json/],
  ])('refuses %j', async (words, message) => {
    expectError(await runCli(['replay', await someToken(), ...words]), message);
  });

  it('needs one run', async () => {
    const result = await runCli(['check', 'cycle-both-foreground', '--format', 'json']);
    const file = temporaryFile('r.json', result.stdout);
    const several = await runCli(['replay', file, '--until', '2']);
    expectError(several, /needs exactly one run, and there are \d+/);
    const words = ['--property', 'nothing is stuck', '--until', '2'];
    const { code, stdout } = await runCli(['replay', file, ...words]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Stopped after step 2 of \d+\n {2}the state there\n/);
  });
});

it.each([
  ['no limit', {}, false],
  ['time that is left', { seconds: 3600 }, false],
  ['time that is over', { seconds: 3000 }, true],
  ['memory that is left', { megabytes: 1e6 }, false],
  ['less memory than the process has', { megabytes: 10 }, true],
  ['memory that is left, and time that is over', { seconds: 3000, megabytes: 1e6 }, true],
])('is written or not within %s', (_, limits, isLate) => {
  const anHourAgo = performance.now() - 3_500_000;
  expect(lateAfter(anHourAgo, limits)()).toBe(isLate);
});
