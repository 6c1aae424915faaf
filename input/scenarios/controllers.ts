import {
  type ApiObject,
  type ClaimRetention,
  controllerReference,
  type KindTable,
  keyOf,
  type ObjectKey,
  type Operator,
  type Setup,
  type Workload,
} from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import { finalizerFault } from '../manifests/names.ts';
import type { ChildEntry, OperatorEntry, WorkloadEntry } from './controller-schema.ts';
import type { Cast } from './objects.ts';
import type { ScenarioFile } from './schema.ts';

/** Reads the controllers of a scenario that reconcile one object each. */

interface Reading {
  readonly document: SourceDocument;
  readonly cast: Cast;
  readonly kinds: KindTable;
}

export function readWorkloads(file: ScenarioFile, reading: Reading): Pick<Setup, 'workloads'> {
  const entries = file.environment?.workloads;
  const workloads = (entries ?? []).flatMap((entry, index) => {
    const path: Path = ['environment', 'workloads', index];
    const parent = reading.cast.find(entry.controls, reading.document.place([...path, 'controls']));
    const { controller } = entry;
    const [workload, ...below] = controlled(
      reading,
      parent,
      { ...entry, caches: entry.caches ?? 'live' },
      path,
    );
    const claims = retentionOf(reading, entry, path);
    const whole = controller === undefined ? workload : { ...workload, controller };
    return [{ ...whole, ...(claims === null ? {} : { claims }) }, ...below];
  });
  checkUpdates(file, reading, workloads);
  return entries === undefined ? {} : { workloads };
}

/** What becomes of the claims of a StatefulSet; its first pod has the ordinal 0. */
function retentionOf(
  { cast, document }: Reading,
  { claims, caches, controls }: WorkloadEntry,
  path: Path,
): ClaimRetention | null {
  if (claims === undefined) return null;
  const parent = cast.find(controls, document.place([...path, 'controls']));
  if (caches !== 'own' || parent.kind !== 'StatefulSet.apps') {
    throw new InputError({
      what: '"claims" needs a StatefulSet, and a controller with caches of its own',
      where: document.place([...path, 'claims']),
      expected: 'a StatefulSet in controls, and caches: own',
    });
  }
  const at: Path = [...path, 'claims', 'ofPods'];
  const ofPods = Object.entries(claims.ofPods).map(([pod, targets]) => [
    keyOf(cast.find(pod, document.place([...at, pod]))),
    keysOf({ cast, document }, targets, [...at, pod]),
  ]);
  return {
    whenDeleted: claims.whenDeleted ?? 'Retain',
    whenScaled: claims.whenScaled ?? 'Retain',
    firstOrdinal: 0,
    ofPods: Object.fromEntries(ofPods) as ClaimRetention['ofPods'],
  };
}

type Controlling = Required<Pick<WorkloadEntry, 'caches' | 'replicas'>> &
  Pick<ChildEntry, 'selects' | 'uidsReturn' | 'children'>;

/** The workload of the parent, and those of its children. */
function controlled(
  reading: Reading,
  parent: ApiObject,
  entry: Controlling,
  path: Path,
): readonly [Workload, ...Workload[]] {
  const { caches, replicas, children: entries = [], selects, uidsReturn } = entry;
  checkCaches(reading, entry, path);
  const children = entries.map((_, index): ApiObject => {
    const object = reading.cast.child([...path, 'children', index, 'object']);
    return object.ownerReferences.length > 0 ? object : ownedBy(reading, object, parent);
  });
  const below = entries.flatMap((child, index) => {
    const object = children[index];
    const controls = child.children !== undefined || child.selects !== undefined;
    if (object === undefined || !controls) return [];
    return controlled(reading, object, { ...child, caches, replicas: child.replicas ?? 1 }, [
      ...path,
      'children',
      index,
    ]);
  });
  const workload: Workload = {
    parent: { key: keyOf(parent), uid: parent.uid },
    replicas,
    children,
    ...(caches === 'own' ? { caches } : {}),
    ...(selects === undefined ? {} : { selects: keysOf(reading, selects, [...path, 'selects']) }),
    ...(uidsReturn === true ? { uidsReturn } : {}),
  };
  return [workload, ...below];
}

