import {
  type Cluster,
  kindOf,
  namespaceClient,
  type ObjectKey,
  objectKey,
  type Setup,
  splitKey,
} from '../../model/index.ts';
import { definedResource } from './definitions.ts';
import type { Resources } from './resources.ts';
import type { View } from './views.ts';

/**
 * The setup after a change of the object under this key: a namespace that is new can be emptied,
 * and a definition that is new adds its kind.
 *
 * @param view of the object; null: it is gone.
 * @param resources that the server offers; a definition changes them.
 */
export function grown(
  setup: Setup,
  state: Cluster,
  resources: Resources,
  key: ObjectKey,
  view: View | null,
): Setup {
  switch (setup.kinds[kindOf(key)]?.storage) {
    case 'namespace':
      return view === null ? setup : withNamespace(setup, state, splitKey(key)[2]);
    case 'customResourceDefinition':
      return withDefinition(setup, resources, key, view);
    default:
      return setup;
  }
}

/**
 * Names of namespaces that are gone leave the list on the way, unless the controller knows them.
 */
function withNamespace(setup: Setup, state: Cluster, name: string): Setup {
  const { emptiedNamespaces = [] } = setup;
  if (emptiedNamespaces.includes(name)) return setup;
  const isKnown = (other: string): boolean =>
    state.store[objectKey('Namespace', '', other)] !== undefined ||
    state.controllers[namespaceClient(other)] !== undefined;
  return { ...setup, emptiedNamespaces: [...emptiedNamespaces.filter(isKnown), name] };
}

function withDefinition(
  setup: Setup,
  resources: Resources,
  key: ObjectKey,
  view: View | null,
): Setup {
  const { definitions = [] } = setup;
  if (view === null) {
    const [group, plural] = groupAndPlural(splitKey(key)[2]);
    for (const { kind } of resources.all()) {
      const isDefined = kind.resource === plural && kind.name === `${kind.kind}.${group}`;
      if (isDefined) resources.remove(kind.name);
    }
    return setup;
  }
  const resource = definedResource(view);
  if (resource === null) return setup;
  const { kind } = resource;
  resources.add(resource);
  // A definition that is created again can give its resource another kind.
  const others = Object.entries(setup.kinds).filter(
    ([, other]) => other.resource !== kind.resource || groupOfName(other) !== groupOfName(kind),
  );
  return {
    ...setup,
    kinds: { ...Object.fromEntries(others), [kind.name]: kind },
    definitions: definitions.includes(key) ? definitions : [...definitions, key],
  };
}

function groupAndPlural(name: string): readonly [group: string, plural: string] {
  const dot = name.indexOf('.');
  return [name.slice(dot + 1), name.slice(0, dot)];
}

function groupOfName({ name, kind }: { readonly name: string; readonly kind: string }): string {
  return name.slice(kind.length + 1);
}
