import { type ApiObject, keyOf, objectKey } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKeyIn, byKindIn } from '../lookups.ts';
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
    const chain = of === 'refused' ? (THROUGH.get(known.project) ?? []) : [];
    const further = [...classed, ...marksThrough(object, chain, evidence)];
    const found = [...marks, ...further].find((one) => {
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

/** By the project: the kinds of objects through which an object names what its controller needs. */
const THROUGH: ReadonlyMap<string, readonly string[]> = new Map([
  ['Strimzi', ['Kafka.kafka.strimzi.io']],
  ['Velero', ['Backup.velero.io', 'BackupStorageLocation.velero.io']],
]);

/** The marks of what an object names, through objects of all of these kinds beside it. */
function marksThrough(
  object: ApiObject,
  kinds: readonly string[],
  { dump, observations }: Evidence,
): readonly Mark[] {
  const found = kinds.reduce<readonly ApiObject[]>(
    (users, kind) =>
      users.flatMap((user) =>
        (observations.get(keyOf(user))?.names ?? []).flatMap((named) => {
          const key = objectKey(kind, user.namespace, named.name);
          return kind.startsWith(`${named.kind}.`) ? (byKeyIn(dump).get(key) ?? []) : [];
        }),
      ),
    [object],
  );
  return found.filter((one) => one !== object).flatMap((one) => marksOn(observations, one));
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
