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
import { type Cast, castOf, kindsOf, NAMESPACE, NAMESPACE_ID, NotPlayable } from './fixture.ts';
import { plainStepsOf, programSchema, type Step } from './steps.ts';
import { compileSteps } from './user-programs.ts';
import { allChildren, workloadsOf } from './workloads.ts';

/** A recorded scenario as a setup of the model. */

export interface Size {
  readonly deleteWorkers: number;
  readonly orphanWorkers: number;
  /** How many more children than it wants each workload may create in its life. */
  readonly replacements: number;
}

export interface Staged {
  readonly setup: Setup;
  /** Uids of what controllers may create. */
  readonly generated: ReadonlySet<string>;
}

const CREATING_CONTROLLERS: readonly string[] = ['deploy', 'rsc'];
const KUBELET = 'kubelet';

/** Which controllers ran is told from the requests that they have sent. */
export function stageOf(recording: Recording, size: Size): Staged {
  const steps = programSchema.parse(recording.steps);
  const table = tableOf(recording);
  const cast = castOf(steps, table);
  const actors = new Set(recording.runs.flatMap((run) => run.requests.map(({ actor }) => actor)));
  const creating = CREATING_CONTROLLERS.some((actor) => actors.has(actor));
  const workloads = creating ? workloadsOf(cast, steps, size.replacements) : [];
  const children = allChildren(workloads);
  const namespaces = plainStepsOf(steps).some((step) => 'id' in step && step.id === NAMESPACE_ID)
    ? [namespaceObject(cast)]
    : [];
  const users = compileSteps(steps, {
    cast,
    keyOfId: (id) => keyOfId(cast, workloads, id),
    placesOf: (name) => placesOf(cast, steps, children, name),
  });
  const created = plainStepsOf(steps).flatMap((step) =>
    step.do === 'create' ? [cast.createdBy(step)] : [],
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
    // Nobody but the steps takes a finalizer off.
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

/** `v1.20.2` is judged by the rules of `v1.20`. */
function rulesOf(version: string): Rules {
  const minor = version.split('.').slice(0, 2).join('.');
  const rules = PROTOCOLS[minor] ?? PROTOCOLS[DEFAULT_PROTOCOL];
  if (rules === undefined) throw new Error(`no rules for ${version}`);
  return rules;
}

/** Every built-in kind, and those of which the requests show an object. */
function tableOf(recording: Recording): Setup['kinds'] {
  const kinds = new LogKinds();
  for (const { body, resource, namespace } of recording.runs.flatMap((run) => run.requests)) {
    const typed = typedBody.safeParse(body);
    if (!typed.success) continue;
    kinds.learn(typed.data.apiVersion, typed.data.kind, resource, Boolean(namespace));
  }
  return kinds.table();
}

function namespaceObject(cast: Cast): ApiObject {
  const kind = resolveKind(cast.kinds, 'v1', 'Namespace');
  if (kind === null) throw new NotPlayable('there is no kind Namespace');
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

function keyOfId(cast: Cast, workloads: readonly Workload[], id: string): ObjectKey {
  if (id === NAMESPACE_ID) return objectKey('Namespace', '', NAMESPACE);
  const generated = /^(pod|rs)(\d+)$/.exec(id);
  if (generated === null) return keyOf(cast.object(id));
  const kind = generated[1] === 'pod' ? 'Pod' : 'ReplicaSet';
  const ofKind = allChildren(workloads).filter(
    (child) => cast.kinds[child.kind]?.kind === kind && !child.uid.includes('+'),
  );
  const found = ofKind[Number(generated[2]) - 1];
  if (found === undefined) throw new NotPlayable(`nothing creates ${id}`);
  return keyOf(found);
}

function placesOf(
  cast: Cast,
  steps: readonly Step[],
  children: readonly ApiObject[],
  kind: string,
): readonly ObjectKey[] {
  const created = plainStepsOf(steps).flatMap((step) =>
    step.do === 'create' ? [cast.createdBy(step)] : [],
  );
  const { name } = cast.kind(kind);
  const keys = [...created, ...children].filter((object) => object.kind === name).map(keyOf);
  return [...new Set(keys)];
}
