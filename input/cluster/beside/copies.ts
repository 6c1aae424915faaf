import { type ApiObject, keyOf } from '../../../model/index.ts';
import { groupedBy, someNames } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { byKindIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** What tools take off copies that stay, and out of DNS, without a finalizer. */
export function copiesIn(given: BesidesGiven): readonly Besides[] {
  return [...emptiedIn(given), ...unpublishedIn(given)];
}

/** `PatchDeleteDependent` of kubernetes-replicator. */
function emptiedIn({ all, kept, goes, observations }: BesidesGiven): readonly Besides[] {
  const pulled = all.flatMap((copy) => {
    const marks = goes(copy) ? [] : marksOn(observations, copy);
    const mark = marks.find((one) => one.mark === 'emptiedWith');
    return mark?.mark === 'emptiedWith'
      ? [{ copy, of: `${copy.kind} ${mark.namespace}/${mark.name}` }]
      : [];
  });
  if (pulled.length === 0) return [];
  const byOrigin = groupedBy(pulled, ({ of }) => of);
  return kept.filter(goes).flatMap((origin): readonly Besides[] => {
    const copies = byOrigin.get(`${origin.kind} ${origin.namespace}/${origin.name}`) ?? [];
    if (copies.length === 0) return [];
    const names = someNames(copies.map(({ copy }) => displayName(copy)));
    const [is, has] = copies.length === 1 ? ['a copy', 'stays'] : ['copies', 'stay'];
    const what = `${names}, ${is} of ${displayName(origin)}, ${has}, and kubernetes-replicator, if it runs, takes the data off`;
    return [{ object: keyOf(origin), what }];
  });
}

/** The kinds that external-dns reads if nobody says otherwise, or that are its own. */
const PUBLISHED: readonly string[] = ['Ingress.networking.k8s.io'];

function unpublishedIn({ all, kept, goes, observations }: BesidesGiven): readonly Besides[] {
  const runs = ['Deployment.apps', 'Pod'].some((kind) =>
    (byKindIn(all).get(kind) ?? []).some(({ name }) => /(^|-)external-dns(-|$)/.test(name)),
  );
  const isPublished = (object: ApiObject): boolean =>
    marksOn(observations, object).some(({ mark }) => mark === 'publishes') ||
    (runs && PUBLISHED.includes(object.kind));
  const going = kept.filter((object) => goes(object) && isPublished(object));
  const [first] = going;
  if (first === undefined) return [];
  const what = `external-dns, if it runs, deletes the DNS records of ${someNames(going.map(displayName))}, unless its policy is upsert-only`;
  return [{ object: keyOf(first), what }];
}
