import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import { type Outcome, runCli } from '../cli/run-cli.ts';
import { PATIENCE } from '../clock.ts';

/** Searches that are divided among the workers of a fleet. */

/** 143,977 states, of which the search finds the properties true that need no leads-to. */
export const LARGE = [
  'two-workers-foreground-diamond',
  ...['orphans-survive', 'one-worker-per-item', 'nothing-stuck'].map((id) => `--property=${id}`),
];

/** 1,538 states in 34 layers: as few as let a fault come in the midst of the search. */
export const SMALLER = ['two-owners-both-deleted', '--workers', '2', ...LARGE.slice(1)];

/** With two workers, which are alike. */
export const SYMMETRIC = 'two-workers-chain';

/** The document without what depends on the processes that searched. */
export function shared({ stdout, stderr, code }: Outcome): unknown {
  if (stdout === '') return { stderr, code };
  const document = JSON.parse(stdout);
  for (const { result } of document.checks) {
    const { states, transitions, layers } = result.statistics;
    result.statistics = { states, transitions, layers };
  }
  return { document, code };
}

const known = new Map<string, unknown>();

/** What one process finds. */
export async function alone(words: readonly string[]): Promise<unknown> {
  const all = ['check', ...withReduction(words), '--format', 'json'];
  const key = all.join(' ');
  if (!known.has(key)) known.set(key, shared(await runCli(all)));
  return known.get(key);
}

/** These searches are small. They are divided from the first layer on, unless a test says so. */
export function byFleet(
  url: string,
  words: readonly string[],
  partitions: number,
  dividedFrom = 1,
): Promise<Outcome> {
  const divided = ['--partitions', String(partitions), '--divide-from', String(dividedFrom)];
  const options = ['--format', 'json', '--fleet', url, ...divided];
  return runCli(['check', ...withReduction(words), ...options]);
}

function withReduction(words: readonly string[]): readonly string[] {
  return words.includes('--reduction') ? words : [...words, '--reduction', 'none'];
}

/** Waits until partitions have sent something in this layer, or the search has ended. */
export async function reached(
  client: Redis,
  layer: number,
  found: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  found.then(end, end);
  const isThere = async (): Promise<boolean> => {
    if (isOver) return true;
    const keys = await client.keys('bull:*:log:*');
    const ids = await Promise.all(keys.map((key) => client.xrevrange(key, '+', '-', 'COUNT', 1)));
    return ids.some(([last]) => Number(last?.[0].split('-')[0]) >= layer);
  };
  await expect.poll(isThere, { timeout: PATIENCE, interval: 20 }).toBe(true);
}
