import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { usedNames } from '../observed/uses.ts';
import { type Evidence, type Held, isReached } from './evidence.ts';

const APPLICATION = 'Application.argoproj.io';

/** What an Application deletes only once a person agrees, and nobody has; null: nothing. */
export function unconfirmedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { observations, trackedBy } = evidence;
  for (const object of objects) {
    const isMeant = known?.project === 'Argo CD' && object.kind === APPLICATION;
    if (!isMeant || !isReached(object, evidence)) continue;
    const marks = observations.get(keyOf(object))?.marks ?? [];
    if (marks.some(({ mark }) => mark === 'agreed')) continue;
    const asking = [object, ...trackedBy(object)].flatMap((one) =>
      (observations.get(keyOf(one))?.marks ?? []).flatMap((mark) =>
        mark.mark === 'asksFor' && mark.of === (one === object ? 'tracked' : 'itself')
          ? [{ one, by: mark.by }]
          : [],
      ),
    );
    const [first] = asking;
    if (first === undefined) continue;
    const why = `Argo CD deletes nothing of ${displayName(object)} until a person confirms it, once it is being deleted (${displayName(first.one)}: ${first.by})`;
    return { by: 'unconfirmed', objects: [object], why };
  }
  return null;
}

/** An Application whose project is not there, or may go first: Argo CD cannot finalize it (`getAppProj`). */
export function projectDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations } = evidence;
  const projects = dump.filter(({ kind }) => kind === 'AppProject.argoproj.io');
  const [other] = projects;
  if (known?.project !== 'Argo CD' || other === undefined) return null;
  for (const object of objects) {
    if (object.kind !== APPLICATION || !isReached(object, evidence)) continue;
    const [name = ''] = usedNames(observations.get(keyOf(object))?.marks, 'AppProject');
    if (name === '') continue;
    const found = projects.filter((project) => project.name === name);
    // With a finalizer, a project waits for its Applications.
    if (found.some((one) => !isReached(one, evidence) || one.finalizers.length > 0)) continue;
    const lack = found.length === 0 ? 'which the dump lacks' : 'which may go first';
    const why = `Argo CD finalizes ${displayName(object)} only while AppProject/${name} is there, ${lack}`;
    const { namespace } = found[0] ?? other;
    return { by: 'lacking', objects: [object], why, lacks: { name, namespace } };
  }
  return null;
}
