import { LogKinds } from '../../../conformance/recordings/logs/log-kinds.ts';
import type { Recording } from '../../../conformance/recordings/logs/recording-schema.ts';
import {
  type ApiObject,
  DEFAULT_PROTOCOL,
  keyOf,
  type ObjectKey,
  objectKey,
  PROTOCOLS,
  type Rules,
  resolveKind,
  type Setup,
  type Workload,
} from '../../../model/index.ts';
import { typedBody } from './final-states.ts';
import {
  type Fixture,
  fixtureOf,
  kindsOf,
  NAMESPACE,
  NAMESPACE_ID,
  UnknownStep,
} from './fixture.ts';
import { plainStepsOf, programSchema, type Step } from './steps.ts';
import { userProgramsOf } from './user-programs.ts';
import { allChildren, workloadsOf } from './workloads.ts';

/** A recorded scenario as a setup of the model. */

export interface Size {
  readonly deleteWorkers: number;
  readonly orphanWorkers: number;
  /** The number of replacements that each workload may create beyond its replicas. */
  readonly replacements: number;
}

export interface OutcomeSetup {
  readonly setup: Setup;
  /** Uids of objects that controllers may create. */
  readonly generated: ReadonlySet<string>;
}

const CREATING_CONTROLLERS: readonly string[] = ['deploy', 'rsc'];
const KUBELET = 'kubelet';

/**
 * Their steps have what a search for final states cannot express: selectors, and fields that are
 * taken off. The validation of traces explains them.
 */
export const NOT_SEARCHED: readonly string[] = ['w-update-deleting', 'z-deletecollection-fg'];

const POLICIES: readonly unknown[] = ['Background', 'Foreground', 'Orphan'];

/** A dry run, or a policy that does not exist, which the API server refuses (422). */
function changesNothing(step: unknown): boolean {
  if (typeof step !== 'object' || step === null) return false;
  if ('dryRun' in step && step.dryRun === true) return true;
  return 'policy' in step && !POLICIES.includes(step.policy);
}

/** The requests in the recording show which controllers ran. */
export function outcomeSetup(recording: Recording, size: Size): OutcomeSetup {
  const steps = programSchema.parse(recording.steps.filter((step) => !changesNothing(step)));
  const table = tableOf(recording);
  const fixture = fixtureOf(steps, table);
  const actors = new Set(recording.runs.flatMap((run) => run.requests.map(({ actor }) => actor)));
  const creating = CREATING_CONTROLLERS.some((actor) => actors.has(actor));
  const workloads = creating ? workloadsOf(fixture, steps, size.replacements) : [];
  const children = allChildren(workloads);
  const namespaces = plainStepsOf(steps).some((step) => 'id' in step && step.id === NAMESPACE_ID)
    ? [namespaceObject(fixture)]
    : [];
  const users = userProgramsOf(steps, {
    fixture,
    keyOfId: (id) => keyOfId(fixture, workloads, id),
    placesOf: (name) => placesOf(fixture, steps, children, name),
  });
  const created = plainStepsOf(steps).flatMap((step) =>
    step.do === 'create' ? [fixture.createdBy(step)] : [],
  );
  const objects = [...namespaces, ...created, ...children];
  const references = Object.values(users).flatMap((program) =>
    program.flatMap(({ request }) =>
      request.do === 'update' && request.change.do === 'setOwnerReferences'
        ? request.change.ownerReferences
        : [],
    ),
  );
  const finalizers = plainStepsOf(steps).flatMap((step) =>
    'finalizers' in step ? (step.finalizers ?? []) : [],
  );
  const setup: Setup = {
    name: recording.name,
    kinds: kindsOf(table, objects, references),
    rules: rulesOf(recording.kubernetes),
    objects: namespaces,
    users,
    // Only the steps remove finalizers.
    finalizers: Object.fromEntries([...new Set(finalizers)].map((name) => [name, 'stuck'])),
    deleteWorkers: size.deleteWorkers,
    orphanWorkers: size.orphanWorkers,
    caches: 'synced',
    relists: {},
    ...(namespaces.length === 0 ? {} : { emptiedNamespaces: [NAMESPACE] }),
    ...(actors.has(KUBELET) ? { kubelets: true } : {}),
    ...(workloads.length === 0 ? {} : { workloads }),
  };
  return { setup, generated: new Set(children.map(({ uid }) => uid)) };
}

/** The rules of `v1.20` judge `v1.20.2`. */
function rulesOf(version: string): Rules {
  const minor = version.split('.').slice(0, 2).join('.');
  const rules = PROTOCOLS[minor] ?? PROTOCOLS[DEFAULT_PROTOCOL];
  if (rules === undefined) throw new Error(`no rules for ${version}`);
  return rules;
}

/** All built-in kinds, and the custom kinds in the requests. */
function tableOf(recording: Recording): Setup['kinds'] {
  const kinds = new LogKinds();
  for (const { body, resource, namespace } of recording.runs.flatMap((run) => run.requests)) {
    const typed = typedBody.safeParse(body);
    if (!typed.success) continue;
    kinds.learn(typed.data.apiVersion, typed.data.kind, resource, Boolean(namespace));
  }
  return kinds.table();
}

function namespaceObject(fixture: Fixture): ApiObject {
  const kind = resolveKind(fixture.kinds, 'v1', 'Namespace');
  if (kind === null) throw new UnknownStep('there is no kind Namespace');
  return {
    kind: kind.name,
    namespace: '',
    name: NAMESPACE,
    uid: NAMESPACE_ID,
    generation: 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    specFinalizers: ['kubernetes'],
    phase: 'Active',
  };
}

function keyOfId(fixture: Fixture, workloads: readonly Workload[], id: string): ObjectKey {
  if (id === NAMESPACE_ID) return objectKey('Namespace', '', NAMESPACE);
  const generated = /^(pod|rs)(\d+)$/.exec(id);
  if (generated === null) return keyOf(fixture.object(id));
  const kind = generated[1] === 'pod' ? 'Pod' : 'ReplicaSet';
  const ofKind = allChildren(workloads).filter(
    (child) => fixture.kinds[child.kind]?.kind === kind && !child.uid.includes('+'),
  );
  const found = ofKind[Number(generated[2]) - 1];
  if (found === undefined) throw new UnknownStep(`nothing creates ${id}`);
  return keyOf(found);
}

function placesOf(
  fixture: Fixture,
  steps: readonly Step[],
  children: readonly ApiObject[],
  kind: string,
): readonly ObjectKey[] {
  const created = plainStepsOf(steps).flatMap((step) =>
    step.do === 'create' ? [fixture.createdBy(step)] : [],
  );
  const { name } = fixture.kind(kind);
  const keys = [...created, ...children].filter((object) => object.kind === name).map(keyOf);
  return [...new Set(keys)];
}
