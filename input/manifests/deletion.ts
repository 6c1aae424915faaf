import {
  type ApiObject,
  FOREGROUND,
  keyOf,
  ORPHAN,
  type OwnerReference,
  type UserStep,
} from '../../model/index.ts';
import { type AroundOptions, beyondOf, clusterAround, PLANNING } from '../cluster/around.ts';
import type { Besides } from '../cluster/beside/besides.ts';
import { beneath, type Doubt } from '../cluster/beside/doubts.ts';
import { unaskedIn } from '../cluster/beside/unasked.ts';
import { marksOn } from '../cluster/marks.ts';
import { requestedBy } from '../cluster/webhooks/admission.ts';
import { type Cascade, CLUSTER_PROTOCOL, type Plan } from '../plan.ts';
import { type CheckPlace, placeOf } from '../scenarios/check-place.ts';
import { readProtocol } from '../scenarios/protocol.ts';
import { type Dump, ownerWarnings } from './dump.ts';
import { type Expected, NOTHING_EXPECTED } from './expected.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { displayName } from './names.ts';
import { restlessSlice, slice } from './slice.ts';
import { findTarget } from './target.ts';

/** The question about a dump: what happens if these objects are deleted? */
export interface DeletionQuestion {
  /** `KIND/NAME[.NAMESPACE]`, deleted one after the other without waiting. */
  readonly targets: readonly string[];
  readonly namespace: string | null;
  readonly cascade: Cascade;
  /** `gracePeriodSeconds` of the DELETEs. Absent: none. */
  readonly grace?: number;
  readonly around: AroundOptions;
  /** What must hold. Absent: nothing is said. */
  readonly expected?: Expected;
}

const POLICY = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** The client that sends the DELETEs. */
export const KUBECTL = 'kubectl';

export function planDeletion(
  dump: Dump,
  question: DeletionQuestion,
  kinds: KindCatalogue,
  properties: readonly string[],
): Plan {
  const { grace } = question;
  const objects = dump.objects.map(({ object }) => object);
  const targets = question.targets.map((text) =>
    findTarget(text, question.namespace, objects, kinds, dump.files.join(', ')),
  );
  const steps = targets.map(
    (target): UserStep => ({
      request: {
        do: 'delete',
        key: keyOf(target),
        options: {
          propagationPolicy: POLICY[question.cascade],
          ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
        },
      },
      after: [],
    }),
  );
  const title = `delete ${targets.map(displayName).join(', ')}, ${question.cascade}`;
  const users = { [KUBECTL]: steps };
  const { around, expected = NOTHING_EXPECTED } = question;
  const orphans = question.cascade === 'orphan';
  const about = { title, targets, users, around, expected, orphans };
  const plan = planAbout(dump, about, kinds, properties);
  const told = orphans ? orphaned(plan, targets, dump.observations) : plan;
  return grace === 0 ? forced(told, targets, question.cascade) : told;
}

/** Controllers that delete what their object owns, whatever the policy is: what stays may go. */
function orphaned(
  plan: Plan,
  targets: readonly ApiObject[],
  observations: Dump['observations'],
): Plan {
  const { cluster, setup } = plan;
  if (cluster === null) return plan;
  const doubts = targets.flatMap((target) => {
    const row = cluster.finalizers.find(
      ({ known, objects }) =>
        (known?.waitsForDependents === true || known?.deletesDependents === true) &&
        objects.includes(keyOf(target)),
    );
    if (!row?.known) return [];
    // Without that order, the controller of a set only takes its finalizer off.
    const marks = marksOn(observations, target);
    const isSet = target.kind === 'ApplicationSet.argoproj.io';
    if (isSet && !marks.some(({ mark }) => mark === 'deletesOwned')) return [];
    const { owner, seesOrphaning } = row.known;
    const name = displayName(target);
    // `sync` of the virtual machines of KubeVirt (1.5), from caches that lag behind each other.
    const why =
      seesOrphaning === true
        ? `${owner} leaves what ${name} owns as long as it sees the finalizer orphan there; it may delete it if it looks later`
        : `${owner} may delete what ${name} owns before it removes ${row.finalizer}, also if the DELETE says orphan`;
    return beneath(target, setup.objects, cluster.tracking).map((object): Doubt => {
      return { object: keyOf(object), by: 'controller', why };
    });
  });
  if (doubts.length === 0) return plan;
  return { ...plan, cluster: { ...cluster, doubts: [...cluster.doubts, ...doubts] } };
}

