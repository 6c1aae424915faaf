import {
  type ApiObject,
  type Cluster,
  equalJson,
  formatKey,
  keyOf,
  kindOf,
  type ObjectKey,
  possibleObjects,
  type Setup,
  splitKey,
} from '../model/index.ts';
import { endFrom, goodDay } from './ends.ts';
import { EXPORT_ERRORS } from './errors.ts';
import { definitionOf, targetOf } from './objects.ts';
import type { SourceRun } from './source.ts';
import type { Expectation } from './test-case.ts';

/** Properties that say of their object that it goes. */
const GOES: readonly string[] = [
  'every-deletion-finishes',
  'no-stuck-finalizer',
  'nothing-stuck',
  'cascade-completes',
  'rootless-objects-go',
  'created-objects-go',
  'foreground-cycles-broken',
];

/** Properties that a removal breaks, after which the object should be there. */
const STAYS: readonly string[] = [
  'live-owner-protects-dependent',
  'unowned-never-collected',
  'orphans-survive',
  'right-object-deleted',
];

/**
 * What the end must be, so that the property can be true: first what the property itself says of
 * its object, and otherwise what the same requests end with on a good day. Throws `InputError` if
 * the end of the run is no other than that.
 */
export function expectedOf(run: SourceRun): readonly Expectation[] {
  const { setup, states, property } = run;
  const last = states.at(-1);
  if (last === undefined) throw new Error('a run has a state');
  const end = visible(setup, endFrom(setup, last, run.look));
  const said = ofProperty(run, end);
  if (said.length > 0) return said;
  const requests = run.actions.filter(({ name }) => name === 'request');
  const good = visible(setup, goodDay(setup, requests, run.look));
  const found = differences(run, good, end);
  if (found.length === 0) throw EXPORT_ERRORS.notShown(property?.name ?? 'nothing');
  return found;
}

/** What a client can read: no object of a kind whose definition is gone. */
function visible(setup: Setup, state: Cluster): Cluster {
  const { definitions = [] } = setup;
  const isServed = (key: ObjectKey): boolean => {
    const kind = setup.kinds[kindOf(key)];
    const definition = definitions.find(
      (each) => kind !== undefined && splitKey(each)[2] === definitionOf(kind),
    );
    return definition === undefined || state.store[definition] !== undefined;
  };
  const store = Object.entries(state.store).filter(([key]) => isServed(key));
  return { ...state, store: Object.fromEntries(store) };
}

/** What the property says of the objects that its clause is about, where the run ends otherwise. */
function ofProperty(run: SourceRun, end: Cluster): readonly Expectation[] {
  const id = run.property?.id?.split(' ')[0] ?? '';
  if (GOES.includes(id)) {
    const meant = keysMeant(run);
    const keys = meant.length > 0 ? meant : deleting(end);
    return keys.flatMap((key) => (end.store[key] === undefined ? [] : [gone(run, key)]));
  }
  if (!STAYS.includes(id)) return [];
  // The last step is the one that breaks a property of steps.
  const [before, after] = run.states.slice(-2);
  const taken = Object.values(before?.store ?? {}).filter(
    (object) => after !== undefined && after.store[keyOf(object)]?.uid !== object.uid,
  );
  return taken.flatMap((object) => {
    if (end.store[keyOf(object)]?.uid === object.uid) return [];
    return [there(run, object, { onlyThere: true })];
  });
}

function deleting({ store }: Cluster): readonly ObjectKey[] {
  return Object.keys(store).filter((key) => store[key]?.deletionTimestamp !== null);
}

/** The objects that the parameters of the property name. */
function keysMeant({ parameters, setup }: SourceRun): readonly ObjectKey[] {
  const values = Object.values(parameters).map(String);
  const meant = possibleObjects(setup).filter(
    (object) => values.includes(object.uid) || values.includes(keyOf(object)),
  );
  return [...new Set(meant.map(keyOf))];
}

function gone({ setup }: SourceRun, key: ObjectKey): Expectation {
  return {
    target: targetOf(setup, key),
    words: `${formatKey(key)} must be gone`,
    end: { is: 'gone' },
  };
}

function there(
  { setup }: SourceRun,
  object: ApiObject,
  { onlyThere }: { readonly onlyThere: boolean },
): Expectation {
  const { uid, finalizers, ownerReferences, deletionTimestamp } = object;
  const key = keyOf(object);
  const owners = ownerReferences.map((reference) => reference.uid);
  return {
    target: targetOf(setup, key),
    words: onlyThere
      ? `${formatKey(key)} must still be there`
      : `${formatKey(key)} must be as on a good day`,
    end: {
      is: 'there',
      uid,
      finalizers: onlyThere ? null : finalizers,
      owners: onlyThere ? null : owners,
      deleting: onlyThere ? null : deletionTimestamp !== null,
    },
  };
}

function differences(run: SourceRun, good: Cluster, end: Cluster): readonly Expectation[] {
  const keys = new Set([...Object.keys(good.store), ...Object.keys(end.store)]);
  return [...keys].flatMap((key) => {
    const [wanted, found] = [good.store[key], end.store[key]];
    if (wanted === undefined) return found === undefined ? [] : [gone(run, key)];
    if (found?.uid !== wanted.uid) return [there(run, wanted, { onlyThere: true })];
    return equalJson(visibleIn(wanted), visibleIn(found))
      ? []
      : [there(run, wanted, { onlyThere: false })];
  });
}

function visibleIn({ finalizers, ownerReferences, deletionTimestamp }: ApiObject) {
  return { finalizers, ownerReferences, deleting: deletionTimestamp !== null };
}
