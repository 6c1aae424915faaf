import fc from 'fast-check';
import { freeze } from 'immer';
import { describe, expect, it } from 'vitest';
import { observe } from '../../../model/apiserver/store.ts';
import type { Call, Change, DeleteOptions } from '../../../model/state/calls.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { type ApiObject, keyOf, thirdPartyFinalizers } from '../../../model/state/objects.ts';
import {
  clusterOf,
  configMap,
  deletion,
  namespace,
  pod,
  readBy,
  serveStep,
  update,
  WIDGET,
  world,
} from './fixtures.ts';

const env = world();
const NAMES = ['a', 'b'];
const OBJECTS = [
  ...NAMES.map((name) =>
    configMap(name, { kind: WIDGET.name, generation: 1, finalizers: ['a/b'] }),
  ),
  pod('a', { finalizers: ['orphan'] }),
  namespace('shop'),
];
const START = freeze(clusterOf(...OBJECTS), true);
const key = fc.constantFrom(...OBJECTS.map(keyOf));
const finalizers = fc.subarray(['a/b', 'c/d', 'orphan', 'foregroundDeletion']);
const owners = fc.subarray(
  ['o', 'p'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: `u-${name}` })),
);
const policy = fc.constantFrom('Foreground', 'Background', 'Orphan') as fc.Arbitrary<
  NonNullable<DeleteOptions['propagationPolicy']>
>;
const options: fc.Arbitrary<DeleteOptions> = fc.oneof(
  fc.record({ propagationPolicy: policy }, { requiredKeys: [] }),
  fc.record({ orphanDependents: fc.boolean(), gracePeriodSeconds: fc.constantFrom(-1, 0, 5, 40) }),
  fc.record({
    dryRun: fc.boolean(),
    preconditions: fc.record({ resourceVersion: fc.constant(true as const) }),
  }),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  finalizers.map((names): Change => ({ do: 'setFinalizers', finalizers: names })),
  finalizers.map((names): Change => ({ do: 'removeFinalizer', finalizer: names[0] ?? 'a/b' })),
  fc.constant<Change>({ do: 'addFinalizer', finalizer: 'c/d' }),
  owners.map((ownerReferences): Change => ({ do: 'setOwnerReferences', ownerReferences })),
  fc.constantFrom<Change>({ do: 'touch' }, { do: 'nothing' }),
);

/** A client begins a request, continues the one in flight, or reads an object. */
type Move =
  | { readonly client: string; readonly do: 'continue' }
  | { readonly client: string; readonly do: 'read'; readonly key: string }
  | { readonly client: string; readonly do: 'begin'; readonly call: Call };

const client = fc.constantFrom('x', 'y', 'z');
const begun: fc.Arbitrary<Call> = fc.oneof(
  fc.constantFrom(...OBJECTS).map((object): Call => ({ verb: 'create', client: '', object })),
  fc.tuple(key, options).map(([at, given]): Call => deletion(at, given)),
  fc
    .record({ key, change, put: fc.boolean(), resourceVersion: fc.boolean(), dryRun: fc.boolean() })
    .map(({ key: at, change: what, ...more }): Call => update(at, what, more)),
);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ client, do: fc.constant('continue' as const) }) },
  { weight: 1, arbitrary: fc.record({ client, do: fc.constant('read' as const), key }) },
  { weight: 3, arbitrary: fc.record({ client, do: fc.constant('begin' as const), call: begun }) },
);

interface Step {
  readonly before: Cluster;
  readonly after: Cluster;
  readonly call: Call;
}

/** Every step of the requests, interleaved as the moves say. Each create gets a fresh uid. */
function play(moves: readonly Move[]): readonly Step[] {
  let cluster = START;
  let created = 0;
  const flying = new Map<string, Call>();
  const steps: Step[] = [];
  for (const next of moves) {
    if (next.do === 'read') {
      cluster = freeze(readBy(cluster, next.client, next.key), true);
      continue;
    }
    let call = flying.get(next.client);
    if (call === undefined && next.do === 'begin') {
      call = { ...next.call, client: next.client };
      if (call.verb === 'create') {
        created += 1;
        call = { ...call, object: { ...call.object, uid: `u${created}` } };
      }
    }
    if (call === undefined) continue;
    const served = serveStep(cluster, env, freeze(call, true));
    steps.push({ before: cluster, after: served.cluster, call });
    if (served.progress.done) flying.delete(next.client);
    else flying.set(next.client, served.progress.call);
    cluster = freeze(served.cluster, true);
  }
  return steps;
}

/** The object before and after, if both have the same uid. */
function survivors({ before, after }: Step): readonly (readonly [ApiObject, ApiObject])[] {
  return Object.entries(before.store).flatMap(([at, was]) => {
    const is = after.store[at];
    return is !== undefined && is.uid === was.uid ? [[was, is] as const] : [];
  });
}

const moves = fc.array(move, { minLength: 5, maxLength: 60 });

describe('laws of every sequence of requests', () => {
  it('deletion is one-way', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        for (const step of play(sequence)) {
          for (const [was, is] of survivors(step)) {
            if (was.deletionTimestamp === null) continue;
            expect(is.deletionTimestamp).not.toBeNull();
            expect(is.deletionTimestamp ?? 0).toBeLessThanOrEqual(was.deletionTimestamp);
            expect(is.generation).toBe(was.generation);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('an update adds no finalizer to an object in deletion, and a DELETE adds only those of the collector', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        for (const step of play(sequence)) {
          for (const [was, is] of survivors(step)) {
            if (step.call.verb === 'delete') {
              expect(thirdPartyFinalizers(is)).toEqual(thirdPartyFinalizers(was));
            } else if (was.deletionTimestamp !== null) {
              expect(was.finalizers).toEqual(expect.arrayContaining([...is.finalizers]));
            }
            expect(is.finalizers.filter((name) => !name.includes('/')).length).toBeLessThan(2);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the events for the collector show exactly what the store contains', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const end = play(sequence).at(-1)?.after ?? START;
        const readable = ({ store }: Cluster) =>
          Object.fromEntries(
            Object.values(store).map((object) => [keyOf(object), observe(object, env)]),
          );
        const told: Record<string, unknown> = readable(START);
        for (const event of Object.values(end.watch).flat()) {
          if (event.type === 'add') expect(told[event.key]).toBeUndefined();
          else expect(told[event.key]).toBeDefined();
          if (event.type === 'delete') {
            expect(told[event.key]).toEqual(event.object);
            delete told[event.key];
            continue;
          }
          if (event.type === 'update') {
            const { uid, ...marks } = event.old;
            expect(told[event.key]).toMatchObject({ identity: { uid }, deletion: marks });
            expect(told[event.key]).not.toEqual(event.object);
          }
          told[event.key] = event.object;
        }
        expect(told).toEqual(readable(end));
      }),
      { numRuns: 300 },
    );
  });

  it('a step writes at most one object, and outdates the reads of every other client', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        for (const { before, after, call } of play(sequence)) {
          const written = [
            ...new Set([...Object.keys(before.store), ...Object.keys(after.store)]),
          ].filter((at) => before.store[at] !== after.store[at]);
          expect(written.length).toBeLessThan(2);
          for (const [reader, at] of Object.entries(after.unchangedSince)) {
            expect(before.unchangedSince[reader]).toBe(at);
            if (written.includes(at)) expect(reader).toBe(call.client);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
