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
  expect(stderr).toContain(`error: the time of ${seconds} seconds was up while reading `);
  expect([code, stdout]).toEqual([3, '']);
});
