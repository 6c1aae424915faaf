import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../model/state/cluster.ts';
import { deletionModel } from '../../model/system.ts';
import { successor } from '../../run/execution.ts';
import { documentOf, expectError, runCli, temporaryFile } from '../cli/run-cli.ts';
import { scenarios } from '../scenarios/read.ts';

const LATE = 'late-dependent-orphan';
const FROM_STDIN = 'rt1:-,delete=cm/parent:MsA:AGAbBKB_AlAkAeAOAQAa:aRoI:0z0_';

/** The answer to each command, without the head of the session. */
async function answers(
  scenario: string,
  commands: readonly string[],
  options: readonly string[] = [],
): Promise<readonly string[]> {
  const { stdout } = await runCli(['explore', scenario, ...options], {
    stdin: commands.join('\n'),
  });
  const [, ...parts] = `\n${stdout}`.split('\n> ');
  return parts.map((part) => part.slice(part.indexOf('\n') + 1).trimEnd());
}

/** Steps of a shortest run to such a state, by a search of its own. */
function distance(
  model: ReturnType<typeof deletionModel>,
  is: (state: Cluster) => boolean,
): number {
  const seen = new Set<string>();
  let layer: readonly Cluster[] = model.initial;
  for (let steps = 0; layer.length > 0; steps++) {
    if (layer.some(is)) return steps;
    layer = layer.flatMap((state) =>
      Object.entries(model.actions).flatMap(([name, { parameters }]) =>
        parameters.flatMap((chosen) => {
          const after = successor(model, { name, parameters: chosen }, state);
          const text = JSON.stringify(after);
          if (after === null || seen.has(text)) return [];
          seen.add(text);
          return [after];
        }),
      ),
    );
  }
  throw new Error('there is no such state');
}

describe('a session', () => {
  it('comes back to the state that it was in', async () => {
    const [first, , , back, , , undone, , restart] = await answers(LATE, [
      ...['state full', '1', '1', 'back 2', 'until gone ConfigMap/a', 'back', 'undo 2'],
      ...['undo 0', 'state full'],
    ]);
    expect(restart).toBe(first);
    expect(back).toMatch(/^At the start\n {2}1\) {2}user: POST/);
    expect(undone).toMatch(/^After step 2\n/);
  });

  it('goes on from where a token leads', async () => {
    const [, saved, there] = await answers(LATE, ['until gone Secret/late', 'save', 'state full']);
    const token = saved?.match(/rt1:\S+/)?.[0] ?? '';
    const [here, , start] = await answers(token, ['state full', 'undo 0', 'state']);
    expect(here).toBe(there);
    expect(start).toMatch(/^At the start\n {2}ConfigMap\/a\n/);
  });

  it('keeps what a token says of the model', async () => {
    const options = ['--workers', '2', '--rule', 'cycleBreaking=none'];
    const [, saved] = await answers('background-diamond', ['1', 'save'], options);
    const [why] = await answers(saved?.match(/rt1:\S+/)?.[0] ?? '', ['why attemptToDelete']);
    expect(why).toMatch('gc worker 2 is idle');
  });

  it('takes what words mean, if that is one thing', async () => {
    const [taken, unclear, disabled, unknown] = await answers('background-diamond', [
      'step request',
      'until queued ConfigMap/c',
      'step takeForDelete',
      'step takeForOrphan ConfigMap/b',
      'step takeForDelte',
    ]).then(([first, , ...rest]) => [first, ...rest]);
    expect(taken).toMatch(/^ {4}1 {2}\w+: DELETE ConfigMap\/a/);
    expect(unclear).toMatch('several are enabled: say which of');
    expect(disabled).toMatch('ConfigMap/b is not in attemptToOrphan');
    expect(unknown).toMatch('did you mean "takeForDelete"?');
  });
});

