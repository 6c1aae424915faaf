import { API_SERVER_RULES } from './api-server.ts';
import { CONTROLLER_RULES } from './controllers.ts';
import { DISCOVERY_RULES } from './discovery.ts';
import { GRAPH_RULES } from './graph.ts';
import { OWNERSHIP_RULES } from './ownership.ts';
import type { RuleDefinition } from './rule.ts';
import { WORKER_RULES } from './workers.ts';

/**
 * The differences between the protocols as named rules with named values. The reducers read rule
 * values; no reducer knows a protocol. `RULES` is the single table of values, protocols, meanings
 * and sources.
 */
export const RULES = {
  ...GRAPH_RULES,
  ...OWNERSHIP_RULES,
  ...DISCOVERY_RULES,
  ...WORKER_RULES,
  ...API_SERVER_RULES,
  ...CONTROLLER_RULES,
} as const satisfies Record<string, RuleDefinition>;

export type RuleName = keyof typeof RULES;

/** A protocol: one value for every rule. */
export type Rules = { readonly [Name in RuleName]: (typeof RULES)[Name]['values'][number] };
