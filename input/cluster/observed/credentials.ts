import * as z from 'zod';
import { isMapping, valueAt } from '../../documents/shape.ts';

/** A Secret or ServiceAccount that a configuration names. */
export interface Credential {
  readonly kind: 'Secret' | 'ServiceAccount';
  /** Null: not said. */
  readonly namespace: string | null;
  readonly name: string;
}

/**
 * Those at any depth of a configuration. Each provider has fields of its own, and all of them name
 * a Secret with a key (`SecretKeySelector`), or in a field that ends with `secretRef`.
 */
export function credentialsIn(value: unknown, field = ''): readonly Credential[] {
  if (Array.isArray(value)) return value.flatMap((one) => credentialsIn(one, field));
  if (!isMapping(value)) return [];
  const { name, key, namespace, type } = value;
  const isSecret = typeof key === 'string' || /secretRef$/i.test(field);
  const kind = /serviceAccountRef$/i.test(field) ? 'ServiceAccount' : isSecret ? 'Secret' : null;
  const own: readonly Credential[] =
    typeof name === 'string' && name !== '' && kind !== null && type !== 'ConfigMap'
      ? [{ kind, namespace: typeof namespace === 'string' ? namespace || null : null, name }]
      : [];
  return [...own, ...Object.entries(value).flatMap(([at, one]) => credentialsIn(one, at))];
}

/** The only type of Secrets that the controllers of tokens look at. */
const TOKEN = 'kubernetes.io/service-account-token';

/** The account of a token, and its uid; null: the Secret is none. */
export function tokenOf(manifest: unknown): {
  readonly account: string;
  readonly uid: string;
  /** Metadata alone say no type: it is one if its type is that of tokens. */
  readonly perhaps: boolean;
} | null {
  const [account, uid] = ['name', 'uid'].map((field) =>
    valueAt(manifest, ['metadata', 'annotations', `kubernetes.io/service-account.${field}`]),
  );
  const type = valueAt(manifest, ['type']);
  if (typeof account !== 'string' || (type ?? TOKEN) !== TOKEN) return null;
  // The controller writes the uid of the account, and a person need not.
  const perhaps = type === undefined && typeof uid !== 'string';
  return { account, uid: typeof uid === 'string' ? uid : '', perhaps };
}

/** What a rule of a role lets its accounts change; `*` stands for all. */
export interface Writes {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  /** Only objects of some names. */
  readonly isOfSome?: true;
}

const CHANGING: readonly string[] = ['update', 'patch', '*'];

/** What a role lets its accounts change; null: the dump lacks its rules. */
export function writesOf(manifest: unknown): readonly Writes[] | null {
  const rules = valueAt(manifest, ['rules']);
  if (rules === undefined) return null;
  return (Array.isArray(rules) ? rules : []).flatMap((rule: unknown): readonly Writes[] => {
    if (!textsAt(rule, 'verbs').some((verb) => CHANGING.includes(verb))) return [];
    const isOfSome = textsAt(rule, 'resourceNames').length > 0;
    return [
      {
        ...{ groups: textsAt(rule, 'apiGroups'), resources: textsAt(rule, 'resources') },
        ...(isOfSome ? { isOfSome } : {}),
      },
    ];
  });
}

function textsAt(value: unknown, field: string): readonly string[] {
  const found = valueAt(value, [field]);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

const text = z.string();

const bindingSchema = z.looseObject({
  subjects: z
    .array(z.looseObject({ kind: text, namespace: text.default(''), name: text }))
    .catch([])
    .default([]),
});

/** The accounts that a binding names, as `namespace/name`, and the groups. */
export function subjectsOf(manifest: unknown): {
  readonly accounts: readonly string[];
  readonly groups: readonly string[];
} {
  const subjects = bindingSchema.safeParse(manifest).data?.subjects ?? [];
  return {
    accounts: subjects.flatMap(({ kind, namespace, name }) =>
      kind === 'ServiceAccount' ? [`${namespace}/${name}`] : [],
    ),
    groups: subjects.flatMap(({ kind, name }) => (kind === 'Group' ? [name] : [])),
  };
}
