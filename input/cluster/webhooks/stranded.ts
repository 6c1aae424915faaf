import { type ApiObject, type KindTable, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides } from '../beside/besides.ts';
import { definitionName } from '../links.ts';
import type { Observation } from '../observations.ts';
import type { Unserved } from './backends.ts';

interface Given {
  readonly all: readonly ApiObject[];
  readonly table: KindTable;
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  /** By `namespace/name`: the Services behind which nothing is left. */
  readonly unserved: ReadonlyMap<string, Unserved>;
}

/** Webhooks and APIs that stay although nothing serves them any more. */
export function strandedIn(given: Given): readonly Besides[] {
  const { all, goes, observations, unserved, table } = given;
  if (unserved.size === 0) return [];
  const defined = new Set(all.map(({ kind }) => definitionName(table[kind])));
  return all.flatMap((object): readonly Besides[] => {
    const observed = goes(object) ? undefined : observations.get(keyOf(object));
    const name = displayName(object);
    const loses = (what: string): string => `${name} loses its server, so that ${what}`;
    if (observed?.of === 'webhooks') {
      return observed.webhooks.flatMap((webhook): readonly Besides[] => {
        const found = unserved.get(webhook.service);
        if (found === undefined || !webhook.refuses) return [];
        const what = `the webhook ${webhook.name} of ${name} stays, and ${found.why}: with failurePolicy Fail, the API server then refuses every request that it has to admit; delete its configuration first, if nothing is to answer`;
        const clause = loses('the API server refuses every request that it has to admit');
        return [{ object: keyOf(found.service), what, loses: clause }];
      });
    }
    if (observed?.of === 'APIService') {
      const found = unserved.get(observed.service);
      if (found === undefined) return [];
      const what = `${name} stays, and ${found.why}: its API is then unavailable, and as long as it is, no namespace that is deleted goes; delete it first, if its API is to go`;
      const clause = loses('no namespace that is deleted goes');
      const isNew = observed.unavailable === null;
      return [{ object: keyOf(found.service), what, ...(isNew ? { loses: clause } : {}) }];
    }
    if (observed?.of !== 'CustomResourceDefinition') return [];
    const found = unserved.get(observed.conversion?.service ?? '');
    if (found === undefined) return [];
    const what = `the conversion webhook of ${name} stays, and ${found.why}: nobody can then list, read or delete a ${observed.kind} that has to be converted`;
    const clause = loses(`nobody can delete a ${observed.kind} that has to be converted`);
    const isMet = defined.has(object.name);
    return [{ object: keyOf(found.service), what, ...(isMet ? { loses: clause } : {}) }];
  });
}
