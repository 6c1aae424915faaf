import {
  type Change,
  DEFAULT_PROTOCOL,
  type FinalizerOwner,
  otherSpecFinalizers,
  type Setup,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { SourceDocument } from '../documents/document.ts';
import { rejectPrototypeKeys, shaped } from '../documents/shape.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import { readOwnProperties } from './conditions.ts';
import { readDiscovery } from './discovery.ts';
import { readEarlyDesigns } from './early-designs.ts';
import { readOutcomes } from './ends.ts';
import { readControllers } from './environment.ts';
import { askedProperties, type Expectation, expectationOf } from './expectation.ts';
import { readDenied } from './nodes.ts';
import { readCast } from './objects.ts';
import { readProtocol, withRule } from './protocol.ts';
import { readPrograms } from './requests.ts';
import { SCENARIO_FIELDS, type ScenarioFile, scenarioSchema } from './schema.ts';
import { withLaterVersions } from './versions.ts';

export type { CounterexampleExpectation, Expectation } from './expectation.ts';

export interface Scenario {
  readonly about: string;
  readonly source: string | null;
  readonly protocol: string;
  readonly setup: Setup;
  /** Null: all properties. */
  readonly properties: readonly string[] | null;
  readonly expectation: Expectation;
}

/** Whether a document is a scenario, not a manifest or a list of manifests. */
export function isScenario(document: SourceDocument): boolean {
  const { value } = document;
  if (typeof value !== 'object' || value === null || 'kind' in value) return false;
  return ['objects', 'requests', 'about', 'expect'].some((field) => field in value);
}

/**
 * Reads one scenario file. Features that need certain rules are accepted if the file or
 * `overriding` sets those rules. Throws an `InputError` with file, line and field.
 */
export function readScenario(
  name: string,
  document: SourceDocument,
  kinds: KindCatalogue,
  propertyNames: readonly string[],
  overriding: Readonly<Record<string, string>> = {},
): Scenario {
  const file = shaped(scenarioSchema, document.value, document, [], SCENARIO_FIELDS);
  for (const field of ['rules', 'environment', 'outcomes', 'ownProperties', 'expect'] as const) {
    // The schema drops such keys, so the check reads the raw value.
    const raw = (document.value as Record<string, unknown>)[field];
    rejectPrototypeKeys(raw, document, [field]);
  }
  const cast = readCast(file, document, kinds);
  const users = readPrograms(file, document, cast);
  const protocol = file.protocol ?? DEFAULT_PROTOCOL;
  const controllers = readControllers(file, { document, cast, kinds: kinds.table() });
  const children = [
    ...(controllers.workloads ?? []).flatMap((workload) => workload.children),
    ...(controllers.operators ?? []).flatMap(({ creates, createsInTeardown = [] }) => [
      ...creates,
      ...createsInTeardown,
    ]),
  ];
  const stored = [...cast.objects, ...cast.created.values(), ...children];
  const changes = Object.values(users).flatMap((steps) =>
    steps.flatMap(({ request }) => (request.do === 'update' ? [request.change] : [])),
  );
  const finalizers = new Set([
    ...stored.flatMap(thirdPartyFinalizers),
    ...stored.flatMap(otherSpecFinalizers),
    ...thirdPartyFinalizers({ finalizers: changes.flatMap(addedFinalizers) }),
    ...(controllers.operators ?? []).flatMap(({ finalizer = [], childFinalizer = [] }) =>
      [finalizer, childFinalizer].flat(),
    ),
  ]);
  const references = changes.flatMap((change) =>
    'ownerReferences' in change ? (change.ownerReferences ?? []) : [],
  );
  const environment = file.environment ?? {};
  const rules = rulesOf(file, protocol, document);
  const discovery = readDiscovery(file, {
    document,
    catalogue: kinds,
    rules,
    present: Object.values(kinds.tableOf(stored.map(({ kind }) => kind))),
  });
  const table = {
    ...kinds.tableFor(stored, references),
    ...kinds.tableOf([...(discovery.neverSyncs ?? []), ...(discovery.syncsLate ?? [])]),
  };
  const known = {
    ...{ document, cast, stored, finalizers },
    owners: new Set([
      ...stored.map(({ uid }) => uid),
      ...[...references, ...stored.flatMap((each) => each.ownerReferences)].map(({ uid }) => uid),
    ]),
  };
  const outcomes = readOutcomes(file, known);
  const own = readOwnProperties(file, { ...known, propertyNames });
  const setup: Setup = {
    name,
    kinds: withLaterVersions(table, users),
    rules,
    objects: cast.objects,
    users,
    finalizers: finalizerOwners(environment.finalizers ?? {}, finalizers, document),
    deleteWorkers: environment.deleteWorkers ?? 1,
    orphanWorkers: environment.orphanWorkers ?? 1,
    caches: environment.caches ?? 'synced',
    relists: timesByKind(environment.relists ?? {}, 'relists', stored, kinds, document),
    ...(environment.lostEvents === undefined
      ? {}
      : { lostEvents: lostEvents(environment.lostEvents, file, stored, kinds, document) }),
    ...controllers,
    ...deliveryOf(file, document),
    ...readDenied(file, users, document),
    ...readEarlyDesigns(file, { document, cast, inForce: [rules, overriding], stored }),
    ...discovery,
    ...(file.outcomes === undefined ? {} : { outcomes }),
    ...own,
  };
  const asking = { document, cast, propertyNames, setup };
  const properties = askedProperties(file, asking);
  return {
    about: file.about.trim(),
    source: file.source ?? null,
    protocol,
    setup,
    properties,
    expectation: expectationOf(file, properties, asking),
  };
}

/**
 * Ordered delivery is one stream for all kinds, so no kind can break off or list again on its own.
 */
function deliveryOf(
  { environment = {}, requests }: ScenarioFile,
  document: SourceDocument,
): Pick<Setup, 'orderedDelivery'> {
  if (environment.delivery !== 'ordered') return {};
  const lists = (
    ['relists', 'lostEvents', 'discovery', 'neverSyncs', 'syncsLate', 'notInstalled'] as const
  ).find((field) => environment[field] !== undefined);
  const verb = ['stopControllers', 'startControllers', 'serveVersion'].find((name) =>
    requests.some((request) => name in request),
  );
  const other = lists ?? verb;
  if (other === undefined) return { orderedDelivery: true };
  throw new InputError({
    what: `delivery: ordered cannot be combined with ${other}`,
    where: document.place(['environment', 'delivery']),
    expected: 'nothing that lists a kind again, since lists are per kind',
  });
}

function addedFinalizers(change: Change): readonly string[] {
  if (change.do === 'addFinalizer') return [change.finalizer];
  return 'finalizers' in change ? (change.finalizers ?? []) : [];
}

function rulesOf(file: ScenarioFile, protocol: string, document: SourceDocument): Setup['rules'] {
  let rules = readProtocol(protocol, document.place(['protocol']));
  for (const [rule, value] of Object.entries(file.rules ?? {})) {
    rules = withRule(rules, rule, value, document.place(['rules', rule]));
  }
  return rules;
}

/** The behaviour of the owner of each third-party finalizer; the default is cooperative. */
function finalizerOwners(
  given: Readonly<Record<string, FinalizerOwner>>,
  known: ReadonlySet<string>,
  document: SourceDocument,
): Setup['finalizers'] {
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue;
    const place = document.place(['environment', 'finalizers', name]);
    throw MESSAGES.unknownFinalizer(name, [...known], place);
  }
  return Object.fromEntries([...known].map((name) => [name, given[name] ?? 'cooperative']));
}

