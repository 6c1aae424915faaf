import { z } from 'zod';
import {
  type ApiObject,
  type NamespaceUpdate,
  prepareNamespace,
  prepareNamespaceUpdate,
  type Rules,
  validateMetadata,
  validateMetadataUpdate,
  validateNamespaceUpdate,
} from '../../../model/index.ts';
import { compare, type Difference } from '../collector/compare-state.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { failed, PASSED } from '../outcome.ts';
import { namespaceGiven, namespaceOf, shownNamespace, statedNamespace } from './shapes.ts';

/** `namespace-strategy`: what the strategies of the namespace storage make of an object. */

/** The strategies hand a resourceVersion on as it came. */
const versioned = namespaceGiven.extend({ resourceVersion: z.string().optional() });

const stated = statedNamespace
  .extend({ accepted: z.boolean().optional(), resourceVersion: z.string().optional() })
  .optional();
const update = { old: versioned, new: versioned, stated };

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('prepareCreate'), new: versioned, stated }),
  z.strictObject({ do: z.literal('prepareUpdate'), ...update }),
  z.strictObject({ do: z.literal('prepareStatusUpdate'), ...update }),
  z.strictObject({ do: z.literal('prepareFinalizeUpdate'), ...update }),
]);

type Step = z.infer<typeof step>;

const PARTS: Readonly<Record<Exclude<Step['do'], 'prepareCreate'>, NamespaceUpdate>> = {
  prepareUpdate: 'metadata',
  prepareStatusUpdate: 'status',
  prepareFinalizeUpdate: 'finalize',
};

type VersionedObject = ApiObject & { readonly resourceVersion?: string };

interface Prepared {
  readonly object: VersionedObject;
  readonly accepted: boolean;
}

function versionedNamespace({
  resourceVersion,
  ...given
}: z.infer<typeof versioned>): VersionedObject {
  const namespace = namespaceOf(given);
  return resourceVersion === undefined ? namespace : { ...namespace, resourceVersion };
}

function prepare(rules: Rules, taken: Step): Prepared {
  const given = versionedNamespace(taken.new);
  if (taken.do === 'prepareCreate') {
    const object = prepareNamespace(given);
    return { object, accepted: validateMetadata(object, 'standardOrPrefixed').length === 0 };
  }
  const part = PARTS[taken.do];
  const old = versionedNamespace(taken.old);
  const object = prepareNamespaceUpdate(part, given, old);
  const errors = [
    ...validateMetadata(object, 'standardOrPrefixed'),
    ...validateMetadataUpdate(rules, object, old),
    ...validateNamespaceUpdate(part, object),
  ];
  return { object, accepted: errors.length === 0 };
}

function check(
  expected: NonNullable<Step['stated']>,
  { object, accepted }: Prepared,
): Difference | null {
  const { resourceVersion = null } = object;
  const got = { ...shownNamespace(object), accepted, resourceVersion };
  const differences = Object.entries(expected).map(([field, value]) =>
    value === undefined ? null : compare(field, value, got[field as keyof typeof got]),
  );
  return differences.find((difference) => difference !== null) ?? null;
}

export const interpretNamespaceStrategy: Interpreter = (fact, rules) => {
  const given = parseWith(z.strictObject({}), fact.given, 'given');
  const steps = parseWith(z.array(step), fact.steps, 'steps');
  const expected = parseWith(z.strictObject({}), fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  for (const [index, taken] of steps.value.entries()) {
    const difference =
      taken.stated === undefined ? null : check(taken.stated, prepare(rules, taken));
    if (difference === null) continue;
    const rule = `${difference.field}, decided by namespaceStrategy, model/apiserver/namespace.ts`;
    return failed(index, difference.expected, difference.got, rule);
  }
  return PASSED;
};
