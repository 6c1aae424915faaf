import type { ApiObject } from '../../../model/index.ts';
import { scalarText } from '../../documents/document.ts';
import { isMapping, listAt, valueAt } from '../../documents/shape.ts';
import { displayName } from '../../manifests/names.ts';
import { quantityOf } from '../cel/quantity.ts';
import { askedIn, countedBy, type PluginsGiven, standing } from './plugins.ts';
import { type Fields, fieldsAt } from './pod-security.ts';
import type { NewPod } from './template.ts';

/** A pod, and the one that is made in its place. */
interface Replaced {
  readonly object: ApiObject;
  readonly pod: NewPod;
}

/** Pods in whose place no others may be made, and why: a clause. */
export interface Exceeding {
  readonly pods: readonly ApiObject[];
  readonly why: string;
}

/**
 * Quotas that have no room for new pods that ask for more than those before them, whose part comes
 * back (`podUsageHelper` and `CheckRequest` of the quota plugin, 1.34).
 */
export function exceedingAmounts(
  replaced: readonly Replaced[],
  given: PluginsGiven,
): readonly Exceeding[] {
  const places = [...new Set(replaced.map(({ object }) => object.namespace))];
  return places.flatMap((place) => {
    const pods = replaced.filter(({ object }) => object.namespace === place);
    const leaving = given.all.filter(
      (one) => one.kind === 'Pod' && one.namespace === place && given.goes(one),
    );
    const unfinished = leaving.filter(({ pod }) => pod?.finished !== true);
    return standing('ResourceQuota', place, given).flatMap((quota): readonly Exceeding[] => {
      const manifest = given.stored.manifestOf(quota);
      return countedBy(manifest).flatMap((counted): readonly Exceeding[] => {
        const { of, resource } = askedIn(counted) ?? {};
        if (of === undefined || resource === undefined) return [];
        const asked = (spec: unknown): bigint | null => amountOf(spec, of, resource);
        const before = unfinished.map((one) => asked(specOf(one, given)));
        const after = pods.map(({ object, pod }) => asked(filled(pod.spec, specOf(object, given))));
        const [hard, used] = ['hard', 'used'].map((at) => {
          const said = scalarText(valueAt(manifest, ['status', at, counted]));
          return { said, nanos: quantityOf(said)?.nanos ?? null };
        });
        const [most, now, old, own] = [hard?.nanos, used?.nanos, sumOf(before), sumOf(after)];
        if (most == null || now == null || old === null || own === null) return [];
        if (own <= old || now + own - old <= most) return [];
        const why = `${displayName(quota)} allows ${hard?.said} ${counted}, of which ${used?.said} is used, and a new pod asks for more than the one before it`;
        return [{ pods: pods.map(({ object }) => object), why }];
      });
    });
  });
}

function specOf(pod: ApiObject, { stored }: PluginsGiven): Fields {
  return fieldsAt(stored.manifestOf(pod), ['spec']) ?? {};
}

/** What admission has given the old pod, it gives the new one as well. */
function filled(spec: Fields, old: Fields): Fields {
  const fill = (at: string): readonly unknown[] =>
    listAt(spec, [at]).map((one) => {
      const same = listAt(old, [at]).find((other) => nameOf(other) === nameOf(one));
      const resources = Object.fromEntries(
        ['limits', 'requests'].map((of) => [
          of,
          { ...fieldsAt(same, ['resources', of]), ...fieldsAt(one, ['resources', of]) },
        ]),
      );
      return isMapping(one) ? { ...one, resources } : one;
    });
  return { ...spec, containers: fill('containers'), initContainers: fill('initContainers') };
}

function nameOf(container: unknown): unknown {
  return valueAt(container, ['name']);
}

/**
 * What the containers of a pod ask for together, `requests` or `limits`: in nanos; null: not known.
 */
export function amountOf(spec: unknown, of: string, resource: string): bigint | null {
  // Said of the whole pod.
  if (Object.keys(fieldsAt(spec, ['resources']) ?? {}).length > 0) return null;
  const asked = (one: unknown): bigint | null => {
    const limit = valueAt(one, ['resources', 'limits', resource]);
    const said = of === 'limits' ? limit : (valueAt(one, ['resources', of, resource]) ?? limit);
    return said == null ? 0n : (quantityOf(scalarText(said))?.nanos ?? null);
  };
  const initial = listAt(spec, ['initContainers']);
  const isSidecar = (one: unknown): boolean => valueAt(one, ['restartPolicy']) === 'Always';
  // One after the other, each beside the sidecars before it.
  const peaks = initial.map((one, index) =>
    sumOf([...initial.slice(0, index).filter(isSidecar), one].map(asked)),
  );
  const lasting = [...listAt(spec, ['containers']), ...initial.filter(isSidecar)];
  const all = [sumOf(lasting.map(asked)), ...peaks];
  return all.reduce((most, one) => {
    if (most === null || one === null) return null;
    return most > one ? most : one;
  });
}

function sumOf(amounts: readonly (bigint | null)[]): bigint | null {
  return amounts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n);
}
