import type { Interpreter } from '../fact.ts';
import { interpretNamespaceConditions, interpretNamespaceFinalized } from './conditions.ts';
import { interpretNamespaceFinalize, interpretNamespaceRetry } from './retry.ts';
import { interpretNamespaceStore } from './store.ts';
import { interpretNamespaceStrategy } from './strategy.ts';
import { interpretNamespaceSync } from './sync.ts';

/** The kinds of case that judge namespaces and their controller. */
export const NAMESPACE_INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  'namespace-store': interpretNamespaceStore,
  'namespace-strategy': interpretNamespaceStrategy,
  'namespace-conditions': interpretNamespaceConditions,
  'namespace-finalized': interpretNamespaceFinalized,
  'namespace-finalize': interpretNamespaceFinalize,
  'namespace-sync': interpretNamespaceSync,
  'namespace-retry': interpretNamespaceRetry,
};
