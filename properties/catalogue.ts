import type { Property } from '../checker/index.ts';
import type { Cluster, Setup } from '../model/index.ts';

/** The groups of properties. What the users of a cluster care about most comes first. */
export const GROUPS = [
  'objects and finalizers',
  'ownership and cascade',
  'namespaces and definitions',
  'workloads, nodes, storage',
  'clients',
  "the collector's own bookkeeping",
] as const;

export type Group = (typeof GROUPS)[number];

type Kind = Property<Cluster>['kind'];

/** What a property judges, without what the catalogue says about it. */
type Judgement<K extends Kind> = Omit<
  Extract<Property<Cluster>, { kind: K }>,
  'id' | 'name' | 'kind'
>;

interface Description<K extends Kind> {
  /** Names the property in scenarios, suites, locks, links and rule ids. It never changes. */
  readonly id: string;
  readonly group: Group;
  /** A sentence: the title of the property. */
  readonly name: string;
  readonly kind: K;
  /**
   * How to judge it for one object: by the elements of `parameters` with its key or uid, or by the
   * requests for it. Absent: it does not speak of single objects.
   */
  readonly judgesObjects?: 'parameters' | 'requests';
  /** What is judged, and when. */
  readonly about: string;
  /** When the property counts as exercised. */
  readonly trigger: string;
  /** The sentence of a document, or the issue, that motivates the property. */
  readonly source: string;
}

/** A property as the documentation and the reports show it. */
export interface CatalogueEntry extends Description<Kind> {
  /** What the property assumes about the actors. Safety properties assume nothing: `none`. */
  readonly fairness: string;
  /** The property for one setup. */
  build(setup: Setup): Built;
}

type Built = Property<Cluster> & { readonly id: string };

/** What every progress property assumes about the actors. */
export const ACTORS_ARE_FAIR =
  'weak: every watch stream delivers, every worker continues, the API server completes every ' +
  'request that it has begun, cooperative owners remove their finalizers; strong: no queued item ' +
  'is passed over for ever; users and relists are free to act or not';

/** Puts what the catalogue says about a property on the property of each setup. */
export function defineProperty<K extends Kind>(
  given: Description<K> & { build(setup: Setup): Judgement<K> },
): CatalogueEntry {
  const { build, ...description } = given;
  const { id, name, kind } = description;
  return {
    ...description,
    fairness: kind === 'eventually' ? ACTORS_ARE_FAIR : 'none',
    // The compiler cannot see that the judgement belongs to the kind.
    build: (setup) => judgedSometimes({ id, name, kind, ...build(setup) } as unknown as Built),
  };
}

/** A property that has nothing to judge in this setup is vacuous: its trigger is never true. */
export function judgedSometimes(built: Built): Built {
  if (built.parameters === undefined || built.parameters.length > 0) return built;
  const { parameters: _none, ...property } = built;
  switch (property.kind) {
    case 'step':
      return { ...property, actions: [] };
    case 'invariant':
    case 'eventually':
      return { ...property, trigger: () => false };
    case 'settled':
    case 'witness':
      throw new Error(`${property.id} has nothing to judge`);
    default: {
      const never: never = property;
      throw new Error(`unknown property kind ${String(never)}`);
    }
  }
}
