import {
  type ApiObject,
  isBeingDeleted,
  type KindTable,
  keyOf,
  type ObjectKey,
  type UserStep,
} from '../../model/index.ts';
import type { AroundOptions } from '../cluster/around.ts';
import type { Observation } from '../cluster/observations.ts';
import type { Plan } from '../plan.ts';
import type { Look } from '../work-clock.ts';
import { planAbout } from './deletion.ts';
import type { Dump } from './dump.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { displayName } from './names.ts';
import { findTarget } from './target.ts';

/** The question about a dump: why is not gone what is being deleted? */
export interface ExplanationQuestion {
  /** `KIND/NAME[.NAMESPACE]`; none: everything that is being deleted. */
  readonly targets: readonly string[];
  readonly namespace: string | null;
  readonly around: AroundOptions;
}

/** What changes in the cluster for a remedy. */
export interface Changed {
  /** Objects of the dump that go. */
  readonly targets: readonly ApiObject[];
  readonly users: Readonly<Record<string, readonly UserStep[]>>;
  /** What the dump would say of these objects then. */
  readonly observations: ReadonlyMap<ObjectKey, Observation>;
  /** Names of nodes that are up again. */
  readonly nodesBack: readonly string[];
}

export const NOTHING_CHANGED: Omit<Changed, 'targets'> = {
  users: {},
  observations: new Map(),
  nodesBack: [],
};

/** What is being deleted, the dump that it is from, and the plans about it. */
export interface Explanation {
  readonly dump: Dump;
  readonly targets: readonly ApiObject[];
  readonly kinds: KindTable;
  /** The plan in which nobody sends a request. */
  readonly plan: Plan;
  /** The plan about these objects after a change. What `look` throws ends the planning. */
  readonly planAfter: (changed: Changed, look: Look) => Plan;
}

/** @param finish what the options change in the model of each plan. */
export function explanationOf(
  dump: Dump,
  question: ExplanationQuestion,
  kinds: KindCatalogue,
  properties: readonly string[],
  finish: (plan: Plan) => Plan,
): Explanation {
  const objects = dump.objects.map(({ object }) => object);
  const named = question.targets.map((text) =>
    findTarget(text, question.namespace, objects, kinds, dump.files.join(', ')),
  );
  const { namespace } = question;
  const deleting = objects.filter(
    (object) =>
      isBeingDeleted(object) &&
      (namespace === null || object.namespace === namespace || object.name === namespace),
  );
  const targets = named.length > 0 ? named : deleting;
  const byUid = new Map(objects.map((object) => [object.uid, object]));
  const planIn = (of: Dump, { targets: given, users, observations, nodesBack }: Changed): Plan => {
    const { around } = question;
    // What is read off the dump is known of its objects; those of a plan are copies.
    const going = [...new Set(given.map((one) => byUid.get(one.uid) ?? one))];
    const lostNodes = around.lostNodes.filter((node) => !nodesBack.includes(node));
    const idle = new Set(Object.keys(users).length === 0 ? going.filter(isIdle) : []);
    const plan = planAbout(
      { ...of, observations: new Map([...dump.observations, ...observations]) },
      { title: titleOf(going), targets: going, users, around: { ...around, lostNodes }, idle },
      kinds,
      properties,
    );
    return { ...finish(plan), subject: null };
  };
  const plan = planIn(dump, { ...NOTHING_CHANGED, targets });
  const planAfter: Explanation['planAfter'] = (changed, look) => planIn({ ...dump, look }, changed);
  return { dump, targets, kinds: kinds.table(), plan, planAfter };
}

/** Without a request nothing deletes it: the collector deletes dependents only. */
function isIdle(object: ApiObject): boolean {
  return !isBeingDeleted(object) && object.ownerReferences.length === 0;
}

const NAMED = 3;

function titleOf(targets: readonly ApiObject[]): string {
  if (targets.length === 0) return 'nothing is being deleted';
  const names = targets.slice(0, NAMED).map(displayName).join(', ');
  const more = targets.length - NAMED;
  return `why ${names}${more > 0 ? ` and ${more} more` : ''} is not gone`;
}

/** The object of the dump with this store key; null: there is none. */
export function objectAt({ objects }: Dump, key: ObjectKey): ApiObject | null {
  return objects.find(({ object }) => keyOf(object) === key)?.object ?? null;
}
