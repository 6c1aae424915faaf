import fc from 'fast-check';
import { current, produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { processGraphChange } from '../../../model/collector/graph-builder.ts';
import { requestOf } from '../../../model/collector/requests.ts';
import { deliverVirtualDelete } from '../../../model/collector/watch.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { identityOfNode } from '../../../model/state/nodes.ts';
import { type ApiObject, FOREGROUND, ORPHAN } from '../../../model/state/objects.ts';
import { configMap, DELETING, world } from '../apiserver/fixtures.ts';
import { changed, gone, ownedBy, queue, stored, told, work } from './fixtures.ts';

/** Details of the collector that no fact shows alone. */

const WORLD = world();
const owner = configMap('owner');
const dependent = configMap('dependent', { ownerReferences: [ownedBy(owner)] });
const node = configMap('node', { kind: 'Node', namespace: '' });

function idOf({ kind, namespace, name, uid }: ApiObject): string {
  return JSON.stringify(['v1', kind, namespace, name, uid]);
}

function only(object: ApiObject, cluster: Cluster): Cluster {
  return { ...cluster, attemptToDelete: { [idOf(object)]: 'current' } };
}

it('the graph has the dependents of an owner in order, whenever they come and go', () => {
  const children = [...'abcdefgh'].map((name) =>
    configMap(name, { ownerReferences: [ownedBy(owner)] }),
  );
  const events = fc.array(
    fc.record({ child: fc.constantFrom(...children), isGone: fc.boolean() }),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(events, (seen) => {
      const known = new Set<string>();
      let state = told(stored(owner, ...children), WORLD, owner);
      for (const { child, isGone } of seen) {
        if (isGone) known.delete(child.uid);
        else known.add(child.uid);
        state = isGone ? gone(state, WORLD, child) : told(state, WORLD, child);
      }
      expect(state.dependents['u-owner'] ?? []).toEqual([...known].sort());
    }),
    { numRuns: 30 },
  );
});

describe('what counts as an owner', () => {
  it('an owner with only a finalizer does not count as waiting', () => {
    const marked = { ...owner, finalizers: [FOREGROUND] };
    const start = only(dependent, told(stored(marked, dependent), WORLD, marked, dependent));
    expect(work(start, WORLD).requests).toEqual(['get dependent 200', 'get owner 200']);
  });

  it('an owner that is being deleted and held by other finalizers is solid', () => {
    const held = { ...owner, ...DELETING, finalizers: ['example.com/hold', ORPHAN] };
    const start = only(dependent, told(stored(held, dependent), WORLD, owner, dependent));
    expect(work(start, WORLD).requests).toEqual(['get dependent 200', 'get owner 200']);
  });

  it('a patch names dangling references before waiting ones', () => {
    const waiting = configMap('waiting', { finalizers: [FOREGROUND], ...DELETING });
    const solid = configMap('solid');
    const mixed = configMap('mixed', {
      ownerReferences: [ownedBy(waiting), ownedBy(owner), ownedBy(solid)],
    });
    const state = told(stored(waiting, solid, mixed), WORLD, waiting, owner, solid, mixed);
    const uids: unknown[] = [];
    work(only(mixed, state), WORLD, 'attemptToDelete', (_, request) => {
      if (request?.verb === 'patch' && 'uids' in request.patch) uids.push(...request.patch.uids);
    });
    expect(uids).toEqual(['u-owner', 'u-waiting']);
  });

  it.each([
    [ORPHAN, 'Orphan'],
    [FOREGROUND, 'Foreground'],
    ['example.com/hold', 'Background'],
  ])('with none left, finalizer %s asks for %s', (finalizer, policy) => {
    const marked = { ...dependent, finalizers: [finalizer] };
    const start = only(dependent, told(stored(marked), WORLD, marked));
    expect(work(start, WORLD).requests.at(-1)).toBe(`delete dependent ${policy} 200`);
  });
});

describe('absent cluster-scoped owners', () => {
  const child = (name: string, namespace: string): ApiObject =>
    configMap(name, { namespace, ownerReferences: [ownedBy(node)] });

  it('are remembered without a namespace, for dependents of every namespace', () => {
    const here = child('here', 'default');
    const there = child('there', 'other');
    const state = told(stored(here, there), WORLD, here, there);
    const first = work(only(here, state), WORLD);
    expect(first.requests).toEqual(['get here 200', 'get node 404', 'delete here Background 200']);
    expect(Object.keys(first.cluster.absentOwners)).toEqual([idOf(node)]);
    const second = work(only(there, first.cluster), WORLD);
    expect(second.requests).toEqual(['get there 200', 'delete there Background 200']);
  });
});

describe('nodes that leave the graph', () => {
  it('a worker continues with the state of the node that it holds', () => {
    // The worker has found that its owner waits. The owner's node, which has a dependent, is
    // removed in the meantime.
    const waiting = { ...owner, finalizers: [FOREGROUND], ...DELETING };
    const leaf = configMap('leaf', { ownerReferences: [ownedBy(dependent)] });
    const state = told(stored(waiting, dependent, leaf), WORLD, owner, dependent, leaf);
    const start = only(dependent, state);
    const looks: string[] = [];
    const { requests } = work(start, WORLD, 'attemptToDelete', (draft, request) => {
      looks.push(request?.verb ?? 'look');
      if (request !== null || looks.length !== 3) return;
      processGraphChange(draft, WORLD, {
        type: 'delete',
        identity: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          namespace: 'default',
          name: 'dependent',
          uid: 'u-dependent',
        },
      });
    });
    expect(requests.at(-1)).toBe('delete dependent Foreground 200');
  });

  it.each([
    [dependent, ['get dependent 200']],
    [{ ...dependent, ...DELETING, finalizers: ['example.com/hold'] }, []],
  ])('one that is tried again needs no check if it was being deleted (%#)', (last, requests) => {
    const renewed = { ...dependent, uid: 'u-renewed', ownerReferences: [] };
    const start = only(dependent, told(stored(dependent), WORLD, dependent));
    const failed = work(start, WORLD, 'attemptToDelete', (draft, request) => {
      if (request?.verb !== 'delete') return;
      const after = gone(changed(current(draft), WORLD, dependent, last), WORLD, last);
      Object.assign(draft, after, { store: stored(renewed).store });
    });
    expect(failed.requests.at(-1)).toBe('delete dependent Background 409');
    expect(Object.keys(failed.cluster.attemptToDelete)).toEqual([idOf(dependent)]);
    expect(work(failed.cluster, WORLD).requests).toEqual(requests);
  });

  it('a node that returns while a worker holds the old one is queued with its own state', () => {
    const unserved = { apiVersion: 'unserved/v1', kind: 'Ghost', name: 'ghost', uid: 'u-ghost' };
    const first = configMap('first', { ownerReferences: [unserved] });
    const second = configMap('second', { ownerReferences: [unserved] });
    const state = told(stored(first, second), WORLD, first);
    let looked = 0;
    const { cluster } = work(state, WORLD, 'attemptToDelete', (draft) => {
      looked++;
      if (looked > 1) return;
      const identity = { ...unserved, namespace: 'default' };
      processGraphChange(draft, WORLD, { type: 'virtualDelete', identity });
      processGraphChange(draft, WORLD, {
        type: 'add',
        object: {
          identity: {
            ...identity,
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name: 'second',
            uid: 'u-second',
          },
          ownerReferences: [unserved],
          deletion: { beingDeleted: false, orphan: false, foreground: false },
        },
        old: null,
      });
    });
    expect(Object.values(cluster.attemptToDelete)).toEqual(['current', 'current']);
    expect(queue(cluster, 'attemptToDelete')).toEqual(['first', 'ghost*']);
  });

  it('a virtual node that takes another name stays queued under its old name', () => {
    const wrong = configMap('wrong', { ownerReferences: [ownedBy(owner, { name: 'elsewhere' })] });
    const state = told(stored(wrong, dependent), WORLD, wrong, dependent);
    const looked = work(state, WORLD);
    expect(looked.requests).toEqual(['get elsewhere 404']);
    const requeued = { ...looked.cluster, attemptToDelete: state.attemptToDelete };
    const [gone = ''] = Object.keys(requeued.graphChanges);
    const after = produce(requeued, (draft) => deliverVirtualDelete(draft, WORLD, gone));
    const named = Object.entries(after.attemptToDelete).map(([id, entry]) => [
      (JSON.parse(id) as string[])[3],
      entry,
    ]);
    expect(named).toEqual([
      ['elsewhere', 'detachedVirtual'],
      ['dependent', 'current'],
      ['wrong', 'current'],
      ['owner', 'current'],
    ]);
  });
});

