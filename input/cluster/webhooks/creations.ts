import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { someNames } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides } from '../beside/besides.ts';
import { byUidIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import { type Asking, isAskedAbout } from './asked.ts';
import type { Unserved } from './backends.ts';
import { serviceFaults } from './services.ts';

interface Given extends Asking {
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly unserved: ReadonlyMap<string, Unserved>;
}

/** What makes another pod for one that goes. */
const MAKING: readonly string[] = [
  ...['ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps'],
  ...['ReplicationController', 'Job.batch'],
];

/** Pods that go, and no other can be made: a webhook that has to admit it does not answer. */
export function uncreatedIn(given: Given): readonly Besides[] {
  const { kept, all, goes, observations } = given;
  const pods = kept.filter((object) => goes(object) && isReplaced(object, given));
  const [first] = pods;
  if (first === undefined) return [];
  const down = serviceFaults(given);
  return all.flatMap((configuration): readonly Besides[] => {
    const observed = goes(configuration) ? undefined : observations.get(keyOf(configuration));
    if (observed?.of !== 'webhooks') return [];
    return observed.webhooks.flatMap((webhook): readonly Besides[] => {
      const fault = webhook.refuses && webhook.service !== '' ? down(webhook.service) : null;
      if (fault === null) return [];
      const asked = pods.filter((pod) => isAskedAbout(webhook, pod, ['CREATE'], given) !== 'no');
      if (asked.length === 0) return [];
      const names = someNames(asked.map(displayName));
      const what = `no pod can be made in the place of ${names} until ${webhook.name} of ${displayName(configuration)} answers, which has to admit it: ${fault}`;
      return [{ object: keyOf(asked[0] ?? first), what, unmade: asked.map(keyOf) }];
    });
  });
}

function isReplaced({ pod, ownerReferences }: ApiObject, { all, goes }: Given): boolean {
  if (pod === undefined || pod.finished) return false;
  const controller = ownerReferences.find((reference) => reference.controller === true);
  const parent = controller === undefined ? undefined : byUidIn(all).get(controller.uid);
  return (
    parent !== undefined && MAKING.includes(parent.kind) && !goes(parent) && !isBeingDeleted(parent)
  );
}
