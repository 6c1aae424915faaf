import {
  type ApiObject,
  isOwnedByActor,
  keyOf,
  type ObjectKey,
  type Setup,
  splitKey,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { type Body, bodyIn } from '../cluster/body.ts';
import { manifestOf } from './manifest.ts';
import { type Program, programOf } from './program.ts';
import { keyOfRequest, type Recorder } from './recorder.ts';
import { targetOf } from './requests.ts';

/** What the server began with. */
export interface RecordStart {
  /** The file that it began with, if that was a scenario. Null: it was none. */
  readonly scenario: Body | null;
  readonly protocol: string;
  /** Rules that differ from the protocol. */
  readonly rules: Readonly<Record<string, string>>;
  /** How the server was started, in words. */
  readonly words: string;
}

/** A run of the server as a scenario. */
export interface WrittenScenario {
  readonly value: Body;
  readonly program: Program;
}

/** @param setup of the server at the end of the run. */
export function scenarioOf(
  recorder: Recorder,
  setup: Setup,
  start: RecordStart,
  isQuiet: boolean,
): WrittenScenario {
  const given = start.scenario;
  const touched = new Set([
    ...recorder.happenings.flatMap(({ written }) => [...written.keys()]),
    ...recorder.requests.flatMap(({ call }) => keyOfRequest(call) ?? []),
  ]);
  const named = new Set(given === null ? [] : setup.objects.map(keyOf));
  // Every cluster has namespaces, but most runs do not depend on them.
  const objects = recorder.objects.filter(
    (object) =>
      object.kind !== 'Namespace' || named.has(keyOf(object)) || touched.has(keyOf(object)),
  );
  const program = programOf(recorder, objects, setup.kinds);
  const created = recorder.requests.flatMap(({ call }) =>
    call.verb === 'create' && call.dryRun !== true ? [call.object] : [],
  );
  const all = [...objects, ...created];
  const added = objects.filter((object) => !named.has(keyOf(object)));
  const manifests = added.map((object) => manifestOf(object, setup.kinds));
  const { rules } = start;
  const value: Body = {
    about: aboutOf(recorder, program, start),
    protocol: start.protocol,
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    objects: given === null ? manifests : [...listIn(given, 'objects'), ...manifests],
    requests: program.requests,
    environment: {
      ...(given === null
        ? environmentOf(recorder, setup, all)
        : withoutDenied(bodyIn(given, 'environment'))),
      ...finalizersOf(recorder, setup, all, given),
    },
    ...(isQuiet && !recorder.isFull ? outcomesOf(recorder, objects, created) : {}),
  };
  return { value, program };
}

function aboutOf({ requests }: Recorder, { users }: Program, { words }: RecordStart): string {
  const sent = `${requests.length} request${requests.length === 1 ? '' : 's'}`;
  return `Recorded by ${words}: ${sent} of ${users.length === 0 ? 'nobody' : users.join(', ')}.`;
}

function listIn(body: Body, field: string): readonly unknown[] {
  const value = body[field];
  return Array.isArray(value) ? value : [];
}

/** The users of the scenario are other ones now. */
function withoutDenied({ denied: _, ...environment }: Body): Body {
  return environment;
}

/** The actors that had something to do. */
function environmentOf(recorder: Recorder, setup: Setup, all: readonly ApiObject[]): Body {
  const has = (...kinds: readonly string[]): boolean =>
    all.some(({ kind }) => kinds.includes(kind));
  const isDefined = all.some(({ kind }) =>
    (setup.definitions ?? []).some((key) => definedBy(key, setup.kinds[kind]?.resource, kind)),
  );
  const workers = (name: string): number =>
    new Set(
      recorder.happenings.flatMap(({ did }) =>
        'name' in did && did.name === name ? [did.parameters.worker] : [],
      ),
    ).size;
  const { namespaceAdmission, definitionLookup } = setup;
  return {
    deleteWorkers: Math.max(1, workers('takeForDelete')),
    orphanWorkers: Math.max(1, workers('takeForOrphan')),
    ...(has('Namespace')
      ? {
          namespaceController: true,
          ...(namespaceAdmission === undefined ? {} : { namespaceAdmission }),
        }
      : {}),
    ...(isDefined
      ? {
          definitionController: true,
          ...(definitionLookup === undefined ? {} : { definitionLookup }),
        }
      : {}),
    ...(all.some(({ pod }) => pod?.scheduled === true) ? { kubelets: true } : {}),
    ...(has('PersistentVolume', 'PersistentVolumeClaim') ? { storageProtection: true } : {}),
  };
}

function definedBy(key: ObjectKey, resource: string | undefined, kind: string): boolean {
  const group = kind.slice(kind.indexOf('.') + 1);
  return splitKey(key)[2] === `${resource}.${group}`;
}

/** The clients had the finalizers in their hands, so nobody else takes them off. */
function finalizersOf(
  { requests }: Recorder,
  setup: Setup,
  all: readonly ApiObject[],
  given: Body | null,
): Body {
  const before = bodyIn(given === null ? {} : bodyIn(given, 'environment'), 'finalizers');
  const changes = requests.flatMap(({ call }) =>
    call.verb === 'update' && 'finalizers' in call.change ? (call.change.finalizers ?? []) : [],
  );
  const names = thirdPartyFinalizers({
    finalizers: [...all.flatMap(({ finalizers }) => finalizers), ...changes],
  });
  const stuck = names.filter(
    (name) => !isOwnedByActor(setup, name) && !Object.hasOwn(setup.finalizers, name),
  );
  const finalizers = { ...Object.fromEntries(stuck.map((name) => [name, 'stuck'])), ...before };
  return Object.keys(finalizers).length === 0 ? {} : { finalizers };
}

/** How the run has ended: `reapcheck check` says whether it can. */
function outcomesOf(
  { happenings }: Recorder,
  objects: readonly ApiObject[],
  created: readonly ApiObject[],
): Body {
  const end = new Map<ObjectKey, ApiObject | null>(created.map((object) => [keyOf(object), null]));
  for (const object of objects) end.set(keyOf(object), object);
  for (const { written } of happenings) {
    for (const [key, object] of written) if (end.has(key)) end.set(key, object);
  }
  const known = new Set(end.keys());
  const entries = [...end].map(([key, object]) => [targetOf(key, { known }), endOf(object)]);
  return entries.length === 0 ? {} : { outcomes: { 'as recorded': Object.fromEntries(entries) } };
}

function endOf(object: ApiObject | null): unknown {
  if (object === null) return 'gone';
  const { uid, deletionTimestamp, finalizers, ownerReferences } = object;
  const owners = ownerReferences.map((reference) => reference.uid);
  return { uid, deleting: deletionTimestamp !== null, finalizers, owners };
}
