import type { Rules } from '../../model/rules/rules.ts';
import type { Use } from './encoded.ts';

/**
 * Built-in scenarios, none of which is an entry of the museum, whose verdict depends on a value of
 * a rule: `verdict` with the first value, and the opposite with the second one.
 */
export interface SecondUse {
  readonly scenario: string;
  readonly rule: keyof Rules;
  readonly values: readonly [string, string];
  /** Id of a property, or an outcome. */
  readonly property: string;
  readonly verdict: 'holds' | 'violated';
}

function use(
  scenario: string,
  rule: keyof Rules,
  values: readonly [string, string],
  property: string,
  verdict: SecondUse['verdict'] = 'holds',
): SecondUse {
  return { scenario, rule, values, property, verdict };
}

export const SECOND_USES: readonly SecondUse[] = [
  use(
    'custom-resources-cycle',
    'ownerPatchFallback',
    ['jsonMerge', 'none'],
    'every-deletion-finishes',
  ),
  use(
    'discovery-empty-while-orphaning',
    'emptyDiscovery',
    ['skipped', 'noKinds'],
    'orphaning-completes',
  ),
  use('served-in-another-version', 'nodeVersion', ['refreshed', 'frozen'], 'graph-mirrors-store'),
  use(
    'daemon-set-history-left-alone',
    'daemonSetHistoryOfDeleted',
    ['leftAlone', 'constructed'],
    'no-stuck-finalizer',
  ),
  use(
    'finalizers-set-twice',
    'finalizersWhileDeleting',
    ['onlyRemoved', 'free'],
    'no-finalizer-added-late',
  ),
  use(
    'reference-removed-in-window',
    'collectorDeletePrecondition',
    ['uidAndResourceVersion', 'none'],
    'unowned-never-collected',
  ),
  use(
    'namespace-kind-comes-back',
    'namespaceContentNotFound',
    ['thisPassOnly', 'remembered'],
    'no-contents-left-behind',
  ),
  use(
    'namespace-waits-for-finalizer',
    'namespaceContentFinalizers',
    ['waited', 'unexpected'],
    'every-deletion-finishes',
  ),
  use(
    'namespace-pods-first',
    'namespaceContentOrder',
    ['podsFirst', 'anyOrder'],
    'namespace-pods-first',
  ),
  use(
    'namespace-emptied',
    'namespaceDeleteFinalizers',
    ['fromOptions', 'untouched'],
    'propagation-policy-honored',
  ),
  use(
    'claim-in-use-cached',
    'claimUseCheck',
    ['cachedThenLivePods', 'cachedPods'],
    'outcome: the claim goes from under the pod',
    'violated',
  ),
  use('kubectl-waits-for-recreated', 'kubectlWait', ['byUid', 'byName'], 'client-wait-ends'),
  use(
    'api-service-foreground',
    'ignoredKinds',
    ['events', 'eventsAndApiExtensions'],
    'every-deletion-finishes',
  ),
  use(
    'finalizer-races-delete',
    'removalCondition',
    ['asDecided', 'asRequested'],
    'no-removal-with-finalizer',
  ),
  use('relist-recreation', 'replacedObject', ['deletedAndAdded', 'updated'], 'graph-mirrors-store'),
  use(
    'relist-repeated-foreground',
    'deletionStart',
    ['everyEvent', 'deletionTimestampAndFinalizer'],
    'no-stuck-finalizer',
  ),
  use(
    'relist-repeated-foreground',
    'deletionStart',
    ['everyEvent', 'deletionTimestamp'],
    'no-stuck-finalizer',
  ),
  use(
    'reference-removed-before-unblock',
    'unblockedReferences',
    ['asRead', 'ofGraph'],
    'collector-adds-no-reference',
  ),
  use(
    'deployment-before-policies',
    'collectorDeletePolicy',
    ['explicit', 'none'],
    'propagation-policy-honored',
  ),
  use(
    'cold-start-cluster-scoped-owner',
    'collectorRequestNamespace',
    ['scope', 'item'],
    'outcome: the dependent stays',
  ),
  use(
    'cold-start-invalid-reference',
    'virtualOwnerNamespace',
    ['checked', 'trusted'],
    'cascade-completes',
  ),
  use(
    'collector-overrides-foreground',
    'policyAfterConflict',
    ['decidedAgain', 'kept'],
    'foreground-waits-for-blockers',
  ),
  use(
    'deleting-without-grace-period',
    'removeOnEmptyFinalizers',
    ['deletionTimestamp', 'gracePeriodZero'],
    'every-deletion-finishes',
  ),
  use(
    'namespace-with-ended-pod',
    'deleteCollectionOptions',
    ['copied', 'shared'],
    'pod-grace-period-honored',
  ),
  use(
    'versioned-delete-strips-orphan',
    'deletePreconditionAfterUpdate',
    ['original', 'updated'],
    'delete-never-conflicts-with-itself',
  ),
  use(
    'namespace-held-contents',
    'namespaceContentPolicy',
    ['background', 'none'],
    'propagation-policy-honored',
  ),
  use(
    'definition-in-two-namespaces',
    'terminatingDefinition',
    ['rejectsCreates', 'rejectsWrites'],
    'every-deletion-finishes',
  ),
  use(
    'restored-with-collector-finalizer',
    'finalizerOwnerUid',
    ['compared', 'ignored'],
    'outcome: the second one loses its finalizer',
    'violated',
  ),
];

/** What the scenarios use, as `encodedEntries` counts it. */
export function usesOfSecondUses(): readonly Use[] {
  return SECOND_USES.map(({ scenario, rule, values, property }) => ({
    of: scenario,
    violated: [property],
    rules: values.map((value) => `${rule}=${value}`),
  }));
}
