import type { ApiObject, KindTable } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { displayName, groupOf } from '../../manifests/names.ts';
import { possibleResources } from '../../manifests/object-words.ts';
import type { Condition } from '../observations.ts';

const REMAINING = /([\w.-]+) has (\d+) resource instances/g;
const HOLDING = /(\S+) in (\d+) resource instances/g;

/** What a namespace says that it still has, where the dump has fewer of that. */
export function remainingIn(
  namespace: ApiObject,
  conditions: readonly Condition[],
  within: readonly ApiObject[],
  kinds: KindTable,
): readonly { readonly kind: string; readonly why: string; readonly settle: string }[] {
  const messageOf = (of: string): string =>
    conditions.find(({ type, status }) => type === of && status === 'True')?.message ?? '';
  const said = (kind: string, count: string, here: number, settle: string) =>
    here >= Number(count)
      ? []
      : [
          {
            kind,
            why: `${displayName(namespace)} reports ${count} ${kind}, and the dump has ${here}`,
            settle,
          },
        ];
  const contents = [...messageOf('NamespaceContentRemaining').matchAll(REMAINING)].flatMap(
    ([, resource = '', count = '']) => {
      const here = within.filter(({ kind }) => resourcesOf(kind, kinds).includes(resource)).length;
      // Core resources end with a full stop here.
      const name = resource.replace(/\.$/, '');
      const settle = `kubectl get ${shellQuoted(name)} -n ${shellQuoted(namespace.name)} -o yaml`;
      return said(`of ${name}`, count, here, settle);
    },
  );
  const holding = [...messageOf('NamespaceFinalizersRemaining').matchAll(HOLDING)].flatMap(
    ([, finalizer = '', count = '']) => {
      const here = within.filter(({ finalizers }) => finalizers.includes(finalizer)).length;
      return said(`with the finalizer ${finalizer}`, count, here, everythingIn(namespace.name));
    },
  );
  return contents.length > 0 ? contents : holding;
}

function resourcesOf(name: string, kinds: KindTable): readonly string[] {
  const kind = kinds[name];
  const [version = ''] = kind?.apiVersions ?? [];
  const group = `.${groupOf(version) ?? ''}`;
  return (kind === undefined ? [] : possibleResources(kind)).flatMap((one) => [
    `${one}${group}`,
    one,
  ]);
}

/** Lists all that a namespace has. */
export function everythingIn(namespace: string): string {
  const kinds = 'kubectl api-resources --verbs=list --namespaced -o name';
  return `${kinds} | xargs -n 1 kubectl get -n ${shellQuoted(namespace)} --ignore-not-found --show-kind`;
}
