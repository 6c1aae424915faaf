import {
  type ApiObject,
  type CreatedInTeardown,
  dependentsOf,
  describedPlan,
  instancesOf,
  keyOf,
  kindOf,
  nameOf,
  type ObjectKey,
  type Operator,
  type Setup,
} from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { type Controller, defineController, type Manifest } from './define-controller.ts';

/**
 * The controllers that a scenario describes (`environment.controllers`), as controllers in
 * TypeScript: to go on from, or to run them as `clusterModel` runs controllers. There they replace
 * those of the same name.
 *
 * @throws InputError if a controller creates an object with an owner other than its own object.
 */
export function controllersIn(setup: Setup): readonly Controller[] {
  return (setup.operators ?? []).map((operator) => controllerOf(setup, operator));
}

function controllerOf(setup: Setup, operator: Operator): Controller {
  const { name, parent, finalizer, childFinalizer, reads, fairness } = operator;
  const { creates, createsInTeardown = [], adopts = [] } = operator;
  const templates = [...creates, ...createsInTeardown];
  for (const template of templates) demandOwner(operator, template);
  const dependents = dependentsOf(setup, operator);
  const keys = [parent.key, ...keysOf(operator), ...dependents, ...templates.map(keyOf)];
  return defineController<CreatedInTeardown>({
    name,
    for: kindOf(parent.key),
    informers: [...new Set(keys.map(kindOf))],
    reads,
    finalizers: [finalizer ?? [], childFinalizer ?? []].flat(),
    creates: [...new Map(templates.map((object) => [keyOf(object), object])).values()].map(
      (object) => manifestOf(setup, object),
    ),
    ...(fairness === 'none' ? { mayStop: true } : {}),
    ...(adopts.length === 0 ? {} : { owners: [kindOf(parent.key)] }),
    memory: [],
    plan: describedPlan(operator, {
      dependents,
      keepsFinalizer: finalizer !== undefined && setup.finalizers[finalizer] === 'stuck',
      checksOwner: setup.rules.adoptionOwnerCheck === 'live',
      namesOwner: true,
      possible: new Set(instancesOf(setup).keys),
    }),
  });
}

/** Every object that its description names. */
function keysOf({ deletes, waitsFor, needs = [], adopts = [] }: Operator): readonly ObjectKey[] {
  const awaited = waitsFor.flatMap((what) => (what === 'dependents' ? [] : [what]));
  return [...deletes.map(({ key }) => key), ...awaited, ...needs, ...adopts];
}

function demandOwner({ name, parent }: Operator, object: ApiObject): void {
  const other = object.ownerReferences.find(({ uid }) => uid !== parent.uid);
  if (other === undefined) return;
  throw new InputError({
    what: `${name} creates ${nameOf(keyOf(object))} with the owner ${other.kind}/${other.name}`,
    expected: 'no owner, or the object that the controller watches',
  });
}

function manifestOf({ kinds }: Setup, object: ApiObject): Manifest {
  const kind = kinds[object.kind];
  const { name, namespace, finalizers } = object;
  return {
    apiVersion: kind?.apiVersions[0] ?? '',
    kind: kind?.kind ?? object.kind,
    metadata: { name, ...(namespace === '' ? {} : { namespace }), finalizers },
  };
}
