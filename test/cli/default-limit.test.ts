import { expect, onTestFinished, test, vi } from 'vitest';
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
  let active = 0;
  const clock = vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
    active += 1e6;
    return { active, idle: 0, utilization: 1 };
  });
  onTestFinished(() => void clock.mockRestore());
  const { code, stdout, stderr } = await runCli([name, ...words], { isImpatient: true });
  expect(stderr).toContain(`error: the time of ${seconds} seconds was up while reading `);
  expect([code, stdout]).toEqual([3, '']);
});
