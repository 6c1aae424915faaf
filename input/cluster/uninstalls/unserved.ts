import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides, BesidesGiven } from '../beside/besides.ts';
import type { Evidence } from '../doubts/evidence.ts';
import { definitionName } from '../links.ts';
import { unservedIn } from '../webhooks/backends.ts';

/** What stays and asks a server that goes: the API server then refuses what it is about. */
export function unansweredIn(
  { all, goes, observations, kinds }: BesidesGiven,
  { labels }: Pick<Evidence, 'labels'>,
): readonly Besides[] {
  const unserved = unservedIn({ all, labels, goes, observations, comesBack: new Set() });
  if (unserved.size === 0) return [];
  const defined = new Set(all.map(({ kind }) => definitionName(kinds[kind])));
  return all.flatMap((object): readonly Besides[] => {
    if (goes(object)) return [];
    const lost = lostBy(object);
    const gone = lost && unserved.get(lost.service);
    if (!lost || !gone) return [];
    const what = `${displayName(object)} stays, and ${gone.why}: ${lost.effect}; ${lost.remedy}`;
    const loses = `${displayName(object)} stays without its server, so that ${lost.effect}`;
    return [{ object: keyOf(object), what, strands: true, loses }];
  });

  function lostBy(object: ApiObject): Lost | null {
    const observed = observations.get(keyOf(object));
    const remedy = 'delete it as well';
    if (observed?.of === 'webhooks') {
      const found = observed.webhooks.find(
        ({ refuses, service, rules }) => refuses && unserved.has(service) && rules.length > 0,
      );
      if (found === undefined) return null;
      const effect = `the API server refuses what ${found.name} has to admit`;
      return { service: found.service, effect, remedy };
    }
    if (observed?.of === 'APIService' && observed.unavailable === null) {
      const effect = `no namespace that is deleted ends, as ${observed.groupVersion} does not answer`;
      return { service: observed.service, effect, remedy };
    }
    if (observed?.of !== 'CustomResourceDefinition' || observed.conversion === null) return null;
    if (!defined.has(object.name)) return null;
    const effect = 'its instances can no longer be converted, nor deleted where that needs it';
    return { service: observed.conversion.service, effect, remedy: 'delete its instances first' };
  }
}

interface Lost {
  /** `namespace/name` */
  readonly service: string;
  readonly effect: string;
  readonly remedy: string;
}
