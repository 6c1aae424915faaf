import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fairness, Property, PropertyResult } from '../../checker/index.ts';
import { type Cluster, EMPTY_CLUSTER, SLOTS } from '../../model/state/cluster.ts';
import { replayTrace } from '../../run/replay.ts';
import { dump, expectError, runCli, temporaryFile, temporaryFolder } from '../cli/run-cli.ts';

/** A foreground delete that gets stuck. */
const STUCK = [
  ...[dump('ledger.yaml'), dump('ledger-cluster-scoped.yaml')],
  ...['--delete', 'cm/left', '--cascade', 'foreground'],
  ...['--property', 'nothing-stuck', '--property', 'every-deletion-finishes'],
];

async function savedResult(
  question: readonly string[] = STUCK,
): Promise<{ readonly file: string; readonly text: string }> {
  const file = join(temporaryFolder(), 'result.json');
  await runCli(['check', ...question, '--format', 'json', '--output', file]);
  return { file, text: readFileSync(file, 'utf8') };
}

interface Replays {
  readonly traces: readonly { readonly property: string; readonly outcome: string }[];
}

describe('replay', () => {
  it('executes every trace again and finds them as recorded', async () => {
    const { file } = await savedResult();
    const { code, stdout } = await runCli(['replay', file, '--format', 'json']);
    expect(code).toBe(0);
    const { traces } = JSON.parse(stdout) as Replays;
    expect(traces.map(({ property }) => property)).toEqual(
      expect.arrayContaining(['nothing is stuck', 'every deletion finishes']),
    );
    expect(new Set(traces.map(({ outcome }) => outcome))).toEqual(new Set(['same']));
    const text = await runCli(['replay', file]);
    expect(text.stdout).toMatch(/Executed again: \d+ steps, as recorded/);
  });

  it('goes round a lasso', async () => {
    const { file, text } = await savedResult(['unserved-owner-kind']);
    expect(text).toContain('"lasso"');
    expect((await runCli(['replay', file])).code).toBe(0);
    writeFileSync(file, text.replaceAll(/"loopStart": \d+/g, '"loopStart": 1'));
    const { code, stdout } = await runCli(['replay', file]);
    expect(code).toBe(1);
    expect(stdout).toContain('but the end does not lead back');
    expect(stdout).not.toMatch(/for ever/);
  });

  it('takes a loop without steps for none', async () => {
    const { file, text } = await savedResult(['unserved-owner-kind']);
    const emptied = JSON.parse(text, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && 'loopStart' in part && 'steps' in part
        ? { ...part, ...(part.loopStart === null ? {} : { loopStart: (part.steps as []).length }) }
        : part,
    ) as object;
    writeFileSync(file, JSON.stringify(emptied));
    const { code, stdout } = await runCli(['replay', file]);
    expect(code).toBe(1);
    expect(stdout).toContain('but the loop has no steps');
  });

  it('executes further counterexamples as well', async () => {
    const words = ['check', 'cycle-both-foreground', '--property', 'nothing is stuck'];
    const { stdout } = await runCli([...words, '--distinct', '3', '--format', 'json']);
    const file = temporaryFile('distinct.json', stdout);
    const { code, stdout: replays } = await runCli(['replay', file, '--format', 'json']);
    expect((JSON.parse(replays) as Replays).traces.length).toBeGreaterThan(1);
    expect(code).toBe(0);
  });

  it('selects by check and property', async () => {
    const { file } = await savedResult();
    const words = ['replay', file, '--check', '1', '--property', 'nothing is stuck'];
    const { code, stdout } = await runCli([...words, '--format', 'json']);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Replays).traces).toMatchObject([
      { property: 'nothing is stuck' },
    ]);
    const other = await runCli(['replay', file, '--check', '2']);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toMatch(/--check does not take "2"/);
    const unknown = await runCli(['replay', file, '--property', 'nothing is stuk']);
    expect(unknown.stderr).toMatch(/did you mean "nothing is stuck"\?/);
    expect(unknown.code).toBe(2);
  });

  /** Changes the saved document and replays it. */
  async function replayChanged(change: (text: string) => string) {
    const { file, text } = await savedResult();
    const changed = change(text);
    expect(changed).not.toBe(text);
    writeFileSync(file, changed);
    return runCli(['replay', file, '--property', 'nothing is stuck']);
  }

  it('says at which step a changed model does something else', async () => {
    const { code, stdout } = await replayChanged((text) =>
      // The finalizer, not the rule.
      text.replaceAll(/"foregroundDeletion"(?!:)/g, '"orphan"'),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /At step \d+: \w+ leads to another state \([\w, ]+\)\. The model\s+has changed\./,
    );
  });

  it('says that an action is not possible any more, or that the start is another', async () => {
    const renamed = await replayChanged((text) => text.replaceAll('"takeForDelete"', '"take"'));
    expect(renamed.stdout).toMatch(/At step \d+: take cannot be done here/);
    expect(renamed.code).toBe(1);
    const other = await replayChanged((text) =>
      text.replace('"caches": "synced"', '"caches": "cold"'),
    );
    expect(other.stdout).toMatch(/At the start: the initial state is another one/);
    expect(other.code).toBe(1);
  });

  it('does not look beyond the step where it is to stop', async () => {
    const { file, text } = await savedResult();
    writeFileSync(file, text.replaceAll('"takeForDelete"', '"take"'));
    const words = ['replay', file, '--property', 'nothing is stuck', '--until', '2'];
    const { code, stdout } = await runCli(words);
    expect(stdout).toMatch(/Stopped after step 2 of/);
    expect(code).toBe(0);
  });

  it('says that a run breaks nothing: here, one that is cut short', async () => {
    const { code, stdout } = await replayChanged((text) => {
      const document = JSON.parse(text) as {
        checks: { result: { properties: { name: string; trace: { steps: unknown[] } }[] } }[];
      };
      for (const property of document.checks[0]!.result.properties) {
        if (property.name === 'nothing is stuck') property.trace.steps.pop();
      }
      return JSON.stringify(document);
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/The steps are as recorded, but the last state/);
  });

  it.each([
    ['{}', /it names no schema/],
    ['{"schema": "reapcheck.result/v9"}', /its schema is reapcheck\.result\/v9/],
    ['{"schema": "reapcheck.result/v1"}', /command is missing/],
    ['', /it is empty|names no schema/],
    ['[', /not valid JSON/],
  ])('refuses %j', async (text, message) => {
    const { code, stdout, stderr } = await runCli(['replay', temporaryFile('r.json', text)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  type Setup = { objects: { kind: string }[]; rules: unknown; deleteWorkers: number };

  it.each<[string, (setup: Setup) => unknown, RegExp]>([
    ['of another sort', () => ({ nothing: true }), /unknown field "nothing"/],
    ['without rules', (setup) => ({ ...setup, rules: null }), /setup\.rules is null/],
    ['without a rule', (setup) => ({ ...setup, rules: {} }), /setup\.rules\.\w+ is missing/],
    [
      'with a value that no rule has',
      (setup) => ({ ...setup, rules: { ...(setup.rules as object), cycleBreaking: 'never' } }),
      /setup\.rules\.cycleBreaking is "never"/,
    ],
    [
      'with more workers than anybody can search',
      (setup) => ({ ...setup, deleteWorkers: 1e9 }),
      /setup\.deleteWorkers is 1000000000/,
    ],
    [
      'that fits and makes no model',
      (setup) => ({ ...setup, objects: setup.objects.map((one) => ({ ...one, kind: 'None' })) }),
      /its setup is not valid/,
    ],
  ])('refuses a setup %s', async (_name, change, message) => {
    const { file, text } = await savedResult();
    const document = JSON.parse(text) as { checks: { setup: Setup }[] };
    const [check] = document.checks;
    writeFileSync(
      file,
      JSON.stringify({ ...document, checks: [{ ...check, setup: change(check!.setup) }] }),
    );
    expectError(await runCli(['replay', file]), message);
  });
});

describe('the shape of a trace', () => {
  it('must be one that its property can have', async () => {
    const { file, text } = await savedResult();
    writeFileSync(file, text.replaceAll('"shape": "path"', '"shape": "lasso"'));
    const { code, stdout } = await runCli(['replay', file]);
    expect(code).toBe(1);
    expect(stdout).toContain('another shape than lasso');
  });

  it('of a loop must give every action what fairness owes it', () => {
    const off = EMPTY_CLUSTER;
    const on: Cluster = { ...EMPTY_CLUSTER, users: { alice: 1 } };
    const words = { actor: 'flip', sentence: '', changes: [], beliefs: [] } as const;
    const flip = { action: 'flip', parameters: {}, ...words, status: 'pending' } as const;
    const result: PropertyResult = {
      name: 'bob begins',
      kind: 'eventually',
      verdict: 'violated',
      triggered: 1,
      parameters: null,
      broken: [],
      reason: null,
      trace: {
        shape: 'lasso',
        loopStart: 0,
        initialIndex: 0,
        initial: off,
        initialLines: [],
        initialStatus: 'pending',
        fairness: [],
        steps: [
          { ...flip, fairness: 'none', state: on },
          { ...flip, fairness: 'none', state: off },
        ],
      },
    };
    const property: Property<Cluster> = {
      kind: 'eventually',
      name: result.name,
      goal: ({ users }) => users.bob !== undefined,
    };
    const outcome = (fairness: Fairness) =>
      replayTrace(
        {
          name: 'a switch',
          slots: SLOTS,
          initial: [off],
          actions: {
            flip: {
              reduce: ({ users }) => {
                if (users.alice === undefined) users.alice = 1;
                else delete users.alice;
              },
            },
            begin: {
              fairness,
              reduce: ({ users }) => {
                if (users.alice !== undefined) users.bob = 1;
              },
            },
          },
        },
        property,
        result,
      ).outcome;
    expect(outcome('none')).toBe('same');
    // Disabled half of the time: that is enough for weak fairness, not for strong.
    expect(outcome('weak')).toBe('same');
    expect(outcome('strong')).toBe('notBroken');
  });
});
