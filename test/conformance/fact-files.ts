import { readFileSync } from 'node:fs';
import { DEFAULT_PROTOCOL, PROTOCOLS } from '../../model/rules/protocols.ts';

/** The published cases of one area. */

export type Case = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly kind: string;
  readonly steps: readonly Readonly<Record<string, unknown>>[];
};

export function casesOf(area: string): readonly Case[] {
  const path = new URL(`../../conformance/facts/data/${area}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as readonly Case[];
}

/** Cases of millions of states: judged once, but neither corrupted nor run under coverage. */
export const LARGE = ['scen-cross-namespace', 'scen-e2e-foreground', 'scen-e2e-two-owners'];

const rules = PROTOCOLS[DEFAULT_PROTOCOL];
if (rules === undefined) throw new Error('the default protocol has no rules');

/** The default protocol. */
export const JUDGED = { protocol: DEFAULT_PROTOCOL, rules };