/** A kind that is listed in other ways as well has no stream in which an event can be missing. */
function lostEvents(
  given: Readonly<Record<string, number>>,
  { environment = {}, requests }: ScenarioFile,
  stored: Setup['objects'],
  kinds: KindCatalogue,
  document: SourceDocument,
): NonNullable<Setup['lostEvents']> {
  const fields = ['discovery', 'neverSyncs', 'syncsLate', 'notInstalled'] as const;
  const other =
    fields.find((field) => environment[field] !== undefined) ??
    ['stopControllers', 'startControllers', 'serveVersion'].find((name) =>
      requests.some((request) => name in request),
    );
  if (other !== undefined) {
    throw new InputError({
      what: `lostEvents cannot be combined with ${other}`,
      where: document.place(['environment', 'lostEvents']),
      expected: 'watches that begin with the scenario',
    });
  }
  return timesByKind(given, 'lostEvents', stored, kinds, document);
}

function timesByKind(
  given: Readonly<Record<string, number>>,
  field: 'relists' | 'lostEvents',
  stored: Setup['objects'],
  kinds: KindCatalogue,
  document: SourceDocument,
): Setup['relists'] {
  const present = new Set(stored.map((object) => object.kind));
  return Object.fromEntries(
    Object.entries(given).map(([word, times]) => {
      const kind = kinds.named(word).find(({ name }) => present.has(name));
      if (kind !== undefined) return [kind.name, times];
      throw new InputError({
        what: `no object here is a ${word}`,
        where: document.place(['environment', field, word]),
        expected: [...present].join(', '),
      });
    }),
  );
}
