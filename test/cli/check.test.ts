import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { countingClock, countingWork } from '../clock.ts';
import { documentOf, dump, runCli, temporaryFile, temporaryFolder } from './run-cli.ts';

const HELD = `about: a held dependent
objects:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: a}
  - apiVersion: v1
    kind: ConfigMap
    metadata:
      name: b
      finalizers: [example.com/hold]
      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a, blockOwnerDeletion: true}]
requests:
  - delete: ConfigMap/a
    propagationPolicy: Foreground
`;

function checkHeld(more: string, ...options: readonly string[]) {
  return runCli(['check', temporaryFile('held.yaml', HELD + more), ...options]);
}

describe('exit codes', () => {
  it('0: a scenario is as it expects, pins included', async () => {
    const [report] = (await documentOf([temporaryFile('held.yaml', HELD)])).checks;
    const { states, transitions, layers } = report!.result.statistics;
    const pins = `expect: {states: ${states}, transitions: ${transitions}, depth: ${layers - 1}}\n`;
    const outcome = await checkHeld(pins);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
  });

  it('1: a pin, a verdict or an unlisted violation is not as expected', async () => {
    const pin = await checkHeld('expect: {states: 7, depth: 1}\n');
    expect(pin.code).toBe(1);
    expect(pin.stdout).toMatch(/states: expected 7, found \d+/);
    expect(pin.stdout).toMatch(/depth: expected 1, found \d+/);
    const verdict = await checkHeld('expect: {verdicts: {nothing is stuck: vacuous}}\n');
    expect(verdict.code).toBe(1);
    expect(verdict.stdout).toContain('"nothing is stuck": expected vacuous, found holds');
  });

  it('1: a property is violated in a dump', async () => {
    const files = [dump('ledger.yaml'), dump('ledger-cluster-scoped.yaml')];
    const words = ['check', ...files, '--delete', 'cm/left', '--cascade', 'foreground'];
    const { code, stdout } = await runCli(words);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ConfigMap\/left\.ledger hangs: .* waits for its dependent\nClusterRole/,
    );
  });

  it.each([
    ['--max-states', '5'],
    ['--max-depth', '2'],
  ])('3: a limit was hit (%s)', async (option, value) => {
    const { code, stdout } = await checkHeld('', option, value);
    expect(code).toBe(3);
    expect(stdout).toMatch(/inconclusive +every deletion finishes/);
    expect(stdout).toMatch(/Limit hit/);
  });

  it.each([
    ['--memory', '80'],
    ['--timeout', '0.000001'],
  ])('3: a limit of the machine was hit (%s)', async (option, value) => {
    countingWork(0.01);
    const words = ['check', dump('shop.yaml'), '--delete', 'deploy/web', '--cascade', 'foreground'];
    const { code, stdout } = await runCli([...words, option, value]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/unknown|not proved/);
  });

  it('4: a property that was asked for is vacuous; among the default ones that is no news', async () => {
    const asked = await checkHeld('', '--property', 'orphaning completes');
    expect(asked.code).toBe(4);
    expect(asked.stdout).toMatch(/vacuous +orphaning completes\n +It is exercised when /);
    expect((await checkHeld('')).stdout).toMatch(/vacuous +never exercised here: .*orphaning/s);
  });

  it('0: what is vacuous as expected is as expected', async () => {
    const only = 'properties: [orphaning completes]\n';
    expect((await checkHeld(only)).code).toBe(4);
    const expected = await checkHeld(`${only}expect: {verdicts: {orphaning completes: vacuous}}\n`);
    expect(expected.code).toBe(0);
  });

  it('70: a fault of reapcheck itself, with a message that names it', async () => {
    let stderr = '';
    const broken = {
      isTerminal: false,
      write: () => {
        throw new Error('the disk is\u001b full');
      },
    };
    const code = await run(['list', 'rules'], {
      stdin: (async function* () {})(),
      stdout: broken,
      stderr: {
        isTerminal: false,
        write: (text) => {
          stderr += text;
        },
      },
      env: {},
      onInterrupt: () => () => undefined,
    });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^defect of reapcheck: .*the disk is\\x1b full/);
  });

  it('130: interrupted, with the partial result and the checks that were left out', async () => {
    const { code, stdout } = await runCli(['check', 'foreground-chain', 'orphan-chain'], {
      onListen: (interrupt) => interrupt(),
    });
    expect(code).toBe(130);
    expect(stdout).toContain('Interrupted before: foreground-chain, orphan-chain');
  });

  it('130: in the middle of a search', async () => {
    const words = ['check', dump('shop.yaml'), '--delete', 'deploy/web', '--relists', '3'];
    const { code, stdout } = await runCli([...words, '--cascade', 'foreground'], {
      onListen: (interrupt) => countingClock(50, (call) => call === 20 && interrupt()),
    });
    expect(code).toBe(130);
    expect(stdout).toMatch(/\? unknown +Deployment\.apps\/web/);
  });

  it('130: in an answer of which no search takes long enough to pause', async () => {
    const { code, stdout } = await runCli(['compare', dump('shop.yaml'), 'deploy/web'], {
      onListen: (interrupt) => void setImmediate(interrupt),
    });
    expect(code).toBe(130);
    expect(stdout).toMatch(/unknown +\? *unknown|\? unknown/);
  });

  it('3 or 2: a result without a trace, of which nothing is replayed', async () => {
    for (const [states, expected] of [
      ['1', 3],
      ['100000', 2],
    ] as const) {
      const words = ['check', 'background-diamond', '--max-states', states, '--format', 'json'];
      const file = temporaryFile('result.json', (await runCli(words)).stdout);
      const { code, stdout, stderr } = await runCli(['replay', file]);
      expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
      expect(stderr).toContain('nothing was replayed');
    }
  });

  it('3 or 2: a result without checks, of which nothing is shown', async () => {
    const about = { schema: 'reapcheck.result/v1', command: 'c', version: '0', answer: null };
    for (const [notRun, exitCode, expected] of [
      [['late'], 130, 3],
      [[], 0, 2],
    ] as const) {
      const file = temporaryFile(
        'result.json',
        JSON.stringify({ ...about, checks: [], notRun, exitCode }),
      );
      const { code, stdout, stderr } = await runCli(['render', file]);
      expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
      expect(stderr).toContain('nothing was judged');
    }
  });

  it('prints the table with --help, for the command alone too', async () => {
    for (const words of [['--help'], ['check', '--help']]) {
      const { code, stdout } = await runCli(words);
      expect(code).toBe(0);
      expect(stdout).toMatch(/ 70 {2}a defect of the model or of reapcheck itself/);
      expect(stdout).toContain('the first of 70, 130, 2, 1, 3, 4, 0.');
    }
  });
});

