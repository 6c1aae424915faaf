import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ShardDocument } from '../../gate/run/shard-document.ts';
import type { GateDocument } from '../../report/document/gate-document.ts';
import { expectError } from '../cli/run-cli.ts';
import { CODE, folderWith, type GateSurroundings, inFolder, runGate } from './gate-cli.ts';

const SUITE = `groups:
  - scenarios: [background-chain, dangling-owner, self-owner-foreground, orphan-chain]
    grid:
      workers: [1, 2]
`;

/** A suite, a lock with some other results, and the parts of a run. */
async function sharded(
  of: number,
  surroundings: GateSurroundings = {},
): Promise<{ folder: string; parts: readonly string[] }> {
  const folder = folderWith({ 'reapcheck.suite.yaml': SUITE });
  const parts = Array.from({ length: of }, (_, index) => `part ${index + 1}.json`);
  await inFolder(folder, async () => {
    expect(await runGate(['--update', '--accept-worse', '-q'])).toMatchObject({ code: 0 });
    const text = readFileSync('reapcheck.lock.json', 'utf8');
    const doctored = text
      .replace(/(\["background-chain \[workers=2\]", .*"states": )\d+/, (row) => `${row}0`)
      .replaceAll('"orphan-chain [workers=1]"', '"gone [workers=1]"');
    expect(doctored).not.toBe(text);
    writeFileSync('reapcheck.lock.json', doctored);
    for (const [index, part] of parts.entries()) {
      const words = ['--shard', `${index + 1}/${of}`, '--output', part];
      const { code, stdout } = await runGate(words, surroundings);
      expect([code, stdout]).toEqual([0, '']);
    }
  });
  return { folder, parts };
}

function changePart(folder: string, part: string, change: (part: ShardDocument) => object): void {
  const file = join(folder, part);
  const document = JSON.parse(readFileSync(file, 'utf8')) as ShardDocument;
  writeFileSync(file, JSON.stringify({ ...document, ...change(document) }));
}

function withoutCommand(text: string): Omit<GateDocument, 'command'> {
  const { command, ...document } = JSON.parse(text) as GateDocument;
  return document;
}

describe('gate merge', () => {
  it.each([1, 3, 9])('judges %i parts as one run', async (of) => {
    const { folder, parts } = await sharded(of);
    await inFolder(folder, async () => {
      const whole = await runGate(['-q']);
      expect(whole.stdout).toMatch(/new cell/);
      expect(whole.stdout).toMatch(/shrank/);
      expect(whole.code).toBe(1);
      const merged = await runGate(['merge', ...parts.toReversed(), '-q']);
      expect(merged).toEqual(whole);
      const json = ['--format', 'json'];
      expect(withoutCommand((await runGate(['merge', ...parts, ...json])).stdout)).toEqual(
        withoutCommand((await runGate(json)).stdout),
      );
    });
  });

  it('accepts drift as one run does', async () => {
    const { folder, parts } = await sharded(2);
    await inFolder(folder, async () => {
      const update = ['--update', '--accept-worse', '-q'];
      expect(await runGate(['merge', ...parts, ...update])).toMatchObject({ code: 0 });
      const lock = readFileSync('reapcheck.lock.json', 'utf8');
      expect(await runGate(update)).toMatchObject({ code: 0 });
      expect(readFileSync('reapcheck.lock.json', 'utf8')).toBe(lock);
    });
  });

  it('takes a suite elsewhere', async () => {
    const { folder, parts } = await sharded(2);
    const files = parts.map((part) => join(folder, part));
    await inFolder(folderWith({}), async () => {
      const suite = join(folder, 'reapcheck.suite.yaml');
      const { code, stdout } = await runGate(['merge', ...files, '--suite', suite]);
      expect(code).toBe(1);
      expect(stdout).toMatch(/9 cells, 6 as pinned/);
      expectError(await runGate(['merge', ...files]), /there is no suite reapcheck.suite.yaml/);
    });
  });

  it('a cell that failed in a part is an error of the whole run', async () => {
    const outcomeOf: GateSurroundings['outcomeOf'] = ({ name }) =>
      name === 'dangling-owner [workers=1]' ? { kind: 'failed', message: 'out of\u001b it' } : null;
    const folder = folderWith({ 'reapcheck.suite.yaml': SUITE });
    await inFolder(folder, async () => {
      const words = ['--shard', '1/1', '-o', 'part.json'];
      const { code, stderr } = await runGate(words, { outcomeOf });
      expect(code).toBe(70);
      expect(stderr).toMatch(/^dangling-owner \[workers=1\]: out of\\\S+ it$/m);
      const merged = await runGate(['merge', 'part.json']);
      expect(merged.code).toBe(70);
      expect(merged.stdout).toMatch(/dangling-owner \[workers=1\]/);
    });
  });

  it('a part that was interrupted is not written', async () => {
    await inFolder(folderWith({ 'reapcheck.suite.yaml': SUITE }), async () => {
      const words = ['--shard', '1/1', '-o', 'part.json'];
      const outcome = await runGate(words, { outcomeOf: () => ({ kind: 'notRun' }) });
      expect(outcome).toMatchObject({ code: 130, stdout: '' });
      expect(() => readFileSync('part.json')).toThrow(/ENOENT/);
    });
  });

  it('refuses parts that do not belong to one run, or are incomplete', async () => {
    const { folder, parts } = await sharded(3);
    const other = { ...CODE, model: 'another' };
    await inFolder(folder, async () => {
      const [one, two, three] = parts as [string, string, string];
      const merge = (...words: string[]) => runGate(['merge', ...words]);
      expectError(await merge(), /there is no shard to merge/);
      expectError(await merge(one, three), /not complete: without shard 2\/3$/m);
      expectError(await merge(one, two, three, two), /shard 2\/3 is given twice/, /part 2.json/);
      expectError(
        await runGate(['merge', ...parts], { code: other }),
        /part 1.json comes from a run with another code of reapcheck than here/,
      );
      await runGate(['--shard', '1/2', '-o', 'half.json']);
      expectError(await merge(one, 'half.json'), /shard 1\/2, but the suite was split into 3/);
      const lock = readFileSync('reapcheck.lock.json', 'utf8');
      writeFileSync('reapcheck.lock.json', lock.replace(/"states": 1/, '"states": 2'));
      expectError(await merge(...parts), /another lock than here/);
      writeFileSync('reapcheck.lock.json', lock);
      writeFileSync('reapcheck.suite.yaml', SUITE.replace('[1, 2]', '[2, 1]'));
      expectError(await merge(...parts), /another suite than here/);
      writeFileSync('reapcheck.suite.yaml', SUITE);
      expect((await merge(...parts)).code).toBe(1);
    });
  });

  it('refuses damaged and foreign files', async () => {
    const { folder, parts } = await sharded(2);
    const [one, two] = parts as [string, string];
    const original = readFileSync(join(folder, two), 'utf8');
    const refused = async (what: RegExp) => {
      await inFolder(folder, async () => expectError(await runGate(['merge', one, two]), what));
      writeFileSync(join(folder, two), original);
    };
    changePart(folder, two, () => ({ version: '0.0.0' }));
    await refused(/part 2.json comes from a run with another version of reapcheck/);
    changePart(folder, two, ({ cells }) => ({ cells: cells.slice(1) }));
    await refused(/part 2.json does not have the cells of its shard/);
    changePart(folder, two, ({ cells }) => ({ cells: [cells[0], ...cells] }));
    await refused(/does not have the cells of its shard/);
    changePart(folder, two, ({ cells }) => ({
      cells: cells.map((cell) => ({ ...cell, outcome: { kind: 'notRun' } })),
    }));
    await refused(/part 2.json is not a result of reapcheck/);
    changePart(folder, two, () => ({ shard: { index: 3, of: 2 } }));
    await refused(/not complete: without shard 2\/2/);
    writeFileSync(join(folder, two), original.slice(0, -10));
    await refused(/part 2.json|valid JSON/);
    writeFileSync(join(folder, two), original.replace('{', '{"__proto__":{},'));
    await refused(/there is a field named __proto__/);
    writeFileSync(join(folder, two), '{"schema":"reapcheck.result/v1"}');
    await refused(/its schema is reapcheck.result\/v1/);
  });
});

describe('options of shards and merge', () => {
  it.each([
    [['--shard', '3/2'], /--shard does not take "3\/2"/],
    [['--shard', '1/2', '--update'], /--update says nothing with --shard/],
    [['--shard', '1/2', '--report', 'junit=x'], /--report says nothing with --shard/],
    [['--shard', '1/2', '-o', '/nowhere/x'], /\/nowhere\/x cannot be written/],
    [['merge', 'x', '--shard', '1/2'], /--shard says nothing with merge/],
    [['merge', 'x', '--no-cache'], /--no-cache says nothing with merge/],
    [['merge', 'nowhere.json'], /there is no file nowhere.json/],
    [['--suite', 'x'], /--suite is for merge/],
    [['x', 'y'], /"y" is one word too many/],
  ])('%j', async (words, error) => {
    await inFolder(folderWith({ 'reapcheck.suite.yaml': SUITE }), async () => {
      expectError(await runGate(words), error);
    });
  });
});
