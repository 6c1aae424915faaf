import { expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runCli } from './run-cli.ts';

/** The document without times, and without the words of the command. */
async function documentOf(threads: number): Promise<unknown> {
  const { stdout } = await runCli([
    ...['check', 'bench/three-pods.yaml', '--max-states', '15000', '--format', 'json'],
    ...['--audit', '1000', '--threads', String(threads)],
  ]);
  const { checks } = JSON.parse(stdout) as ResultDocument;
  return checks.map(({ again: _, result, ...rest }) => {
    const {
      cpuSeconds: _cpu,
      wallSeconds: _wall,
      bytesPerState: _bytes,
      ...counts
    } = result.statistics;
    return { ...rest, result: { ...result, statistics: counts } };
  });
}

it('a cluster is searched by several threads as by one', async () => {
  const alone = await documentOf(1);
  expect(await documentOf(2)).toEqual(alone);
  expect(await documentOf(3)).toEqual(alone);
});
