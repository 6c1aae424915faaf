import { describe, expect, it } from 'vitest';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import type { Plan } from '../../input/plan.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { budget, words } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

interface Content {
  readonly kind: 'ConfigMap' | 'Pod';
  /** Names of owners: `root` is a ConfigMap that a request deletes. */
  readonly owners?: readonly string[];
  /** Its node does not answer. */
  readonly isLost?: true;
  /** It has a finalizer that its owner takes off. */
  readonly isHeld?: true;
}

const FREE: Content = { kind: 'ConfigMap' };
const OWNED: Content = { ...FREE, owners: ['root'] };
const LOST: Content = { kind: 'Pod', isLost: true };
/** The API server takes no finalizer off it, as two owners are its controllers. */
const REFUSED: Content = { kind: 'Pod', isHeld: true, owners: ['o1', 'o2'] };

function item(kind: string, name: string, metadata: object, rest: object = {}) {
  return { apiVersion: 'v1', kind, metadata: { name, uid: `u-${name}`, ...metadata }, ...rest };
}

/** DELETEs in the background of a namespace and of an object in it. */
function planOf(contents: readonly Content[], namespace = 'shop'): Promise<Plan> {
  const items = contents.map(({ kind, owners = [], isLost, isHeld }, index) => {
    const ownerReferences = owners.map((name) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: `u-${name}`, controller: true },
    }));
    const finalizers = isHeld === true ? ['example.com/hold'] : [];
    const spec = { nodeName: isLost === true ? 'lost' : 'there' };
    const more = kind === 'Pod' ? { spec, status: { phase: 'Running' } } : {};
    return item(kind, `o${index}`, { namespace, ownerReferences, finalizers }, more);
  });
  const nodes = ['lost', 'there'].map((name) => {
    const ready = name === 'lost' ? 'Unknown' : 'True';
    return item('Node', name, {}, { status: { conditions: [{ type: 'Ready', status: ready }] } });
  });
  const shop = item('Namespace', namespace, {}, { spec: { finalizers: ['kubernetes'] } });
  const root = item('ConfigMap', 'root', { namespace });
  const all = { apiVersion: 'v1', kind: 'List', items: [shop, root, ...nodes, ...items] };
  return dumpPlan(JSON.stringify(all), `ns/${namespace} cm/root`, 'background', [], namespace);
}

function found(plan: Plan, world = PLAIN_WORLD) {
  return inPieces(plan, world, budget());
}

describe('pieces of a namespace that a pod holds back', () => {
  it('have the fates of the whole', async () => {
    const plan = await planOf([LOST, FREE, OWNED]);
    const whole = await grown(plan, PLAIN_WORLD, budget());
    expect(words(await found(plan))).toEqual(words(whole));
  });

  it('are none if a pod would go without the owners that the API server refuses', async () => {
    expect(await found(await planOf([REFUSED, FREE, FREE]))).toBe(null);
  });

  it('say nothing where the pod is not known to stay beside its owners', async () => {
    const world: World = { ...PLAIN_WORLD, finalizers: 'never' };
    // The pieces if all pods go lack the owner. The one beside the pod, with the owner, is large.
    const within = async (owners: readonly string[]) => {
      const plan = await planOf([{ kind: 'Pod', isHeld: true, owners }, FREE]);
      return inPieces(plan, world, { ...budget(), limits: { states: 100 } });
    };
    expect(words(await within([]))).toMatchObject({ 'u-o0': 'stays', 'u-o1': 'stays' });
    expect(await within(['root'])).toBe(null);
  });

  it('do not say when the pod begins to go, as its owners are not there', async () => {
    const pod: Content = { kind: 'Pod', isHeld: true, owners: ['root'] };
    // Nobody can delete this namespace, so only the collector deletes the pod.
    const plan = await planOf([pod], 'kube-system');
    const world: World = { ...PLAIN_WORLD, finalizers: 'never' };
    const decision = await found(plan, world);
    expect(decision?.fates.get('u-o0')).toMatchObject({ fate: 'stays', begins: true });
    // The controller goes on without pods that it cannot list.
    const setup = { ...plan.setup, unavailableApis: ['v1'] };
    expect(await found({ ...plan, setup }, world)).toBe(null);
  });
});
