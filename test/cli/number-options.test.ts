import { describe, expect, it } from 'vitest';
import { expectError, runCli } from './run-cli.ts';

describe('options that are numbers', () => {
  it.each([
    ['check', 'workers', 8],
    ['simulate', 'workers', 8],
    ['explore', 'workers', 8],
    ['simulate', 'steps', 100_000],
    ['simulate', 'seed', 2_147_483_647],
    ['check', 'max-input', 500],
  ])('%s --%s: that it goes up to %i is in the help', async (command, option, highest) => {
    const tooMuch = await runCli([command, 'wrong-uid', `--${option}`, String(highest + 1)]);
    expectError(tooMuch, /does not take/, new RegExp(`at most ${highest}\\b`));
    const { stdout } = await runCli([command, '--help']);
    const [, text = ''] = stdout.replaceAll(/\s+/g, ' ').split(` --${option} `);
    expect(text.split(' --')[0]).toMatch(new RegExp(`\\bup to ${highest}\\b`));
  });

  it.each([
    ['check', 'workers'],
    ['check', 'relists'],
    ['check', 'max-states'],
    ['check', 'max-depth'],
    ['check', 'distinct'],
    ['check', 'timeout'],
    ['check', 'memory'],
    ['check', 'max-input'],
    ['simulate', 'walks'],
    ['simulate', 'steps'],
    ['simulate', 'seed'],
    ['gate', 'processes'],
    ['replay', 'check'],
    ['replay', 'until'],
    ['conform', 'restarts'],
  ])('%s --%s takes a number in digits only', async (command, option) => {
    const word = { check: ['wrong-uid'], simulate: ['wrong-uid'], conform: ['trace', '-'] };
    const run = { replay: ['rt1:wrong-uid:a:b:c:d'], gate: [] };
    const words = { ...word, ...run }[command] ?? [];
    for (const given of ['1e0', '0x1', '']) {
      const outcome = await runCli([command, ...words, `--${option}=${given}`]);
      expectError(outcome, new RegExp(`--${option} does not take`), /number/);
    }
  });
});
