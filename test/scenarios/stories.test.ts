import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { isOver } from '../../model/actors/quiescence.ts';
import { describer } from '../../model/describe/describer.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { deletionModel } from '../../model/system.ts';
import { folder, scenarioOf } from './read.ts';

/** The two stories in which the original proposal tells its design, told by the model. */

interface Chapter {
  /** The step of the story, in short; its number is its place. */
  readonly tells: string;
  /** The steps of the model that it takes: each is enabled when its turn comes. */
  readonly does: readonly RegExp[];
  /** What is so when it is done. */
  readonly then?: (cluster: Cluster) => boolean;
}

const queued = (queue: object): number => Object.keys(queue).length;
const known = (cluster: Cluster): string => Object.keys(cluster.graph).sort().join(' ');

const BEGINNING: readonly Chapter[] = [
  { tells: 'a user creates the Deployment', does: [/^user: POST Deployment/] },
  {
    tells: 'the graph builder enters it into the graph',
    does: [/sees ADDED Deployment/],
    then: (cluster) => known(cluster) === 'uid-d1',
  },
  {
    tells: 'the Deployment controller creates the ReplicaSet, owned, with the finalizer orphan',
    does: [
      /controller of Deployment.*decides to create ReplicaSet/,
      /controller of Deployment.*POST ReplicaSet/,
      /controller of Deployment.*observedGeneration=1/,
    ],
    then: ({ store }) =>
      store['ReplicaSet.apps/default/r1']?.finalizers.join() === 'orphan' &&
      store['ReplicaSet.apps/default/r1']?.ownerReferences[0]?.uid === 'uid-d1',
  },
  {
    tells: 'the graph builder enters the ReplicaSet, with its owner',
    does: [/sees ADDED ReplicaSet/],
    then: ({ dependents }) => dependents['uid-d1']?.join() === 'uid-r1',
  },
  {
    tells: 'the ReplicaSet controller creates the pods',
    does: [
      /controller of ReplicaSet.*decides to create Pod\/p1/,
      /controller of ReplicaSet.*POST Pod\/p1/,
      /controller of ReplicaSet.*decides to create Pod\/p2/,
      /controller of ReplicaSet.*POST Pod\/p2/,
      /controller of ReplicaSet.*observedGeneration=1/,
    ],
  },
  {
    tells: 'the graph builder enters the pods, with their owner',
    does: [/sees ADDED Pod\/p1/, /sees ADDED Pod\/p2/, /user: has waited/],
    then: ({ dependents }) => dependents['uid-r1']?.join() === 'uid-p1,uid-p2',
  },
];

const CASCADING: readonly Chapter[] = [
  {
    tells: 'the user deletes the Deployment with orphanDependents=false; it has no finalizers',
    does: [/^user: DELETE Deployment.*orphanDependents=false/, /removes Deployment/],
  },
  {
    tells: 'the finalizer orphan of the collector has nothing to do: nothing is queued for it',
    does: [],
    then: ({ attemptToOrphan }) => queued(attemptToOrphan) === 0,
  },
  {
    tells: 'the graph builder sees the Deployment go: its dependent becomes dirty',
    does: [/sees DELETED Deployment/],
    then: ({ attemptToDelete, attemptToOrphan }) =>
      queued(attemptToDelete) === 1 && queued(attemptToOrphan) === 0,
  },
  {
    tells: 'the collector finds the ReplicaSet without its owner and asks for its deletion',
    does: [
      /takes ReplicaSet.* from attemptToDelete/,
      /GET ReplicaSet/,
      /looks for the owners of ReplicaSet.*d1 is not there/,
      /gc worker: DELETE ReplicaSet.*orphanDependents=false/,
    ],
  },
  {
    tells: 'the API server takes orphan off the ReplicaSet, then removes it',
    does: [/updates ReplicaSet/, /removes ReplicaSet/],
  },
  {
    tells: 'the graph builder sees the ReplicaSet go: its pods become dirty',
    does: [/sees MODIFIED ReplicaSet/, /sees DELETED ReplicaSet/],
    then: ({ attemptToDelete }) => queued(attemptToDelete) === 2,
  },
  {
    tells: 'the collector finds a pod without its owner and asks for its deletion',
    does: [
      /takes Pod\/p1 from attemptToDelete/,
      /GET Pod\/p1/,
      /owners of Pod\/p1.*r1 is not there/,
      /DELETE Pod\/p1 orphanDependents=false/,
    ],
  },
  {
    tells: 'the API server removes it, and the other pods likewise',
    does: [
      /updates Pod\/p1/,
      /removes Pod\/p1/,
      /takes Pod\/p2 from attemptToDelete/,
      /GET Pod\/p2/,
      /owners of Pod\/p2.*r1 is not there/,
      /DELETE Pod\/p2 orphanDependents=false/,
      /updates Pod\/p2/,
      /removes Pod\/p2/,
      /sees MODIFIED Pod\/p1/,
      /sees DELETED Pod\/p1/,
      /sees MODIFIED Pod\/p2/,
      /sees DELETED Pod\/p2/,
    ],
    then: ({ store }) => queued(store) === 0,
  },
];