describe('until', () => {
  const { setup } = scenarios().find(({ name }) => name === LATE)!;
  const model = deletionModel(setup);

  it.each([
    ['gone ConfigMap/a', (state: Cluster) => state.store['ConfigMap/default/a'] === undefined],
    ['stored Secret/late', (state: Cluster) => 'Secret/default/late' in state.store],
    [
      'queued Secret/late',
      (state: Cluster) => Object.keys(state.attemptToDelete).some((id) => id.includes('late')),
    ],
    [
      'enabled attemptToOrphan',
      (state: Cluster) =>
        state.orphanWorkers['orphan-1'] !== undefined &&
        successor(model, { name: 'attemptToOrphan', parameters: { worker: 'orphan-1' } }, state) !==
          null,
    ],
  ] as const)('%s: goes there by a shortest way', async (goal, is) => {
    const [found] = await answers(LATE, [`until ${goal}`]);
    expect(found).toMatch(`: ${distance(model, is)} steps`.replace(/: 1 steps/, ': 1 step '));
  });

  it('says where nothing leads there', async () => {
    const [first, again] = await answers(LATE, [
      'until gone Secret/late',
      'until stored Secret/late',
    ]);
    expect(first).toMatch('Secret/late is removed: 15 steps from the start');
    expect(again).toMatch('From here on it never happens that Secret/late is stored');
  });

  it('says that it does not know, if a limit was hit', async () => {
    const options = ['--max-states', '5'];
    const [open] = await answers(LATE, ['until gone Secret/late'], options);
    expect(open).toMatch(/^Not known whether Secret\/late is removed, after 6 states\./);
  });

  it.each([
    ['gone ConfigMap/b', 'did you mean "ConfigMap/a"?'],
    ['gon ConfigMap/a', 'did you mean "gone"?'],
    ['queued Secret/later', 'did you mean "Secret/late"?'],
    ['enabled deliverSecret', 'there is no action'],
    ['enabled deliver Pod', 'has all of the words "Pod"'],
    ['enabled relist', 'there is no action "relist" in this model'],
    ['quiet now', 'usage: until quiet'],
    ['gone', 'usage: until gone OBJECT'],
    ['property nothing', 'usage: until property NAME broken|triggered'],
    ['property nothing broken', 'several properties have "nothing"'],
    ['property "all is well" broken', 'there is no property "all is well" here'],
    ['property "every deletion finishes" broken', 'jump finds one'],
  ])('%s: is refused', async (goal, message) => {
    const { code, stdout } = await runCli(['explore', LATE], { stdin: `until ${goal}` });
    expect(stdout.replaceAll(/\n */g, ' ')).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('jump', () => {
  it.each([
    [LATE, 'orphaned objects are not collected'],
    ['unserved-owner-kind', 'no object stays whose owners are all gone'],
    ['self-owner-foreground', 'every deletion finishes'],
  ])('%s: goes through the counterexample that check finds', async (scenario, property) => {
    const document = await documentOf([scenario, '--property', property]);
    const { trace, broken } = document.checks[0]!.result.properties[0]!;
    const [found] = await answers(scenario, [`jump "${property}"`]);
    const told = found?.replaceAll(/\n */g, ' ');
    expect(told).toMatch(`: ${trace?.steps.length} steps from the start`);
    for (const clause of broken) expect(told).toContain(clause);
  });

  it('sees what was triggered on the way', async () => {
    const [, , found] = await answers('self-owner-foreground', ['1', '1', 'jump finishes']);
    expect(found).toMatch(/is broken: \d steps from step 2/);
    expect(found).toMatch('Stays like this for ever');
  });

  it('says that a property holds from here on', async () => {
    const [holds] = await answers(LATE, ['jump finishes']);
    expect(holds).toMatch(/^From here on "every deletion finishes" holds; \d+ states searched/);
  });
});

describe('what is printed', () => {
  it('fits a screen and steers no terminal', async () => {
    const stdin = [
      'why all',
      '\u001b[31m\u202e',
      'why \u001b]0;x',
      'until gone Secret/late',
      'state full',
      'help',
      'help until',
    ].join('\n');
    const { stdout } = await runCli(['explore', LATE], { stdin });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('has the commands of a file in it', async () => {
    const file = temporaryFile('commands.txt', '# a remark\n1  # another\nquit\nnonsense\n');
    const { code, stdout } = await runCli(['explore', LATE, '--commands', file]);
    expect(stdout).toMatch('> 1  # another\n    1  user: POST Secret/late\n');
    expect(stdout).not.toMatch('nonsense');
    expect(code).toBe(0);
  });
});

describe('bad input', () => {
  it.each([
    [[], /a word is missing after the command\n[\s\S]*reapcheck explore SCENARIO/],
    [['late-dependant-orphan'], /did you mean "late-dependent-orphan"\?/],
    [['-'], /stdin cannot be both the input and the commands/],
    [[FROM_STDIN], /stdin cannot be both the input and the commands/],
    [[LATE, 'background-diamond'], /one scenario at a time/],
    [[LATE, '--variant', 'after'], /--variant has no effect without --museum/],
    [[LATE, '--commands', '/no/such/file'], /there is no file/],
    [['rt1:late-dependent-orphan:PJm:ATAo:qgd1:Mbe2'], /this is not a reapcheck token/],
    [['rt9:x'], /token format rt9/],
    [
      ['rt1:late-dependent-orphan:PJm:ATAoAQAdA7AyAlAq:qgd1:Mbe2', '--workers', '2'],
      /a token already determines the model/,
    ],
  ])('%j', async (words, message) => {
    expectError(await runCli(['explore', ...words]), message);
  });

  it('a token that cannot be followed any more', async () => {
    const scenario = (owner: string, environment: string): string => `
about: a thing with an owner
objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a${owner}}}
requests: [{delete: ConfigMap/a, user: alice}]
${environment}`;
    const file = temporaryFile('scenario.yaml', scenario(', finalizers: [example.com/x]', ''));
    const [, saved] = await answers(file, ['until gone ConfigMap/a', 'save']);
    const token = saved?.match(/rt1:\S+/)?.[0] ?? '';
    writeFileSync(
      file,
      scenario(
        ', finalizers: [example.com/x]',
        'environment: {finalizers: {example.com/x: stuck}}',
      ),
    );
    expectError(await runCli(['explore', token]), /cannot be replayed beyond step \d+/);
    writeFileSync(file, scenario('', ''));
    expectError(await runCli(['explore', token]), /the token was made for another/);
  });
});
