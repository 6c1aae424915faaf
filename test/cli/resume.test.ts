import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectError, runCli, temporaryFile, temporaryFolder } from './run-cli.ts';

const SCENARIO = 'late-dependent-orphan';
const JSON_FORMAT = ['--format', 'json'];

const timeless = (text: string): string => text.replaceAll(/"(cpu|wall)Seconds": [^,\n]*/g, '');
const check = (...words: readonly string[]) => runCli(['check', ...words]);
const resume = (...words: readonly string[]) => runCli(['resume', ...words]);

/** A folder with a search that ended at a limit. */
async function saved(scenario = SCENARIO): Promise<string> {
  const folder = join(temporaryFolder(), 'saved');
  const words = [scenario, ...JSON_FORMAT, '--max-states', '20', '--checkpoint', folder];
  const { code, stderr } = await check(...words, '--checkpoint-every=5states');
  expect(stderr).toContain(`reapcheck resume ${folder} continues it`);
  expect(code).toBe(3);
  return folder;
}

describe('reapcheck resume', () => {
  it('prints the document of a search that was not stopped', async () => {
    const folder = await saved();
    const { stdout, code } = await resume(folder, '--max-states', '1000');
    const plain = await check(SCENARIO, ...JSON_FORMAT, '--max-states=1000');
    expect(timeless(stdout)).toBe(timeless(plain.stdout));
    expect(code).toBe(plain.code);
    // A search that has ended is judged again, also without the larger limit that let it end.
    expect(timeless((await resume(folder, '--max-states=1000')).stdout)).toBe(timeless(stdout));
    expect((await resume(folder)).code).toBe(plain.code);
    expect((await resume(folder, '--max-states=1000', '--format=junit')).stdout).toContain('<?xml');
  });

  it('leaves a saved search after an interruption', async () => {
    const folder = join(temporaryFolder(), 'saved');
    const words = ['check', 'deployment-foreground', ...JSON_FORMAT, '--checkpoint', folder];
    const cut = await runCli(words, { onListen: (interrupt) => interrupt() });
    expect(cut.code).toBe(130);
    const plain = await check('deployment-foreground', ...JSON_FORMAT);
    expect(timeless((await resume(folder)).stdout)).toBe(timeless(plain.stdout));
  });

  it('refuses a folder that has no search of this question, code and format', async () => {
    const empty = temporaryFolder();
    expectError(await resume(empty), /has no saved search/);
    const file = temporaryFile('mine.yaml', readFileSync(`scenarios/${SCENARIO}.yaml`, 'utf8'));
    const folder = await saved(file);
    expectError(await check(SCENARIO, '--checkpoint', folder), /already has a saved search/);
    const manifest = join(folder, 'manifest.json');
    const text = readFileSync(manifest, 'utf8');
    const edited = (from: string | RegExp, to: string) => {
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      writeFileSync(manifest, changed);
    };
    edited('checkpoint/v1', 'checkpoint/v2');
    expectError(await resume(folder), /not the manifest of a saved search: schema/);
    edited(/"code": "./, '"code": "');
    expectError(await resume(folder), /saved by other code/);
    edited(/"endianness": "LE"/, '"endianness": "BE"');
    expectError(await resume(folder), /other byte order/);
    edited('"check"', '"list"');
    expectError(await resume(folder), /.+/);
    writeFileSync(manifest, text);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n# changed\n`);
    expectError(await resume(folder), /mine\.yaml has changed since the search was saved/);
  });

  it('refuses blocks that are damaged or of another search', async () => {
    const folder = await saved();
    const blocks = join(folder, 'search.blocks');
    const whole = readFileSync(blocks);
    const damaged = Buffer.from(whole);
    damaged[100]! ^= 1;
    writeFileSync(blocks, damaged);
    expectError(await resume(folder), /the saved search is damaged at byte 0/);
    writeFileSync(blocks, readFileSync(join(await saved('adopted-in-window'), 'search.blocks')));
    expectError(await resume(folder, '--max-states=1000'), /it is of another question/);
  });

  it('refuses a folder that another process uses', async () => {
    const folder = await saved();
    const { hostname } = await import('node:os');
    writeFileSync(join(folder, 'lock'), `${process.ppid} ${hostname()}\n`);
    expectError(await resume(folder), new RegExp(`is in use by process ${process.ppid}`));
    // Left behind by a process that was killed: no process has this number.
    writeFileSync(join(folder, 'lock'), `4194999 ${hostname()}\n`);
    expect((await resume(folder)).code).toBe(3);
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });
});

describe('check --checkpoint', () => {
  it('refuses what cannot be saved', async () => {
    const into = ['--checkpoint', join(temporaryFolder(), 'saved')];
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[SCENARIO, '--engine', 'naive'], /does not go with --engine naive/],
      [[SCENARIO, '--distinct', '2'], /does not go with --distinct/],
      [['./examples/model.ts'], /does not go with modules/],
      [['-'], /does not go with stdin/],
      [['dump.yaml', '--delete', 'deploy/web'], /does not go with --delete alone/],
      [[SCENARIO, 'adopted-in-window'], /saves one check, and this command has 2/],
      [[SCENARIO, '--checkpoint-every', 'often'], /seconds, or a number like 10000states/],
    ];
    for (const [words, message] of cases) expectError(await check(...words, ...into), message);
    expectError(await check(SCENARIO, '--checkpoint-every=5'), /no effect without --checkpoint/);
    expectError(await runCli(['simulate', SCENARIO, ...into]), /there is no option --checkpoint/);
  });

  it('refuses a folder that has other files, or cannot be made', async () => {
    const file = temporaryFile('notes.txt', 'mine');
    expectError(await check(SCENARIO, '--checkpoint', join(file, '..')), /is not empty/);
    expectError(await check(SCENARIO, '--checkpoint', file), /cannot be used for checkpoints/);
  });
});