describe('virtual delete events', () => {
  it('are queued once for each node that was not found, and handled in any order', () => {
    const ghosts = ['first', 'second'].map((name) => ownedBy(configMap(name)));
    const state = told(
      stored(),
      WORLD,
      ...ghosts.map((ghost) => configMap(`of-${ghost.name}`, { ownerReferences: [ghost] })),
    );
    const looked = work(work(state, WORLD).cluster, WORLD).cluster;
    const again = work({ ...looked, attemptToDelete: state.attemptToDelete }, WORLD).cluster;
    const waiting = Object.keys(again.graphChanges);
    expect(waiting.map((id) => identityOfNode(id).name).sort()).toEqual(['first', 'second']);
    const left = [waiting, [...waiting].reverse()].map((order) =>
      produce(again, (draft) => {
        for (const id of order) deliverVirtualDelete(draft, WORLD, id);
        deliverVirtualDelete(draft, WORLD, order[0] ?? '');
      }),
    );
    for (const { graph, graphChanges } of left) {
      expect(Object.keys(graph)).toEqual(['u-of-first', 'u-of-second']);
      expect(graphChanges).toEqual({});
    }
  });

  it('do not change a virtual node that has another name by now', () => {
    const wrong = configMap('wrong', { ownerReferences: [ownedBy(owner, { name: 'elsewhere' })] });
    const zebra = configMap('last', { ownerReferences: [ownedBy(owner, { name: 'zebra' })] });
    const state = told(stored(wrong, dependent, zebra), WORLD, wrong, dependent, zebra);
    const late = produce(state, (draft) => {
      processGraphChange(draft, WORLD, {
        type: 'virtualDelete',
        identity: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          namespace: 'default',
          name: 'owner',
          uid: 'u-owner',
        },
      });
    });
    // The node has the name `elsewhere`. Only items that refer to `owner` are checked.
    expect(late.graph['u-owner']?.identity.name).toBe('elsewhere');
    expect(queue(late, 'attemptToDelete')).toEqual(['elsewhere*', 'dependent', 'last']);
  });
});

