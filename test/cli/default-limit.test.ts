import { expect, test } from 'vitest';
import { countingWork } from '../clock.ts';
import { dump, runCli } from './run-cli.ts';

const WEB = [dump('shop.yaml'), 'deploy/web'];

test.each([
  ['delete', WEB, 10],
  ['compare', WEB, 30],
  ['collect', [dump('collect-mixed.yaml')], 10],
  ['explain', WEB, 10],
  ['uninstall', [dump('helm-release.yaml'), '--release', 'web'], 60],
  ['survey', [dump('survey.yaml')], 300],
] as const)('%s reads and plans no longer than its default limit', async (name, words, seconds) => {
  countingWork(1e6);
  const { code, stdout, stderr } = await runCli([name, ...words], { isImpatient: true });
  const [, given] = stderr.match(/^error: the time of (\d+) seconds was up while reading /) ?? [];
  // More if other processes use the machine.
  expect(Number(given)).toBeGreaterThanOrEqual(seconds);
  expect(Number(given)).toBeLessThanOrEqual(6 * seconds);
  expect([code, stdout]).toEqual([3, '']);
});
