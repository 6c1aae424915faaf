import { type ApiObject, type KindTable, keyOf } from '../../../model/index.ts';
import { groupedByEach, someNames } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides } from '../beside/besides.ts';
import { someone } from '../cel/requests.ts';
import { exceedingAmounts } from '../new-pods/amounts.ts';
import { unplacedPod } from '../new-pods/placing.ts';
import { pluginFaults } from '../new-pods/plugins.ts';
import { makerOf, type NewPod, newPodOf, withLabelsOf } from '../new-pods/template.ts';
import type { Observation } from '../observations.ts';
import { type Asking, isAskedAbout } from './asked.ts';
import type { Unserved } from './backends.ts';
import { type DecisionsGiven, decisionOn } from './decisions.ts';
import { serviceFaults } from './services.ts';

interface Given extends Asking, DecisionsGiven {
  readonly all: readonly ApiObject[];
  readonly labels: Asking['labels'];
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly unserved: ReadonlyMap<string, Unserved>;
}

/**
 * What goes, and no other can be made: a webhook that has to admit it does not answer, a policy or
 * the API server itself refuses it, or a quota is exceeded. Or the other pod finds no node.
 */
export function uncreatedIn(given: Given): readonly Besides[] {
  const going = given.kept.filter(given.goes);
  const makers = going.map((object) => ({ object, maker: makerOf(object, given) }));
  const made = makers.flatMap(({ object, maker }) => (maker === null ? [] : [{ object, maker }]));
  if (made.length === 0) return [];
  const replaced = made.map(({ object }) => object);
  const pods = made.flatMap(({ object, maker }): readonly Replaced[] => {
    const pod = object.kind === 'Pod' ? newPodOf(object, maker, given.stored) : null;
    return pod === null ? [] : [{ object, maker, pod }];
  });
  const byKey = new Map(pods.map(({ object, pod }) => [keyOf(object) as string, pod]));
  return [
    ...unadmittedIn(replaced, given),
    ...deniedIn(replaced, byKey, given),
    ...exceedingIn(replaced, given),
    ...refusedPodsIn(pods, given),
    ...exceedingAmounts(pods, given).flatMap((found) =>
      unmade(found.pods, (what) => `perhaps no ${what}: ${found.why}`),
    ),
    ...pendingIn(pods, given),
  ];
}

/** A pod, what makes another one, and that one. */
interface Replaced {
  readonly object: ApiObject;
  readonly maker: ApiObject;
  readonly pod: NewPod;
}

function refusedPodsIn(pods: readonly Replaced[], given: Given): readonly Besides[] {
  const faults = groupedByEach(
    pods.flatMap(({ object, pod }) =>
      pluginFaults(pod, object.namespace, given).map((why) => ({ object, why })),
    ),
    ({ why }) => [why],
  );
  return [...faults].flatMap(([why, refused]) =>
    unmade(
      refused.map(({ object }) => object),
      (what) => `perhaps no ${what}: ${why}`,
    ),
  );
}

/** A pod that is made and does not run. A DaemonSet makes none for a node that does not do. */
function pendingIn(pods: readonly Replaced[], given: Given): readonly Besides[] {
  const unplaced = pods.flatMap(({ object, maker, pod }) => {
    const why = maker.kind === 'DaemonSet.apps' ? null : unplacedPod(pod, given);
    return why === null ? [] : [{ object, why }];
  });
  return [...groupedByEach(unplaced, ({ why }) => [why])].flatMap(([why, group]) => {
    const [first] = group;
    const names = someNames(group.map(({ object }) => displayName(object)));
    const what = `what is made in the place of ${names} stays pending until a node fits: ${why}`;
    return first === undefined ? [] : [{ object: keyOf(first.object), what }];
  });
}

