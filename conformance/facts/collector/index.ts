import type { Interpreter } from '../fact.ts';
import { interpretAlternateOwner } from './alternate-owner.ts';
import { interpretControllerTrace } from './controller-trace.ts';
import { interpretDeleteAttempt } from './delete-attempt.ts';
import { interpretDeletableResources, interpretDiscoverySync } from './discovery.ts';
import { interpretGraphTrace } from './graph-trace.ts';
import { interpretOrphanStep } from './orphan-step.ts';
import { interpretOwnerPatch } from './owner-patch.ts';
import { interpretRecordedTrace } from './recorded-trace.ts';

/** The kinds of case that judge the collector alone. */
export const COLLECTOR_INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  'controller-trace': interpretControllerTrace,
  'controller-trace-recorded': interpretRecordedTrace,
  'graph-trace': interpretGraphTrace,
  'alternate-owner': interpretAlternateOwner,
  'delete-attempt': interpretDeleteAttempt,
  'owner-patch': interpretOwnerPatch,
  'orphan-step': interpretOrphanStep,
  'deletable-resources': interpretDeletableResources,
  'discovery-sync': interpretDiscoverySync,
};