function checkCaches({ document }: Reading, entry: Controlling, path: Path): void {
  const { children = [], selects, uidsReturn, caches } = entry;
  const needs = selects !== undefined ? 'selects' : uidsReturn === true ? 'uidsReturn' : null;
  if (needs !== null && caches !== 'own') {
    throw new InputError({
      what: `"${needs}" needs a controller with caches of its own`,
      where: document.place([...path, needs]),
      expected: 'caches: own in this entry of workloads',
    });
  }
  if (children.length === 0 && selects === undefined) {
    throw new InputError({
      what: 'this controller neither creates nor adopts anything',
      where: document.place(path),
      expected: 'children, or selects with caches: own',
    });
  }
}

function ownedBy({ kinds }: Reading, object: ApiObject, parent: ApiObject): ApiObject {
  const reference = controllerReference({ kinds }, { key: keyOf(parent), uid: parent.uid });
  return { ...object, ownerReferences: [reference] };
}

function keysOf(
  { cast, document }: Pick<Reading, 'cast' | 'document'>,
  targets: readonly string[],
  path: Path,
): readonly ObjectKey[] {
  return targets.map((target, index) => keyOf(cast.find(target, document.place([...path, index]))));
}

export function readOperators(file: ScenarioFile, reading: Reading): Pick<Setup, 'operators'> {
  const entries = file.environment?.controllers;
  if (entries === undefined) return {};
  const names = entries.map(({ name }) => name);
  const operators = entries.map((entry, index) => {
    const path: Path = ['environment', 'controllers', index];
    checkOwner(entry, file, reading);
    checkName(entry.name, names.indexOf(entry.name) === index, reading, [...path, 'name']);
    return operatorOf(entry, reading, path);
  });
  return { operators };
}

/** A finalizer of a controller must not also have a cooperative owner. */
function checkOwner(
  { name, finalizer }: OperatorEntry,
  file: ScenarioFile,
  { document }: Reading,
): void {
  if (finalizer === undefined) return;
  if (file.environment?.finalizers?.[finalizer] !== 'cooperative') return;
  throw new InputError({
    what: `the finalizer ${finalizer} belongs to the controller ${name}`,
    where: document.place(['environment', 'finalizers', finalizer]),
    expected: 'no entry, or stuck',
  });
}

/** Rejects changes that only a controller with caches notices, if no such controller is there. */
function checkUpdates(
  file: ScenarioFile,
  { cast, document }: Reading,
  workloads: readonly Workload[],
): void {
  const cached = workloads.filter(({ caches }) => caches === 'own');
  const seen = {
    scale: cached.map(({ parent }) => parent.key),
    matchesSelectors: cached.flatMap(({ children, selects = [] }) => [
      ...children.map(keyOf),
      ...selects,
    ]),
  };
  for (const [index, { update, ...request }] of file.requests.entries()) {
    const field = (['scale', 'matchesSelectors'] as const).find((name) => name in request);
    if (field === undefined || typeof update !== 'string') continue;
    const where = document.place(['requests', index, field]);
    if (seen[field].includes(keyOf(cast.find(update, where)))) continue;
    throw new InputError({
      what: `no controller notices "${field}" of ${update}`,
      where,
      expected:
        field === 'scale'
          ? 'a parent in environment.workloads with caches: own'
          : 'an object that a parent with caches: own creates or selects',
    });
  }
}

function checkName(name: string, isFirst: boolean, { document }: Reading, path: Path): void {
  const fits = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name) && /[a-z.-]/.test(name);
  // Users and workers are clients too. User names have no dash; worker names end with a number.
  if (fits && isFirst && name.includes('-') && !/-\d+$/.test(name)) return;
  throw new InputError({
    what: isFirst
      ? `"${name}" is not a valid controller name`
      : `two controllers have the name "${name}"`,
    where: document.place(path),
    expected: 'a unique name in lower case with a dash, such as database-operator',
  });
}

