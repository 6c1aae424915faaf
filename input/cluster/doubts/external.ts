import type { ApiObject } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKindIn } from '../lookups.ts';
import { type Mark, marksOn } from '../marks.ts';
import { usedNames } from '../observed/uses.ts';
import { abandonedBy } from './abandoned.ts';
import { type Evidence, type Held, isReached } from './evidence.ts';

/**
 * An object whose controller or provider may refuse to delete what it stands for, as it is
 * protected or not empty; null: none that the dump shows.
 */
export function refusedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  return externalDoubt(known, objects, evidence, 'refused', (name, by) => `${name}: ${by}`);
}

/** One with which its controller fails now, as its conditions say; null: none. */
export function failingDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  return externalDoubt(known, objects, evidence, 'fails', (name, by) => {
    const work = known?.external === true ? 'delete what it stands for' : 'do its work for that';
    return `${name} reports ${by}: ${known?.owner} may fail to ${work}`;
  });
}

function externalDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
  of: 'refused' | 'fails',
  why: (name: string, by: string) => string,
): Held | null {
  if (known === null) return null;
  const whyOf = (object: ApiObject): string | null => {
    const marks = marksOn(evidence.observations, object);
    // What is left there is not asked for.
    const { dump, observations } = evidence;
    if (of === 'refused' && abandonedBy(object, known, dump, observations) !== null) return null;
    const classed = of === 'refused' && known.project === AWS ? classMarks(marks, evidence) : [];
    const found = [...marks, ...classed].find((one) => {
      if (one.mark === 'fails' && one.always !== true && known.external !== true) return false;
      return one.mark === of;
    });
    return found?.mark === of ? why(displayName(object), found.by) : null;
  };
  const held = objects.filter((one) => isReached(one, evidence) && whyOf(one) !== null);
  const [first] = held;
  const says = first === undefined ? null : whyOf(first);
  return says === null ? null : { by: 'refused', objects: held, why: says };
}

const AWS = 'AWS Load Balancer Controller';

/** Those of the parameters of the class of an Ingress. */
function classMarks(marks: readonly Mark[], { dump, observations }: Evidence): readonly Mark[] {
  const marksOf = (kind: string, names: readonly string[]): readonly Mark[] =>
    (byKindIn(dump).get(kind) ?? [])
      .filter(({ name }) => names.includes(name))
      .flatMap((one) => marksOn(observations, one));
  const classes = marksOf('IngressClass.networking.k8s.io', usedNames(marks, 'IngressClass'));
  return marksOf('IngressClassParams.elbv2.k8s.aws', usedNames(classes, 'IngressClassParams'));
}