function withBesides(plan: Plan, found: readonly Besides[]): Plan {
  if (plan.cluster === null || found.length === 0) return plan;
  return { ...plan, cluster: { ...plan.cluster, besides: [...plan.cluster.besides, ...found] } };
}

/** What an answer says of pods whose object waits for no kubelet. */
function forced(plan: Plan, targets: readonly ApiObject[], cascade: Cascade): Plan {
  const pods = targets.filter(({ pod }) => pod?.scheduled === true);
  const added = { background: [], foreground: [FOREGROUND], orphan: [ORPHAN] }[cascade];
  const found = pods.map((pod) => {
    const holding = [...new Set([...pod.finalizers, ...added])];
    const then =
      holding.length === 0
        ? 'goes at once'
        : `goes once nothing holds it any more (${holding.join(', ')})`;
    return {
      object: keyOf(pod),
      what: `the object ${displayName(pod)} ${then}, and its containers run until the kubelet of ${pod.pod?.node ?? 'its node'} stops them, which a lost node never does; what replaces it may run beside them`,
    };
  });
  const keys = new Set(found.map(({ object }) => object));
  const { cluster } = withBesides(plan, found);
  if (cluster === null) return plan;
  // No kubelet has to end them.
  const doubts = cluster.doubts.filter(({ by, object }) => by !== 'kubelet' || !keys.has(object));
  return { ...plan, cluster: { ...cluster, doubts } };
}

/** A question about some objects of a dump. */
export interface Question {
  readonly title: string;
  /** The objects that go, or that it is about; none: all that does not rest. */
  readonly targets: readonly ApiObject[];
  readonly users: Readonly<Record<string, readonly UserStep[]>>;
  readonly around: AroundOptions;
  /** What must hold. Absent: nothing is said. */
  readonly expected?: Expected;
  /** Whether the targets leave their dependents. Absent: no. */
  readonly orphans?: boolean;
  /** Targets that nothing deletes. Absent: none. */
  readonly idle?: ReadonlySet<ApiObject>;
}

export function planAbout(
  dump: Dump,
  { title, targets, users, around, expected = NOTHING_EXPECTED, orphans = false, idle }: Question,
  kinds: KindCatalogue,
  properties: readonly string[],
): Plan {
  const objects = dump.objects.map(({ object }) => object);
  const files = dump.files.join(', ');
  const beyond = beyondOf(dump, around);
  dump.look?.(PLANNING);
  const part =
    targets.length > 0
      ? slice(objects, targets, kinds, beyond, expected.objects, orphans, idle)
      : restlessSlice(objects, kinds, beyond);
  const { kept, cut } = part;
  dump.look?.(PLANNING);
  const { cluster, setup } = clusterAround(dump, part, kinds, around, beyond, requestedBy(users));
  dump.look?.(PLANNING);
  return {
    title,
    about: null,
    source: files,
    protocol: CLUSTER_PROTOCOL,
    setup: {
      ...setup,
      name: title,
      kinds: kinds.tableFor(
        [...setup.objects, ...(setup.workloads ?? []).flatMap(({ children }) => children)],
        definedKinds(dump, kept, kinds),
      ),
      rules: readProtocol(CLUSTER_PROTOCOL),
      users,
      // The answer is about what the requests do, and not about a cluster that never gets them.
      usersFinish: true,
      deleteWorkers: 1,
      orphanWorkers: 1,
      caches: 'synced',
      relists: {},
      ...expected.own,
    },
    properties,
    ...(expected.names.length === 0 ? {} : { expected: expected.names }),
    asked: [],
    expectation: null,
    fates: true,
    cut: [...cut, ...dump.leftOut],
    ...unreadFields(dump),
    warnings: [...dump.warnings, ...kinds.notes, ...ownerWarnings(kept, objects, kinds)],
    given: null,
    subject: null,
    cluster,
    museum: null,
    place: targetPlace(dump, targets),
  };
}

