import type { ApiObject } from '../../../model/index.ts';
import { possibleResources } from '../../manifests/object-words.ts';
import { type Asking, type KnownLabels, namespaceLabels, objectLabels } from './asked.ts';
import type { Matching, Requirement } from './observed.ts';

/**
 * Finds what webhooks and policies may be asked about by what their rules and selectors name. So
 * each of them is compared with few objects, although there can be thousands of both.
 */
export class MeantIndex<Thing> {
  readonly #things: readonly Thing[];
  readonly #byResource = new Map<string, number[]>();
  readonly #objects: LabelIndex;
  readonly #namespaces: LabelIndex;
  /** The things of each namespace, in the order of `#namespaces`. */
  readonly #contents: readonly (readonly number[])[];
  /** The things that namespace selectors say nothing of. */
  readonly #outside: number[] = [];

  /** @param about the object that a request for this thing is about. */
  constructor(things: readonly Thing[], about: (thing: Thing) => ApiObject, asking: Asking) {
    this.#things = things;
    const namespaces = new Map<
      string,
      { readonly known: KnownLabels; readonly places: number[] }
    >();
    for (const [place, thing] of things.entries()) {
      const object = about(thing);
      const kind = asking.table[object.kind];
      for (const resource of kind === undefined ? [] : possibleResources(kind)) {
        push(this.#byResource, resource, place);
      }
      if (kind?.storage !== 'namespace' && object.namespace === '') {
        this.#outside.push(place);
        continue;
      }
      const name = object.namespace === '' ? object.name : object.namespace;
      const found = namespaces.get(name);
      if (found !== undefined) found.places.push(place);
      else namespaces.set(name, { known: namespaceLabels(object, asking), places: [place] });
    }
    this.#objects = new LabelIndex(things.map((thing) => objectLabels(about(thing), asking)));
    this.#namespaces = new LabelIndex([...namespaces.values()].map(({ known }) => known));
    this.#contents = [...namespaces.values()].map(({ places }) => places);
  }

  /**
   * Those that all of these may mean with this verb, in order: `isAskedAbout` says `no` of all
   * others.
   */
  of(all: readonly Matching[], verb: 'DELETE' | 'UPDATE'): readonly Thing[] {
    const least = smallest(all.flatMap((matching) => this.#narrowed(matching, verb)));
    if (least === null) return this.#things;
    const places = [...new Set(least.flat())].sort((one, other) => one - other);
    return places.map((place) => this.#things[place]!);
  }

  #narrowed(matching: Matching, verb: string): readonly Places[] {
    const { rules, objectSelector, namespaceSelector } = matching;
    const resources = new Set(
      rules
        .filter(({ operations }) => operations.includes(verb) || operations.includes('*'))
        .flatMap((rule) => rule.resources.map((resource) => resource.split('/')[0] ?? '')),
    );
    const ruled = resources.has('*')
      ? []
      : [[...resources].map((resource) => this.#byResource.get(resource) ?? [])];
    const labelled = this.#objects.meeting(objectSelector);
    const namespaces = this.#namespaces.meeting(namespaceSelector);
    const within = namespaces?.flat().map((place) => this.#contents[place] ?? []);
    return [
      ...ruled,
      ...(labelled === null ? [] : [labelled]),
      ...(within === undefined ? [] : [[...within, this.#outside]]),
    ];
  }
}

/** Lists of places, all of which count. Most are never put together, as others are shorter. */
type Places = readonly (readonly number[])[];

/** Places by their value of a label. */
interface ByValue {
  readonly values: ReadonlyMap<string, readonly number[]>;
  readonly absent: readonly number[];
  /** The dump may lack the label. */
  readonly unknown: readonly number[];
}

/** Labels by the keys that selectors name. */
class LabelIndex {
  readonly #known: readonly KnownLabels[];
  readonly #keys = new Map<string, ByValue>();

  constructor(known: readonly KnownLabels[]) {
    this.#known = known;
  }

  /** Places of all that may meet the requirements, and perhaps others; null: any may. */
  meeting(requirements: readonly Requirement[]): Places | null {
    return smallest(requirements.flatMap((one) => this.#meetingOne(one)));
  }

  #meetingOne({ key, operator, values }: Requirement): readonly Places[] {
    if (operator === 'NotIn') return [];
    const known = this.#keys.get(key) ?? this.#indexed(key);
    this.#keys.set(key, known);
    switch (operator) {
      case 'In': {
        const among = [...new Set(values)].map((value) => known.values.get(value) ?? []);
        return [[...among, known.unknown]];
      }
      case 'Exists':
        return [[...known.values.values(), known.unknown]];
      case 'DoesNotExist':
        return [[known.absent, known.unknown]];
      default:
        throw new Error(`unknown operator ${operator satisfies never}`);
    }
  }

  #indexed(key: string): ByValue {
    const values = new Map<string, number[]>();
    const absent: number[] = [];
    const unknown: number[] = [];
    for (const [place, { labels, complete }] of this.#known.entries()) {
      if (Object.hasOwn(labels, key)) push(values, labels[key] ?? '', place);
      else (complete ? absent : unknown).push(place);
    }
    return { values, absent, unknown };
  }
}

function push(lists: Map<string, number[]>, key: string, place: number): void {
  const found = lists.get(key);
  if (found === undefined) lists.set(key, [place]);
  else found.push(place);
}

function smallest(all: readonly Places[]): Places | null {
  const sized = all.map((lists) => {
    return { lists, size: lists.reduce((sum, { length }) => sum + length, 0) };
  });
  return sized.sort((one, other) => one.size - other.size)[0]?.lists ?? null;
}
