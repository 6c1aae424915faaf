import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKindIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import { usedNames } from '../observed/uses.ts';
import { type Evidence, firstHeld, type Held, isReached, lackedIn } from './evidence.ts';

const APPLICATION = 'Application.argoproj.io';

/** What an Application deletes only once a person agrees, and nobody has; null: nothing. */
export function unconfirmedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { observations, trackedBy } = evidence;
  if (known?.project !== 'Argo CD') return null;
  return firstHeld('unconfirmed', objects, evidence, (object) => {
    const marks = marksOn(observations, object);
    if (object.kind !== APPLICATION || marks.some(({ mark }) => mark === 'agreed')) return null;
    const asking = [object, ...trackedBy(object)].flatMap((one) =>
      marksOn(observations, one).flatMap((mark) =>
        mark.mark === 'asksFor' && mark.of === (one === object ? 'tracked' : 'itself')
          ? [{ one, by: mark.by }]
          : [],
      ),
    );
    const [first] = asking;
    return first === undefined
      ? null
      : `Argo CD deletes nothing of ${displayName(object)} until a person confirms it, once it is being deleted (${displayName(first.one)}: ${first.by})`;
  });
}

/**
 * Hooks that have to succeed first, which a person has written; null: the finalizer waits for none.
 */
export function hookDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { observations, trackedBy } = evidence;
  const hooks = known?.hooks;
  const object = objects.find((one) => isReached(one, evidence));
  if (hooks === undefined || object === undefined) return null;
  const made = trackedBy(object).flatMap((one) =>
    marksOn(observations, one).flatMap((mark) =>
      mark.mark === 'hook' && mark.hooks === hooks ? [{ one, failed: mark.failed }] : [],
    ),
  );
  const failed = made.find((hook) => hook.failed);
  const why =
    failed === undefined
      ? `the ${hooks} hooks of ${displayName(object)}, which are in its repository, have to succeed first`
      : `the ${hooks} hook ${displayName(failed.one)} has failed, and is deleted and run again until it succeeds`;
  return { by: 'hooks', objects: [object], why };
}

/**
 * An Application whose project is not there, or may go first: Argo CD cannot finalize it
 * (`getAppProj`).
 */
export function projectDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations } = evidence;
  const projects = byKindIn(dump).get('AppProject.argoproj.io') ?? [];
  const [other] = projects;
  if (known?.project !== 'Argo CD' || other === undefined) return null;
  return firstHeld('lacking', objects, evidence, (object) => {
    if (object.kind !== APPLICATION) return null;
    const [name = ''] = usedNames(observations.get(keyOf(object))?.marks, 'AppProject');
    if (name === '') return null;
    const found = projects.filter((project) => project.name === name);
    // With a finalizer, a project waits for its Applications.
    if (found.some((one) => !isReached(one, evidence) || one.finalizers.length > 0)) return null;
    const lack = found.length === 0 ? 'which the dump lacks' : 'which may go first';
    const why = `Argo CD finalizes ${displayName(object)} only while AppProject/${name} is there, ${lack}`;
    const { namespace } = found[0] ?? other;
    const lacks = { kind: 'AppProject', name, namespace };
    return { why, ...lackedIn(evidence, lacks) };
  });
}