/**
 * The same deletion of one object with another policy; null: what is around the objects depends on
 * whether the target leaves its dependents.
 */
export function withPolicy(plan: Plan, cascade: Cascade): Plan | null {
  const { title, setup, subject } = plan;
  if (setup.objects.length > 1 && (cascade === 'orphan' || subject?.cascade === 'orphan')) {
    return null;
  }
  const renamed = `${title.slice(0, title.lastIndexOf(','))}, ${cascade}`;
  const steps = (setup.users[KUBECTL] ?? []).map((step): UserStep => {
    const { request } = step;
    if (request.do !== 'delete') return step;
    const options = { ...request.options, propagationPolicy: POLICY[cascade] };
    return { ...step, request: { ...request, options } };
  });
  return {
    ...plan,
    title: renamed,
    setup: { ...setup, name: renamed, users: { ...setup.users, [KUBECTL]: steps } },
    subject: subject === null ? null : { ...subject, cascade },
  };
}

/** The question without a deletion: what becomes of the objects as they are? */
export function planCollection(
  dump: Dump,
  around: AroundOptions,
  kinds: KindCatalogue,
  properties: readonly string[],
): Plan {
  const question = { targets: [], namespace: null, cascade: 'background', around } as const;
  const plan = planDeletion(dump, question, kinds, properties);
  const title = `collect ${plan.source}`;
  const { [KUBECTL]: _nothing, ...users } = plan.setup.users;
  // The answer says of each object which owner it lacks.
  const all = dump.objects.map(objectOf);
  const said = new Set(ownerWarnings(plan.setup.objects, all, kinds));
  const { cluster } = plan;
  // What may go is in the plan, with what its controllers do.
  const planned = new Set(plan.setup.objects.map(({ uid }) => uid));
  const unasked = unaskedIn(all, ({ uid }) => planned.has(uid), dump.observations);
  return {
    ...plan,
    cluster: cluster && { ...cluster, besides: [...cluster.besides, ...unasked] },
    title,
    // The collector may have started after the objects were restored, and then it sees them in any
    // order. One that runs already gets the same events.
    setup: { ...plan.setup, name: title, users, caches: 'cold' },
    warnings: plan.warnings.filter((warning) => !said.has(warning)),
  };
}

function objectOf({ object }: Dump['objects'][number]): ApiObject {
  return object;
}

/** The kinds that the definitions among these objects define, in the form of references. */
function definedKinds(
  dump: Dump,
  kept: readonly ApiObject[],
  kinds: KindCatalogue,
): readonly OwnerReference[] {
  return kept.flatMap((object) => {
    const observed = dump.observations.get(keyOf(object));
    if (observed?.of !== 'CustomResourceDefinition') return [];
    const { group, version, namespaced } = observed;
    const kind =
      kinds.defined(observed) ?? kinds.accept(`${group}/${version}`, observed.kind, namespaced);
    const [apiVersion = ''] = kind.apiVersions;
    return [{ apiVersion, kind: kind.kind, name: '', uid: '' }];
  });
}

/** The place of the first object to delete. */
function targetPlace(dump: Dump, targets: readonly ApiObject[]): CheckPlace | null {
  const read = dump.objects.find(({ object }) => object === targets[0]);
  return read === undefined ? null : placeOf(read.document, [...read.path, 'metadata', 'name']);
}

const FIELDS_NAMED = 6;

function unreadFields(dump: Dump): Pick<Plan, 'unread'> {
  if (dump.ignored.length === 0) return {};
  const named = dump.ignored
    .slice(0, FIELDS_NAMED)
    .map(({ field, objects }) => `${field} (${objects})`);
  const more = dump.ignored.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  const unread = `Fields left out because deletion does not depend on them: ${named.join(', ')}${rest}.`;
  return { unread };
}