function unadmittedIn(replaced: readonly ApiObject[], given: Given): readonly Besides[] {
  const { all, goes, observations } = given;
  const down = serviceFaults(given);
  return all.flatMap((configuration): readonly Besides[] => {
    const observed = goes(configuration) ? undefined : observations.get(keyOf(configuration));
    if (observed?.of !== 'webhooks') return [];
    return observed.webhooks.flatMap((webhook): readonly Besides[] => {
      const fault = webhook.refuses && webhook.service !== '' ? down(webhook.service) : null;
      if (fault === null) return [];
      const asked = replaced.filter(
        (one) => isAskedAbout(webhook, one, ['CREATE'], given) !== 'no',
      );
      const why = `until ${webhook.name} of ${displayName(configuration)} answers, which has to admit it: ${fault}`;
      return unmade(asked, (what) => `no ${what} ${why}`);
    });
  });
}

/** A policy that came after an object refuses one that is like it. */
function deniedIn(
  replaced: readonly ApiObject[],
  pods: ReadonlyMap<string, NewPod>,
  given: Given,
): readonly Besides[] {
  const { all, goes, observations } = given;
  return all.flatMap((one): readonly Besides[] => {
    const binding = goes(one) ? undefined : observations.get(keyOf(one));
    if (binding?.of !== 'admission binding') return [];
    const policy = all.find(
      ({ kind, name }) => kind.startsWith('ValidatingAdmissionPolicy.') && name === binding.policy,
    );
    const observed = policy && !goes(policy) ? observations.get(keyOf(policy)) : undefined;
    if (policy === undefined || observed?.of !== 'admission policy') return [];
    const matching = [observed.matching, ...binding.matching];
    const denied = replaced.filter((object) => {
      const pod = pods.get(keyOf(object));
      const own =
        pod === undefined
          ? given
          : { ...given, labels: withLabelsOf(given.labels, object, pod.labels) };
      const how = { operation: 'CREATE', ...(pod && { made: pod.manifest }) } as const;
      return (
        matching.every((each) => isAskedAbout(each, object, ['CREATE'], own) === 'yes') &&
        decisionOn(observed, binding, object, someone(false), given, how).is === 'refuses'
      );
    });
    return unmade(
      denied,
      (what) => `perhaps no ${what}: ${displayName(policy)} refuses one like it`,
    );
  });
}

/** `CheckRequest` of the quota plugin: what is used with the new object has to be allowed. */
function exceedingIn(replaced: readonly ApiObject[], given: Given): readonly Besides[] {
  const { all, goes, observations, table } = given;
  return all.flatMap((quota): readonly Besides[] => {
    const marks = goes(quota) ? undefined : observations.get(keyOf(quota))?.marks;
    const exceeded = (marks ?? []).flatMap((mark) => (mark.mark === 'exceeds' ? [mark] : []));
    const asked = replaced.filter(
      (one) =>
        one.namespace === quota.namespace &&
        exceeded.some(({ resource }) => isCounted(one, resource, table)),
    );
    const used = exceeded.map(({ by }) => by).join(', ');
    const why = `while more is used than ${displayName(quota)} allows: ${used}`;
    return unmade(asked, (what) => `perhaps no ${what} ${why}`);
  });
}

/** What quotas count of a pod; of other kinds, only how many there are. */
const OF_PODS = /^(pods|cpu|memory|ephemeral-storage|(requests|limits|hugepages)[.-].*)$/;

function isCounted({ kind }: ApiObject, resource: string, table: KindTable): boolean {
  const known = table[kind];
  const [group = ''] = (known?.apiVersions[0] ?? '').split('/').slice(0, -1);
  const name = `count/${known?.resource}${group === '' ? '' : `.${group}`}`;
  const isOfPods = kind === 'Pod' && OF_PODS.test(resource) && resource !== 'requests.storage';
  return resource === name || isOfPods;
}

/** @param words `KIND can be made in the place of NAMES`, put into a sentence. */
function unmade(
  objects: readonly ApiObject[],
  words: (what: string) => string,
): readonly Besides[] {
  const [first] = objects;
  if (first === undefined) return [];
  const kinds = new Set(objects.map(({ kind }) => kind.split('.')[0]));
  const [kind = ''] = kinds.size === 1 ? kinds : ['object'];
  const noun = kind === 'Pod' ? 'pod' : kind;
  const what = `${noun} can be made in the place of ${someNames(objects.map(displayName))}`;
  return [{ object: keyOf(first), what: words(what), unmade: objects.map(keyOf) }];
}