describe('events', () => {
  it('an update of an unknown object adds its state without a transition', () => {
    const waiting = { ...owner, finalizers: [FOREGROUND], ...DELETING };
    const state = changed(stored(waiting), WORLD, waiting, waiting);
    expect(state.graph['u-owner']).toMatchObject({ beingDeleted: true, deletingDependents: true });
    expect(queue(state, 'attemptToDelete')).toEqual([]);
  });

  it('a delete of an unknown object changes nothing', () => {
    const state = told(stored(), WORLD, owner);
    expect(gone(state, WORLD, dependent)).toBe(state);
  });
});

describe('the finalizer of an owner that is gone', () => {
  it('needs no patch', () => {
    const waiting = { ...owner, finalizers: [FOREGROUND], ...DELETING };
    const state = changed(told(stored(waiting), WORLD, owner), WORLD, owner, waiting);
    const { cluster, requests } = work(state, WORLD, 'attemptToDelete', (draft, request) => {
      const worker = draft.deleteWorkers['worker-1'];
      if (worker?.at === 'getForFinalizer' && request !== null) draft.store = {};
    });
    expect(requests).toEqual(['get owner 200', 'get owner 404']);
    expect(queue(cluster, 'attemptToDelete')).toEqual([]);
  });
});

it('a worker that only reads the graph announces no request', () => {
  const state = told(stored(), WORLD, owner);
  const worker = { node: idOf(owner), at: 'readBlockingDependents' } as const;
  expect(requestOf(WORLD, state, worker)).toBeNull();
});