const ORPHANING: readonly Chapter[] = [
  {
    tells: 'the user deletes the Deployment with orphanDependents=true',
    does: [/^user: DELETE Deployment.*orphanDependents=true/],
  },
  {
    tells: 'the API server marks it in one update, with generation 2 and orphan, and keeps it',
    does: [/updates Deployment/],
    then: ({ store }) => {
      const owner = store['Deployment.apps/default/d1'];
      return (
        owner?.deletionTimestamp === 0 &&
        owner.deletionGracePeriodSeconds === 0 &&
        owner.generation === 2 &&
        owner.finalizers.join() === 'orphan'
      );
    },
  },
  {
    tells: 'the Deployment controller acknowledges the new generation',
    does: [/controller of Deployment.*observedGeneration=2/],
  },
  {
    tells:
      'the finalizer orphan notes the generation, waits for it, frees the ReplicaSet, then lets go',
    does: [
      /sees MODIFIED Deployment/,
      /takes Deployment.* from attemptToOrphan/,
      /GET Deployment.*generation 2 is observed/,
      /reads dependents of Deployment.*r1/,
      /PUT ReplicaSet.*removes owner/,
      /GET Deployment.*orphan is to be taken off/,
      /PUT Deployment.*removes finalizer orphan/,
    ],
    then: ({ store }) => store['ReplicaSet.apps/default/r1']?.ownerReferences.length === 0,
  },
  { tells: 'the API server removes the Deployment', does: [/removes Deployment/] },
  {
    tells: 'the graph builder sees it go before it sees the ReplicaSet freed, which becomes dirty',
    does: [/sees DELETED Deployment/],
    then: ({ attemptToDelete }) => queued(attemptToDelete) === 1,
  },
  {
    tells: 'the collector passes the ReplicaSet over: it has no owner references',
    does: [
      /takes ReplicaSet.* from attemptToDelete/,
      /GET ReplicaSet.*no owners: nothing to do/,
      /sees MODIFIED ReplicaSet/,
    ],
    then: ({ store }) => queued(store) === 3,
  },
];

function told(name: string, chapters: readonly Chapter[]): string {
  const file = join(folder, `${name}.yaml`);
  const { setup } = scenarioOf(name, file, readFileSync(file, 'utf8'));
  const model = deletionModel(setup);
  const words = describer(setup);
  let [state] = model.initial;
  const lines: string[] = [];
  for (const [index, { tells, does, then }] of chapters.entries()) {
    lines.push(`${index + 1}. ${tells}`);
    for (const pattern of does) {
      const before: Cluster | undefined = state;
      if (before === undefined) throw new Error('no initial state');
      const enabled = Object.entries(model.actions).flatMap(([action, { parameters, reduce }]) =>
        parameters.flatMap((chosen) => {
          const after = produce(before, (draft) => reduce(draft, chosen));
          if (after === before) return [];
          const sentence = words.action({ name: action, parameters: chosen }, before, after);
          return [{ sentence, after }];
        }),
      );
      const next = enabled.find(({ sentence }) => pattern.test(sentence));
      const offered = enabled.map(({ sentence }) => sentence);
      if (next === undefined)
        throw new Error(`${index + 1}: no ${pattern} in ${offered.join('; ')}`);
      lines.push(`     ${next.sentence}`);
      lines.push(...words.changes(before, next.after).map((change) => `          ${change}`));
      state = next.after;
    }
    expect(state === undefined || then?.(state) !== false, `after ${index + 1}. ${tells}`).toBe(
      true,
    );
  }
  expect(state !== undefined && isOver(setup, state)).toBe(true);
  return `${lines.join('\n')}\n`;
}

describe('the life of a Deployment and its descendants', () => {
  it.each([
    ['cascading', CASCADING, 14],
    ['orphaning', ORPHANING, 13],
  ] as const)('%s, in the order of the proposal', async (name, end, steps) => {
    const chapters = [...BEGINNING, ...end];
    expect(chapters).toHaveLength(steps);
    await expect(told(`life-of-a-deployment-${name}`, chapters)).toMatchFileSnapshot(
      `../golden/life-of-a-deployment-${name}.txt`,
    );
  });
});
