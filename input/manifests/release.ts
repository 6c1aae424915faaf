import {
  type ApiObject,
  BUILT_IN_KINDS,
  keyOf,
  type ObjectKey,
  splitKey,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { AroundOptions } from '../cluster/around.ts';
import { definitionName } from '../cluster/links.ts';
import { marksOn, type Tool } from '../cluster/marks.ts';
import type { Observation } from '../cluster/observations.ts';
import { WORKLOADS, workloadsOf } from '../cluster/observed/finalizer-owners.ts';
import { unservedCondition, unservedIn } from '../cluster/webhooks/backends.ts';
import type { Plan } from '../plan.ts';
import type { Look } from '../work-clock.ts';
import { planAbout } from './deletion.ts';
import type { Dump } from './dump.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import type { LabelSelector } from './label-selector.ts';
import { displayName } from './names.ts';

/** The groups that an uninstall deletes one after the other, in the usual order. */
export const GROUPS = [
  'instances',
  'definitions',
  'webhooks',
  'operator',
  'rest',
  'namespace',
] as const;
export type GroupName = (typeof GROUPS)[number];

export interface Group {
  readonly name: GroupName;
  /** Of a part of the instances: their kind. */
  readonly kind?: string;
  readonly objects: readonly ApiObject[];
}

/** What is to be uninstalled, and the plans that delete one group of it. */
export interface Release {
  readonly title: string;
  readonly groups: readonly Group[];
  /** Of the release, but meant to stay. */
  readonly kept: readonly ApiObject[];
  /** What Helm runs besides: sentences without their full stop. */
  readonly hooks: readonly string[];
  /** Instances of definitions that are kept, with finalizers that its workloads may remove. */
  readonly stranded: readonly ApiObject[];
  readonly objects: readonly ApiObject[];
  /** The plan that deletes all of it at once. */
  readonly whole: Plan;
  /**
   * The plan that deletes a group once these objects are gone. What `look` throws ends the
   * planning.
   */
  readonly stage: (group: Group, gone: ReadonlySet<string>, look: Look) => Plan;
}

/**
 * The store keys of the objects of a Helm release, by annotation or label. Throws `InputError` if
 * several namespaces have a release of this name.
 *
 * @param release NAME or NAMESPACE/NAME.
 */
export function keysOfRelease({ observations }: Dump, release: string): ReadonlySet<string> {
  const [name = '', within = ''] = release.split('/').reverse();
  const found = [...observations].flatMap(([key, { marks = [] }]) => {
    const named = marks.filter(
      (mark) => mark.mark === 'trackedBy' && mark.name === name && TOOLS.includes(mark.tool),
    );
    const [helm] = named.flatMap((mark) =>
      mark.mark === 'trackedBy' && mark.tool === 'Helm' ? [mark.namespace] : [],
    );
    return named.length === 0 ? [] : [{ key, helm, namespace: key.split('/')[1] ?? '' }];
  });
  const namespaces = [...new Set(found.flatMap(({ helm }) => helm || []))].sort();
  const [place = within] = within === '' ? namespaces : [within];
  if (within === '' && namespaces.length > 1) {
    throw MESSAGES.usage(
      `${namespaces.length} namespaces have a release ${name}: ${namespaces.join(', ')}`,
      `--release ${place}/${name}`,
    );
  }
  // Hooks have labels alone.
  const isOf = ({ helm, namespace }: (typeof found)[number]): boolean =>
    place === '' || (helm ? helm === place : ['', place].includes(namespace));
  return new Set(found.filter(isOf).map(({ key }) => key));
}

/**
 * Whose marks are those of a Helm release: the label `app.kubernetes.io/instance` is that of Argo
 * CD.
 */
const TOOLS: readonly (Tool | null)[] = ['Helm', 'Argo CD'];

/** The store keys of the objects with such labels, or without any where the selector means those. */
export function keysSelected(
  {
    objects,
    labels,
  }: Pick<Dump, 'labels'> & { readonly objects: readonly { readonly object: ApiObject }[] },
  isMeant: LabelSelector,
): ReadonlySet<string> {
  const keys = objects.map(({ object }) => keyOf(object));
  return new Set(keys.filter((key) => isMeant(labels.get(key) ?? {})));
}

/** What is to be uninstalled. */
export interface Meant {
  /** Store keys of the objects. */
  readonly keys: ReadonlySet<string>;
  /** The manifests that were applied: Helm goes by them. */
  readonly applied?: Pick<Dump, 'objects' | 'observations'>;
}

/** What `helm uninstall` runs, and the deletion of each object does not. */
function hooksIn({ objects, observations }: Pick<Dump, 'objects' | 'observations'>) {
  return objects.flatMap(({ object }) =>
    marksOn(observations, object).flatMap((mark) => {
      if (mark.mark !== 'hook' || mark.tool !== 'Helm') return [];
      const when = mark.hooks === 'PreDelete' ? 'before' : 'after';
      return [
        `${displayName(object)} is a hook that helm uninstall runs ${when} it deletes the rest: the commands do not`,
      ];
    }),
  );
}

export function releaseOf(
  dump: Dump,
  title: string,
  { keys, applied }: Meant,
  around: AroundOptions,
  kinds: KindCatalogue,
  finish: (plan: Plan) => Plan,
): Release {
  const objects = dump.objects.map(({ object }) => object);
  const given = new Set(applied?.objects.map(({ object: one }) => keyOf(one)));
  const isKept = (object: ApiObject): boolean => {
    // An annotation that was set in the cluster is not in the release.
    const said = applied !== undefined && given.has(keyOf(object)) ? applied : dump;
    return marksOn(said.observations, object).some(
      ({ mark, tool }) => mark === 'keptBy' && tool === 'Helm',
    );
  };
  const own = objects.filter((object) => keys.has(keyOf(object)));
  const table = kinds.table();
  const definitions = own.filter(({ kind }) => kind.startsWith('CustomResourceDefinition'));
  const definedBy = (of: readonly ApiObject[]): ReadonlySet<string> =>
    new Set(of.map(({ name }) => name));
  // Helm keeps a definition for the sake of its instances.
  const defined = definedBy(definitions.filter((one) => !isKept(one)));
  const keptKinds = definedBy(definitions.filter(isKept));
  const groupOf = (object: ApiObject): GroupName | null => {
    if (defined.has(definitionName(table[object.kind]))) return 'instances';
    if (!keys.has(keyOf(object)) || isKept(object)) return null;
    if (object.kind.startsWith('CustomResourceDefinition')) return 'definitions';
    // Custom resources that came with the release have finalizers as its instances do.
    const isCustom = BUILT_IN_KINDS[object.kind] === undefined;
    if (isCustom && object.finalizers.length > 0) return 'instances';
    if (object.kind === 'Namespace') return 'namespace';
    // Without its pods, a webhook refuses what follows.
    if (dump.observations.get(keyOf(object))?.of === 'webhooks') return 'webhooks';
    return WORKLOADS.includes(object.kind) ? 'operator' : 'rest';
  };
  const groups = GROUPS.map((name) => ({
    name,
    objects: objects.filter((object) => groupOf(object) === name),
  })).filter((group) => group.objects.length > 0);
  const operators = groups.find(({ name }) => name === 'operator')?.objects ?? [];
  const instances = groups.find(({ name }) => name === 'instances')?.objects ?? [];
  const rest = groups.find(({ name }) => name === 'rest')?.objects ?? [];
  const whole = (targets: readonly ApiObject[], of: Dump = dump): Plan =>
    planAbout(
      of,
      { title, targets, users: {}, around: { ...around, uninstalls: true } },
      kinds,
      [],
    );
  const owned = ownedFinalizers(whole(instances), operators);
  return {
    title,
    groups,
    kept: own.filter(isKept),
    hooks: applied === undefined ? [] : hooksIn(applied),
    stranded: objects.filter(
      (object) =>
        keptKinds.has(definitionName(table[object.kind])) &&
        groupOf(object) === null &&
        thirdPartyFinalizers(object).length > 0,
    ),
    objects: groups.flatMap((group) => group.objects),
    whole: finish(whole(groups.flatMap((group) => group.objects))),
    stage: (group, gone, look) => {
      const left = dump.objects.filter(({ object }) => !gone.has(object.uid));
      const targets = group.objects.filter(({ uid }) => !gone.has(uid));
      const own = new Set(group.objects);
      const namespaces = new Set(
        targets.flatMap(({ kind, name }) => (kind === 'Namespace' ? [name] : [])),
      );
      const isThere = (object: ApiObject): boolean =>
        !gone.has(object.uid) && !own.has(object) && !namespaces.has(object.namespace);
      // Without its account, roles and configuration an operator does not act either.
      const runs = operators.some(isThere) && rest.every(isThere);
      const isGone = operators.length > 0 && operators.every(({ uid }) => gone.has(uid));
      const said = {
        ...around,
        admitted: admittedOnce(gone, around, dump),
        runners: runs ? operators : [],
        unowned: isGone ? owned : [],
      };
      const words = `delete ${group.name}: ${targets.map(displayName).join(', ')}`;
      const plan = planAbout(
        { ...dump, look, objects: left, observations: observedOnce(gone, dump) },
        {
          title: words,
          targets,
          users: {
            kubectl: targets.map((target) => ({
              request: { do: 'delete', key: keyOf(target), options: {} },
              after: [],
            })),
          },
          around: said,
        },
        kinds,
        [],
      );
      const open = plan.cluster?.unknownContents ?? [];
      if (plan.cluster === null || open.length === 0) return { ...finish(plan), subject: null };
      const { cluster: before } = whole(targets, { ...dump, look });
      const stillOpen = new Set(open.map(({ object }) => object));
      // What is gone was in the dump: nothing is unknown of it, and the dump does not lack it.
      const unknownContents = (before?.unknownContents ?? []).filter(({ object }) =>
        stillOpen.has(object),
      );
      const cluster = { ...plan.cluster, unknownContents };
      return { ...finish({ ...plan, cluster }), subject: null };
    },
  };
}

/**
 * What is known to be admitted once these objects are gone: a webhook lets nothing through if they
 * had its server.
 */
function admittedOnce(
  gone: ReadonlySet<string>,
  { admitted }: AroundOptions,
  { objects, observations, labels }: Dump,
): AroundOptions['admitted'] {
  if (admitted.size === 0) return admitted;
  const unserved = unservedOnce(gone, { objects, observations, labels });
  const silent = [...observations].flatMap(([key, observed]) => {
    if (observed.of !== 'webhooks') return [];
    const found = observed.webhooks.filter(({ service }) => unserved.has(service));
    const [, , name = ''] = splitKey(key as ObjectKey);
    return found.length === 0 ? [] : [name, ...found.map((webhook) => webhook.name)];
  });
  return new Map([...admitted].filter(([name]) => !silent.includes(name)));
}

/** What the dump would say once these objects are gone: APIs without their servers are down. */
function observedOnce(gone: ReadonlySet<string>, dump: Dump): Dump['observations'] {
  const unserved = unservedOnce(gone, dump);
  if (unserved.size === 0) return dump.observations;
  const observedIn = (observed: Observation): Observation => {
    if (observed.of !== 'APIService' || observed.unavailable !== null) return observed;
    const behind = unserved.get(observed.service)?.service;
    if (behind === undefined) return observed;
    const message = `nothing is left behind ${displayName(behind)}`;
    return { ...observed, unavailable: unservedCondition(message) };
  };
  return new Map([...dump.observations].map(([key, observed]) => [key, observedIn(observed)]));
}

function unservedOnce(
  gone: ReadonlySet<string>,
  { objects, observations, labels }: Pick<Dump, 'objects' | 'observations' | 'labels'>,
): ReturnType<typeof unservedIn> {
  const all = objects.map(({ object }) => object);
  const goes = ({ uid }: ApiObject): boolean => gone.has(uid);
  return unservedIn({ all, labels, goes, observations, comesBack: new Set() });
}

/** Finalizers of instances that nobody removes without the workloads of the release. */
function ownedFinalizers(plan: Plan, operators: readonly ApiObject[]): readonly string[] {
  return (plan.cluster?.finalizers ?? []).flatMap(({ finalizer, known, judgement }) => {
    if (judgement === 'stuck') return [];
    const isOwn = known === null || workloadsOf(known, operators).length > 0;
    return isOwn && operators.length > 0 ? [finalizer] : [];
  });
}
