import * as z from 'zod';
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
import { compareFields, failedAt } from '../compare.ts';
import { interpreter, NOTHING_EXPECTED } from '../interpreter.ts';
import { PASSED } from '../outcome.ts';
import { namespaceGiven, namespaceOf, shownNamespace, statedNamespace } from './shapes.ts';

/** The strategies do not change a resourceVersion. */
const versioned = namespaceGiven.extend({ resourceVersion: z.string().optional() });

const stated = statedNamespace
  .extend({ accepted: z.boolean().optional(), resourceVersion: z.string().optional() })
  .optional();
const update = { old: versioned, new: versioned, stated };

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('prepareCreate'), object: versioned, stated }),
  z.strictObject({ do: z.literal('prepareUpdate'), ...update }),
  z.strictObject({ do: z.literal('prepareStatusUpdate'), ...update }),
  z.strictObject({ do: z.literal('prepareFinalize'), ...update }),
]);

type Step = z.infer<typeof step>;

const PARTS: Readonly<Record<Exclude<Step['do'], 'prepareCreate'>, NamespaceUpdate>> = {
  prepareUpdate: 'metadata',
  prepareStatusUpdate: 'status',
  prepareFinalize: 'finalize',
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
  if (taken.do === 'prepareCreate') {
    const object = prepareNamespace(versionedNamespace(taken.object));
    return { object, accepted: validateMetadata(object, 'standardOrPrefixed').length === 0 };
  }
  const part = PARTS[taken.do];
  const old = versionedNamespace(taken.old);
  const object = prepareNamespaceUpdate(part, versionedNamespace(taken.new), old);
  const errors = [
    ...validateMetadata(object, 'standardOrPrefixed'),
    ...validateMetadataUpdate(rules, object, old),
    ...validateNamespaceUpdate(part, object),
  ];
  return { object, accepted: errors.length === 0 };
}

const schemas = { given: z.strictObject({}), steps: z.array(step), expect: NOTHING_EXPECTED };

/** `namespace-strategy`: how the strategies of the namespace storage prepare an object. */
export const interpretNamespaceStrategy = interpreter(schemas, ({ steps, rules }) => {
  for (const [index, taken] of steps.entries()) {
    if (taken.stated === undefined) continue;
    const { object, accepted } = prepare(rules, taken);
    const { resourceVersion = null } = object;
    const got = { ...shownNamespace(object), accepted, resourceVersion };
    const difference = compareFields('', taken.stated, got);
    if (difference === null) continue;
    return failedAt(index, difference, 'namespaceStrategy, model/apiserver/namespace.ts');
  }
  return PASSED;
});
