import * as fc from 'fast-check';
import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { nextEvent } from '../../model/collector/watch.ts';
import type { Cluster, ClusterDraft, Observed, WatchEvent } from '../../model/state/cluster.ts';
import {
  cached,
  deliverToInformer,
  informerLossKey,
  loseInformerEvent,
  relistInformerAfterLoss,
  tellInformers,
} from '../../model/state/informers.ts';
import type { Setup } from '../../model/state/setup.ts';
import type { Informer } from '../../model/state/world.ts';
import { worldOf } from '../../model/system.ts';
import { clusterOf, configMap, setupOf } from '../properties/clusters.ts';
import { judged, sentences } from './judged-scenario.ts';
import { key } from './operators.ts';

/** Watches that lose events, and list again some time later. */

const KEEPS = 'no object stays whose owners are all gone';
const FINISHES = 'every deletion finishes';

describe('the collector reports the difference to what its informer still has', () => {
  const marks = { beingDeleted: false, orphan: false, foreground: false };
  const seen = (uid: string): Observed => {
    const identity = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a', uid };
    return { identity, ownerReferences: [], deletion: marks };
  };
  const at = { key: key('a') };
  const added: WatchEvent = { ...at, type: 'add', object: seen('one') };
  const again: WatchEvent = { ...at, type: 'add', object: seen('two') };
  const removed: WatchEvent = { ...at, type: 'delete', object: seen('one') };
  const updated: WatchEvent = {
    ...at,
    type: 'update',
    object: seen('one'),
    old: { ...marks, uid: 'one' },
  };
  const CASES: readonly (readonly [string, WatchEvent, WatchEvent, WatchEvent | null])[] = [
    ['a lost ADDED, then MODIFIED', added, updated, added],
    ['a lost ADDED, then DELETED', added, removed, null],
    [
      'a lost DELETED, then ADDED',
      removed,
      again,
      { ...at, type: 'update', object: seen('two'), old: { ...marks, uid: 'one' } },
    ],
    ['a lost MODIFIED, then DELETED', updated, removed, removed],
  ];

  it.each(CASES)('%s', (_, first, second, expected) => {
    const other: WatchEvent = { ...added, key: key('b') };
    const next = nextEvent([{ ...other, lost: true }, { ...first, lost: true }, second, other]);
    expect(next).toEqual({ event: expected, rest: [{ ...other, lost: true }, other] });
  });

  it('nothing is delivered while all that is pending is lost', () => {
    expect(nextEvent([{ ...added, lost: true }])).toBeNull();
  });
});

it('an informer sees each name change step by step, whatever its watch loses', () => {
  const setup = setupOf([configMap('a')], {
    namespaceAdmission: 'cached',
    lostEvents: { Namespace: 9 },
  });
  const world = worldOf(setup);
  const events: (readonly [string | null, string | null])[] = [];
  const informer: Informer = {
    ...world.informers![0]!,
    kind: 'ConfigMap',
    handle: (_cluster, _world, { before, after }) => {
      events.push([before?.uid ?? null, after?.uid ?? null]);
    },
  };
  const watched = { ...world, informers: [informer] };
  const a = key('a');
  const steps = fc.array(fc.constantFrom('change', 'remove', 'lose', 'deliver', 'relist'));
  fc.assert(
    fc.property(steps, (chosen) => {
      events.length = 0;
      let count = 0;
      const take = (draft: ClusterDraft, step: string): void => {
        const stored = draft.store[a];
        const before = stored === undefined ? null : configMap('a', { uid: stored.uid });
        if (step === 'change') draft.store[a] = configMap('a', { uid: `u${count++}` }) as never;
        else if (step === 'remove') delete draft.store[a];
        else if (step === 'lose') loseInformerEvent(draft, informer);
        else if (step === 'relist') relistInformerAfterLoss(draft, informer);
        else deliverToInformer(draft, watched, informer);
        const wrote = step === 'change' || (step === 'remove' && before !== null);
        if (wrote) tellInformers(draft, watched, a, before);
      };
      const start: Cluster = clusterOf([], {
        unseen: { [informer.name]: [] },
        budget: { [informerLossKey(informer)]: 9 },
      });
      const all = [...chosen, 'relist', ...chosen.map(() => 'deliver')];
      const end = all.reduce((now, step) => {
        const next = produce(now, (draft) => take(draft, step));
        const left = next.unseen[informer.name] ?? [];
        // The name has one object, so a delivered change makes up for all that were lost.
        const delivers = step === 'deliver' && next !== now;
        if (delivers) expect(left.some(({ lost }) => lost === true)).toBe(false);
        return next;
      }, start);
      expect(cached(end, informer.name, a)?.uid).toBe(end.store[a]?.uid);
      let last: string | null = null;
      for (const [before, after] of events) {
        expect(before).toBe(last);
        last = after;
      }
      expect(last).toBe(end.store[a]?.uid ?? null);
    }),
  );
});

describe('what a lost event does', () => {
  it('the collector takes a new owner for the old one, and keeps its dependent', async () => {
    const found = await judged('lost-delete-of-owner', {}, KEEPS);
    expect(found.verdict).toBe('violated');
    expect(sentences(found)).toContain('watch of ConfigMap: loses DELETED ConfigMap/a (uid uid-a)');
    const complete = ({ lostEvents: _, ...setup }: Setup): Setup => setup;
    expect((await judged('lost-delete-of-owner', {}, KEEPS, complete)).verdict).toBe('holds');
  });

  it('claim protection lets a claim go once a list shows that its pod is gone', async () => {
    const rules = { claimPodEvents: 'bothPods' } as const;
    const losing = (setup: Setup): Setup => ({ ...setup, relists: {}, lostEvents: { Pod: 1 } });
    const found = await judged('claim-pod-replaced-in-gap', rules, FINISHES, losing);
    expect(found.verdict).toBe('holds');
    const missed = { claimPodEvents: 'newPod' } as const;
    const stuck = await judged('claim-pod-replaced-in-gap', missed, FINISHES, losing);
    expect(stuck.verdict).toBe('violated');
  });
});
