import { type ApiObject, type KindTable, keyOf, objectKey } from '../../../model/index.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { groupOf } from '../../manifests/names.ts';
import { possibleResources } from '../../manifests/object-words.ts';
import { byKeyIn } from '../lookups.ts';
import type { Matching, Requirement } from './observed.ts';

/** What decides whether a webhook is asked about a request. */
export interface Asking {
  readonly all: readonly ApiObject[];
  readonly table: KindTable;
  /** By store key: the labels of the objects that have some. */
  readonly labels: ReadonlyMap<string, Labels>;
  /** Looks at the limits. */
  readonly look: () => void;
}

/** `perhaps`: the dump lacks what decides it. */
export type Asked = 'yes' | 'perhaps' | 'no';

/**
 * Webhooks are never asked about what configures admission
 * (`IsExemptAdmissionConfigurationResource`).
 */
const EXEMPT_GROUP = 'admissionregistration.k8s.io';

/** The label that every namespace has, with its name (1.21). */
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** How a request is about an object. */
interface Request {
  /** Whether it names the object, and does not mean all in a namespace. Absent: it does. */
  readonly namesObject?: boolean;
  /** Absent or empty: the object itself. */
  readonly subresource?: string;
}

/**
 * Whether the rules and selectors of a webhook or policy mean a request of one of these verbs for
 * this object. Its conditions are another matter.
 */
export function isAskedAbout(
  webhook: Matching,
  object: ApiObject,
  verbs: readonly ('CREATE' | 'DELETE' | 'UPDATE')[],
  asking: Asking,
  { namesObject = true, subresource = '' }: Request = {},
): Asked {
  asking.look();
  const kind = asking.table[object.kind];
  const version = kind?.apiVersions[0] ?? '';
  const group = groupOf(version) ?? '';
  if (group === EXEMPT_GROUP) return 'no';
  const [resource = '', ...otherwise] = kind === undefined ? [] : possibleResources(kind);
  const withSubresource = (name: string): readonly string[] =>
    subresource === '' ? [name, `${name}/*`] : [`${name}/${subresource}`, `${name}/*`];
  const meant = [resource, '*'].flatMap(withSubresource);
  const perhapsMeant = otherwise.flatMap(withSubresource);
  const served = (kind?.apiVersions ?? []).map((one) => one.split('/').at(-1) ?? '');
  const ruledBy = (rules: Matching['rules']): Asked => {
    const found = rules.flatMap(
      ({ groups, versions, resources, operations, scope, names }): Asked[] => {
        const isSure = meant.some((name) => resources.includes(name));
        const isMeant =
          [group, '*'].some((name) => groups.includes(name)) &&
          (isSure || perhapsMeant.some((name) => resources.includes(name))) &&
          scope !== (object.namespace === '' ? 'Namespaced' : 'Cluster') &&
          [...verbs, '*'].some((name) => operations.includes(name)) &&
          (names.length === 0 || (namesObject && names.includes(object.name)));
        if (!isMeant) return [];
        // The dump lacks the definition, and its kind has an unusual plural.
        if (!isSure) return ['perhaps'];
        const isAny = versions.includes('*') || served.every((one) => versions.includes(one));
        if (isAny) return ['yes'];
        // Without versions, the dump lacks them.
        const isSome = versions.length === 0 || served.some((one) => versions.includes(one));
        // `Exact` means no requests through other versions; else, all versions that are served
        // count.
        if (isSome) return [webhook.exact ? 'perhaps' : 'yes'];
        return webhook.exact ? [] : ['perhaps'];
      },
    );
    return found.includes('yes') ? 'yes' : (found[0] ?? 'no');
  };
  const ruled = ruledBy(webhook.rules);
  if (ruled === 'no') return 'no';
  const excluded = NEGATED[ruledBy(webhook.excluded)];
  const selected = [
    ...(kind?.storage === 'namespace' || object.namespace !== ''
      ? [selects(webhook.namespaceSelector, namespaceLabels(object, asking))]
      : []),
    selects(webhook.objectSelector, objectLabels(object, asking)),
  ];
  return allOf([ruled, excluded, ...selected]);
}

const NEGATED = { yes: 'no', perhaps: 'perhaps', no: 'yes' } as const;

/** Labels, and whether there can be others that the dump does not have. */
export interface KnownLabels {
  readonly labels: Labels;
  readonly complete: boolean;
}

/** The labels by which the namespace of an object, or a namespace itself, is selected. */
export function namespaceLabels(object: ApiObject, { all, labels }: Asking): KnownLabels {
  const name = object.namespace === '' ? object.name : object.namespace;
  const namespace = byKeyIn(all).get(objectKey('Namespace', '', name));
  const found = namespace === undefined ? undefined : labels.get(keyOf(namespace));
  // Without the label that all have, the dump was reduced.
  return found?.[NAME_LABEL] === name
    ? { labels: found, complete: true }
    : { labels: { [NAME_LABEL]: name, ...found }, complete: false };
}

export function objectLabels(object: ApiObject, { labels }: Asking): KnownLabels {
  const found = labels.get(keyOf(object));
  // A dump in which something has labels was not reduced.
  return { labels: found ?? {}, complete: found !== undefined || labels.size > 0 };
}

/** Whether these labels, and no others, meet all requirements. */
export function meetsAll(requirements: readonly Requirement[], labels: Labels): boolean {
  return selects(requirements, { labels, complete: true }) === 'yes';
}

function selects(requirements: readonly Requirement[], known: KnownLabels): Asked {
  return allOf(requirements.map((requirement) => meets(requirement, known)));
}

/** Whether all of them are met. */
export function allOf(answers: readonly Asked[]): Asked {
  if (answers.includes('no')) return 'no';
  return answers.includes('perhaps') ? 'perhaps' : 'yes';
}

/** Mirrors `Requirement.Matches` of labels.Selector. */
function meets({ key, operator, values }: Requirement, { labels, complete }: KnownLabels): Asked {
  const isThere = Object.hasOwn(labels, key);
  if (!isThere && !complete) return 'perhaps';
  const isAmong = isThere && values.includes(labels[key] ?? '');
  switch (operator) {
    case 'In':
      return isAmong ? 'yes' : 'no';
    case 'NotIn':
      return isAmong ? 'no' : 'yes';
    case 'Exists':
      return isThere ? 'yes' : 'no';
    case 'DoesNotExist':
      return isThere ? 'no' : 'yes';
    default:
      throw new Error(`unknown operator ${operator satisfies never}`);
  }
}
