import { describe, expect, it } from 'vitest';
import { simulate } from '../../checker/index.ts';
import { checkArguments } from '../../cli/check-arguments.ts';
import { gatherPlans } from '../../input/gather.ts';
import {
  type ResultDocument,
  resultDocumentSchema,
} from '../../report/document/result-document.ts';
import { modelOf, propertiesOf } from '../../run/assemble.ts';
import { countingClock } from '../clock.ts';
import { expectError, runCli, temporaryFile } from './run-cli.ts';

/** Runs `simulate` and returns its document, which has to fit the schema. */
async function walked(words: readonly string[]): Promise<ResultDocument> {
  const { stdout } = await runCli(['simulate', ...words, '--format', 'json']);
  const value: unknown = JSON.parse(stdout);
  expect(resultDocumentSchema.safeParse(value).error).toBeUndefined();
  return value as ResultDocument;
}

/**
 * Ten pods below a ReplicaSet below a Deployment, two workers, and a collector that has seen
 * nothing so far: some 10^12 states. It lets the owners go before it knows what they own.
 */
function coldStart(): string {
  return `about: the collector starts while a Deployment of ten pods is deleted
${objects('objects')}
requests:
  - {delete: Deployment/web, propagationPolicy: Foreground}
environment: {deleteWorkers: 2, caches: cold}
`;
}

function objects(field: string): string {
  const ownedBy = (kind: string, name: string): string =>
    `ownerReferences: [{apiVersion: apps/v1, kind: ${kind}, name: ${name}, uid: uid-${name}, controller: true, blockOwnerDeletion: true}]`;
  const one = (apiVersion: string, kind: string, name: string, owner: string): string =>
    `  - {apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}, uid: uid-${name}, namespace: default, ${owner}}}`;
  return [
    `${field}:`,
    one('apps/v1', 'Deployment', 'web', ''),
    one('apps/v1', 'ReplicaSet', 'web-1', ownedBy('Deployment', 'web')),
    ...Array.from({ length: 10 }, (_, index) =>
      one('v1', 'Pod', `web-1-${index}`, ownedBy('ReplicaSet', 'web-1')),
    ),
  ].join('\n');
}

async function* nobody(): AsyncGenerator<Uint8Array> {}

describe('simulate', () => {
  it('finds what is wrong where no search gets to the end', async () => {
    const file = temporaryFile('cold.yaml', coldStart());
    const name = 'no blocking dependent outlives a foreground owner';
    const { checks, exitCode } = await walked([file, '--property', name, '--seed', '1']);
    expect(exitCode).toBe(1);
    const [property] = checks[0]!.result.properties;
    expect(property).toMatchObject({ name, verdict: 'violated' });
    expect(property!.trace!.steps.length).toBeLessThanOrEqual(12);
    expect(property!.broken.join()).toMatch(/is let go, ReplicaSet.* still blocks it/);
    expect(checks[0]!.tokens).toHaveLength(1);
  });

  it('says how much it has walked, groups what it left open, and shows the shortened trace', async () => {
    const file = temporaryFile('cold.yaml', coldStart());
    const words = ['simulate', file, '--seed', '1', '--walks', '12'];
    const { code, stdout } = await runCli(words);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/Counterexample to "no .*" \(\d+ steps, shortened from \d+\)/);
    expect(text).toMatch(
      /inconclusive nothing found: .*; nothing with a live owner is collected; /,
    );
    expect(text).toMatch(/Walked 12 walks, [\d,]+ steps .* came to rest, .* seed 1/);
    expect(text).toMatch(/Again reapcheck simulate .* --seed 1 --walks 12 $/);
    expect(code).toBe(1);
  });

  it('finds every defect of the museum', async () => {
    const given = checkArguments({ museum: true, input: [] }, []);
    const plans = (await gatherPlans(given, nobody())).filter(
      ({ museum }) => museum?.variant === 'before',
    );
    expect(plans.length).toBeGreaterThan(30);
    for (const { setup, title, museum, expectation } of plans) {
      const properties = propertiesOf(setup, [museum!.property]);
      const { properties: results } = await simulate({
        ...{ model: modelOf(setup), properties },
        ...{ walks: 2000, steps: 1000, seed: 1 },
      });
      expect(results[0], title).toMatchObject({ verdict: 'violated' });
      const shortest = expectation?.counterexample?.length ?? 10;
      expect(results[0]!.trace!.steps.length, title).toBeLessThanOrEqual(2 * shortest);
    }
  });

  it('judges runs without an end: at rest, and in loops', async () => {
    const { checks } = await walked([
      ...['self-owner-foreground', 'unserved-owner-kind', '--seed', '1', '--walks', '12'],
    ]);
    const shapes = checks.map(({ result }) =>
      result.properties.find(({ kind, trace }) => kind === 'eventually' && trace !== null),
    );
    expect(shapes.map((property) => property?.trace?.shape)).toEqual(['stutter', 'lasso']);
  });

  it('walks through a dump, and repeats itself by the seed that it names', async () => {
    const file = temporaryFile('dump.yaml', objects('kind: List\napiVersion: v1\nitems'));
    const words = ['simulate', file, '--delete', 'deploy/web', '--walks', '20', '--steps', '50'];
    const first = JSON.parse((await runCli([...words, '--format', 'json'])).stdout);
    const seed = first.checks[0].result.simulation.seed;
    expect(first.checks[0].again).toMatch(new RegExp(` --seed ${seed}$`));
    const again = await walked([...words.slice(1), '--seed', String(seed)]);
    expect(again.checks[0]!.result.simulation).toEqual(first.checks[0].result.simulation);
    expect(again.checks[0]!.result.properties).toEqual(first.checks[0].result.properties);
  });

  it('ends with what it has at Ctrl-C', async () => {
    const { code, stdout } = await runCli(
      ['simulate', 'late-dependent-orphan', '--walks', '1000000000', '--seed', '1'],
      { onListen: (interrupt) => countingClock(50, (call) => call === 20 && interrupt()) },
    );
    expect(stdout).toContain('Interrupted');
    expect(code).toBe(130);
  });

  it.each([
    [['--walks', '0'], '--walks does not take "0"'],
    [['--steps', 'many'], '--steps does not take "many"'],
    [['--steps', '100001'], '--steps does not take "100001"'],
    [['--seed', '-1'], '--seed'],
    [['--seed', '4294967296'], '--seed does not take "4294967296"'],
    [['--engine', 'naive'], 'there is no option --engine'],
    [['--cascade', 'orphan'], '--cascade has no effect without --delete'],
  ])('refuses %j', async (options, message) => {
    expectError(await runCli(['simulate', 'foreground-chain', ...options]), message);
  });

  it('wants to be told what to walk through', async () => {
    expectError(await runCli(['simulate']), 'a word is missing after the command');
  });
});