describe('options', () => {
  it('a changed model voids the expectations of the file and says so', async () => {
    const pinned = temporaryFile('held.yaml', `${HELD}expect: {states: 7}\n`);
    expect((await runCli(['check', pinned])).code).toBe(1);
    for (const [option, value] of [
      ['--rule', 'cycleBreaking=none'],
      ['--workers', '2'],
      ['--relists', '1'],
      ['--stuck-finalizer', 'example.com/hold'],
      ['--protocol', 'v1.20'],
    ] as const) {
      const { code, stdout } = await runCli(['check', pinned, option, value]);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('expectations of the file do not apply');
      expect(code).toBe(0);
    }
  });

  it('says so once for many scenarios', async () => {
    const words = ['check', 'background-chain', 'orphan-chain', '--workers', '2'];
    const { stdout } = await runCli(words);
    expect(stdout.match(/do not\s+apply/g)).toHaveLength(1);
  });

  it('each of them reaches the model', async () => {
    const file = temporaryFile('held.yaml', HELD);
    const [report] = (
      await documentOf([
        ...[file, '--rule', 'cycleBreaking=none', '--workers', '2', '--relists', '1'],
        ...['--stuck-finalizer', 'example.com/hold', '--engine', 'naive', '--audit', '1'],
      ])
    ).checks;
    expect(report!.rules).toEqual({ cycleBreaking: 'none' });
    expect(report!.setup).toMatchObject({
      deleteWorkers: 2,
      relists: { ConfigMap: 1 },
      finalizers: { 'example.com/hold': 'stuck' },
    });
    expect(report!.result.statistics.engine).toBe('naive');
  });

  it('--audit alone does not swallow the scenario behind it', async () => {
    const [report] = (await documentOf(['--audit', 'background-chain'])).checks;
    expect(report!.title).toBe('background-chain');
    const [every] = (await documentOf(['--audit', '1', 'background-chain'])).checks;
    const { audited, transitions } = every!.result.statistics;
    expect(audited).toBe(transitions);
  });

  it('both engines tell the same', async () => {
    const naive = await documentOf(['finalizer-on-dependent', '--engine', 'naive']);
    const tracked = await documentOf(['finalizer-on-dependent']);
    const facts = ({ checks: [report] }: ResultDocument) => ({
      ...report!.result.properties.map(({ name, verdict, triggered }) => [
        name,
        verdict,
        triggered,
      ]),
      states: report!.result.statistics.states,
      transitions: report!.result.statistics.transitions,
    });
    expect(facts(naive)).toEqual(facts(tracked));
  });

  it('--reduction symmetry counts what differs in names once, says so, and leaves pinned counts alone', async () => {
    const leaf = HELD.slice(HELD.indexOf('  - apiVersion: v1', 40), HELD.indexOf('requests:'));
    const text = HELD.replace('requests:', `${leaf.replace('name: b', 'name: c')}requests:`);
    const file = temporaryFile('leaves.yaml', text);
    const [full] = (await documentOf([file, '--reduction', 'none'])).checks;
    const [reduced] = (await documentOf([file])).checks;
    const { states } = full!.result.statistics;
    expect(reduced!.result.statistics.states).toBeLessThan(states);
    const said = await runCli(['check', file]);
    expect(said.stdout).toMatch(
      /Reductions +Symmetry: states that differ only by one of 2 renamings are counted/,
    );

    const pinned = temporaryFile('pinned.yaml', `${text}expect: {states: ${states}}\n`);
    expect(await runCli(['check', pinned])).toMatchObject({ code: said.code });
    const on = await runCli(['check', pinned, '--reduction', 'symmetry']);
    expect(on.code).toBe(said.code);
    expect(on.stdout).not.toContain('states: expected');
  });

  it('--reduction confluence takes steps at once, says so, and compares no pinned counts then', async () => {
    const [full] = (await documentOf(['foreground-chain'])).checks;
    const [reduced] = (await documentOf(['foreground-chain', '--reduction', 'confluence'])).checks;
    expect(reduced!.result.statistics.states).toBeLessThan(full!.result.statistics.states);
    expect(reduced!.met).toBe(true);
    const judged = ({ name, verdict }: (typeof full & object)['result']['properties'][number]) => [
      name,
      verdict,
    ];
    expect(reduced!.result.properties.map(judged)).toEqual(full!.result.properties.map(judged));

    const only = await runCli(['check', 'foreground-chain', '--reduction', 'confluence-only']);
    expect(only.code).toBe(3);
    expect(only.stdout).toMatch(/Reductions +Confluence: \d+ steps taken at once/);
    expect(only.stdout).toContain('Left open, as they read what such steps write');
    const without = await runCli(['check', 'relist-recreation', '--reduction', 'confluence']);
    expect(without.stdout).toMatch(
      /Reductions +Confluence is not applied: the model declares no confluent steps/,
    );
    const naive = await runCli([
      'check',
      'foreground-chain',
      '--reduction',
      'confluence',
      '--engine',
      'naive',
    ]);
    expect(naive).toMatchObject({ code: 2, stdout: '' });
    expect(naive.stderr).toContain('--reduction confluence needs the tracked engine');
  });

  it('--output writes the whole file or nothing, through links, and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const target = join(folder, 'result.json');
    writeFileSync(target, 'old');
    const link = join(folder, 'link.json');
    symlinkSync(target, link);
    const bad = await runCli(['check', 'nothing', '--format', 'json', '--output', link]);
    expect(bad.code).toBe(2);
    expect(readFileSync(target, 'utf8')).toBe('old');
    const good = await runCli(['check', 'background-chain', '--format', 'json', '-o', link]);
    expect(good).toMatchObject({ code: 0, stdout: '', stderr: `The result is in ${link}\n` });
    expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({ exitCode: 0 });
    expect(readdirSync(folder).sort()).toEqual(['link.json', 'result.json']);
    expect(statSync(link).ino).toBe(statSync(target).ino);
  });

  it('several checks print a line each and the sum; a trace only where nobody expected it', async () => {
    const bad = temporaryFile('held.yaml', `${HELD}expect: {states: 7}\n`);
    const { code, stdout } = await runCli(['check', 'background-chain', bad, 'orphan-chain']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +background-chain +\d+ states {2}\d+ hold/m);
    expect(stdout).toMatch(/^UNEXPECTED +.*held\.yaml/m);
    expect(stdout).toMatch(/2 of 3 checks as expected/);
    expect(stdout).not.toContain('Counterexample');
  });

  it('skips no order where the collector watches no kind, and says no less', async () => {
    const text = `about: a kind that nobody watches
objects: [{apiVersion: v1, kind: Event, metadata: {name: a}}]
requests: [{delete: Event/a}]
expect: {verdicts: {nothing-stuck: holds}}
`;
    for (const mode of ['confluence', 'confluence-only']) {
      const words = ['check', temporaryFile('event.yaml', text), '--property', 'nothing-stuck'];
      const { code, stdout } = await runCli([...words, '--reduction', mode]);
      expect(stdout).toMatch(/holds +nothing is stuck/);
      expect(code).toBe(0);
    }
  });

  it('colours only where they are wanted', async () => {
    const colored = /\u001b\[3/;
    const words = ['check', 'background-chain'];
    expect((await runCli(words)).stdout).not.toMatch(colored);
    expect((await runCli(words, { isTerminal: true })).stdout).toMatch(colored);
    const env = { NO_COLOR: '1' };
    expect((await runCli(words, { isTerminal: true, env })).stdout).not.toMatch(colored);
    expect((await runCli(words, { env: { FORCE_COLOR: '1' } })).stdout).toMatch(colored);
  });
});