function operatorOf(entry: OperatorEntry, reading: Reading, path: Path): Operator {
  const { cast, document } = reading;
  const { name, watches, finalizer, creates = [], deletes = [], waitsFor = [] } = entry;
  const { needs, adopts, childFinalizer, createsInTeardown } = entry;
  const parent = cast.find(watches, document.place([...path, 'watches']));
  checkFinalizer(entry, reading, path);
  if (entry.waitsForDeletes !== undefined && deletes.length === 0) {
    throw new InputError({
      what: '"waitsForDeletes" has no effect without deletes',
      where: document.place([...path, 'waitsForDeletes']),
      expected: 'deletes: what the controller deletes',
    });
  }
  return {
    name,
    parent: { key: keyOf(parent), uid: parent.uid },
    ...(finalizer === undefined ? {} : { finalizer }),
    addsFinalizer: entry.addsFinalizer === true,
    creates: childrenAt('creates', creates),
    ...(entry.uidsReturn === true ? { uidsReturn: true as const } : {}),
    deletes: deletes.map(({ delete: target, ...options }, index) => ({
      key: keyOf(cast.find(target, document.place([...path, 'deletes', index, 'delete']))),
      options,
      ...(entry.waitsForDeletes === false ? { wave: 0 } : {}),
    })),
    waitsFor: waitsFor.map((what, index) =>
      what === 'dependents'
        ? what
        : keyOf(cast.find(what, document.place([...path, 'waitsFor', index]))),
    ),
    ...(needs === undefined ? {} : { needs: keysOf(reading, needs, [...path, 'needs']) }),
    ...(adopts === undefined ? {} : { adopts: keysOf(reading, adopts, [...path, 'adopts']) }),
    ...(childFinalizer === undefined ? {} : { childFinalizer }),
    ...(createsInTeardown === undefined
      ? {}
      : { createsInTeardown: childrenAt('createsInTeardown', createsInTeardown) }),
    reads: entry.reads ?? 'cache',
    fairness: entry.fairness ?? 'weak',
  };

  function childrenAt(field: string, manifests: readonly unknown[]): readonly ApiObject[] {
    return manifests.map((manifest, index) => {
      const object = cast.child([...path, field, index]);
      const child = namesOwners(manifest) ? object : ownedBy(reading, object, parent);
      if (childFinalizer === undefined || child.finalizers.includes(childFinalizer)) return child;
      return { ...child, finalizers: [...child.finalizers, childFinalizer] };
    });
  }
}

/**
 * Whether a manifest states its owners. `ownerReferences: []` means no owner, not even the parent.
 */
function namesOwners(manifest: unknown): boolean {
  const { metadata } = manifest as { readonly metadata?: { readonly ownerReferences?: unknown } };
  return metadata?.ownerReferences !== undefined;
}

function checkFinalizer(entry: OperatorEntry, { document }: Reading, path: Path): void {
  const { finalizer, addsFinalizer, childFinalizer } = entry;
  const childFault = childFinalizer === undefined ? null : finalizerFault(childFinalizer, false);
  if (childFault !== null || (childFinalizer !== undefined && childFinalizer === finalizer)) {
    throw new InputError({
      what: `"${childFinalizer}" is not a valid finalizer for the children`,
      where: document.place([...path, 'childFinalizer']),
      expected: childFault ?? 'another name than that of finalizer',
    });
  }
  if (finalizer === undefined) {
    const needing = ['waitsFor', 'needs', 'createsInTeardown'] as const;
    const field =
      needing.find((one) => entry[one] !== undefined) ??
      (addsFinalizer === true ? 'addsFinalizer' : null);
    if (field === null) return;
    throw new InputError({
      what: `"${field}" has no effect without a finalizer`,
      where: document.place([...path, field]),
      expected: 'finalizer: the finalizer that this controller owns',
    });
  }
  const fault = finalizerFault(finalizer, false);
  if (fault === null) return;
  throw new InputError({
    what: `"${finalizer}" is not a valid finalizer name`,
    where: document.place([...path, 'finalizer']),
    expected: fault,
  });
}
