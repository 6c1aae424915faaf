import { remembered } from '../../input/cluster/lookups.ts';
import type { Explanation } from '../../input/manifests/explanation.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import { type ApiObject, isBeingDeleted, keyOf } from '../../model/index.ts';
import type { Wait } from '../../report/document/answer.ts';
import { apiOptions, nodeOptions } from './remedies/machines.ts';
import {
  dependentOptions,
  finalizerOptions,
  removalOptions,
  userOptions,
} from './remedies/objects.ts';
import type { Blocker, Given, Hanging, Option } from './remedies/option.ts';

/** The blockers behind these waits, in the order in which to mend them. */
export function blockersOf(
  hanging: readonly Hanging[],
  plan: Plan,
  explanation: Explanation,
): readonly Blocker[] {
  const found = new Map<string, Blocker>();
  const byName = byNameIn(plan.setup.objects);
  const given: Given = { plan, explanation, hanging };
  for (const { object, waits } of hanging) {
    for (const wait of waits) {
      const other = byName.get(wait.what);
      const name = nameOf(wait, object, other);
      if (name === null || found.has(name)) continue;
      found.set(name, { name, options: optionsFor(wait, object, other, given) });
    }
  }
  return [...found.values()].sort((a, b) => rank(a) - rank(b));
}

/** What tells the reasons why an object hangs from others, without ways to remove them. */
export function reasonsWhy({ object, waits }: Hanging, { setup }: Plan): readonly string[] {
  const byName = byNameIn(setup.objects);
  return waits.flatMap((wait) => nameOf(wait, object, byName.get(wait.what)) ?? []);
}

const byNameIn = remembered(
  (objects: readonly ApiObject[]) =>
    new Map(objects.map((object) => [displayName(object), object])),
);

const RANKS = ['api', 'kubelet', 'removal', 'finalizer', 'users', 'dependent'];

function rank({ name }: Blocker): number {
  return RANKS.indexOf(name.split(' ')[0] ?? '');
}

/** Null: something else explains it. */
function nameOf(wait: Wait, object: ApiObject, other: ApiObject | undefined): string | null {
  switch (wait.for) {
    case 'api':
    case 'kubelet':
    case 'finalizer':
      return `${wait.for} ${wait.what}`;
    case 'removal':
      return `${wait.for} ${keyOf(object)}`;
    case 'users':
    case 'dependent':
      if (other === undefined || isBeingDeleted(other)) return null;
      return `${wait.for} ${keyOf(other)} ${keyOf(object)}`;
    case 'tracked':
    case 'contents':
    case 'instances':
    case 'nothing':
      return null;
    default:
      throw new Error(`unknown wait ${wait.for satisfies never}`);
  }
}

function optionsFor(
  wait: Wait,
  object: ApiObject,
  other: ApiObject | undefined,
  given: Given,
): readonly Option[] {
  switch (wait.for) {
    case 'api':
      return apiOptions(wait.what, object, given);
    case 'kubelet':
      return nodeOptions(wait.what, given);
    case 'finalizer':
      return finalizerOptions(wait.what, given);
    case 'removal':
      return removalOptions(object, given);
    case 'users':
      return other === undefined ? [] : userOptions(other, given);
    case 'dependent':
      return other === undefined ? [] : dependentOptions(other, object, given);
    default:
      return [];
  }
}
