import type { HiddenStep } from '../../../checker/index.ts';
import { demandedBy } from '../matching/calls.ts';
import { objectOf } from '../matching/initial-objects.ts';
import { requestOfTrial, type Trial } from './context.ts';
import { concerns } from './deferred-reads.ts';
import { settled } from './eager-steps.ts';
import { candidates, isCovered, withLateness } from './pending-gets.ts';
import { keyOfNode } from './queue-items.ts';
import type { Done, TraceState } from './trace-state.ts';
import { nextRequest, posts, stepPost, withRead } from './workers.ts';

/**
 * GETs of the collector that a log with gaps leaves out: audit policies often do not log reads. A
 * worker that stands before one hears what is stored at that moment. Writing requests of the
 * collector are never taken to be left out.
 */
export function unloggedGets(
  trial: Trial,
  state: TraceState,
  due: number,
): readonly HiddenStep<TraceState>[] {
  const wanted = trial.keys[due] ?? null;
  if (!trial.partial || wanted === null) return [];
  const steps: HiddenStep<TraceState>[] = [];
  for (const key of keysOfGets(trial, state)) {
    for (const { sender, post } of candidates(trial, state, key)) {
      if (!concerns(trial, state, post.node, wanted)) continue;
      for (const read of readings(trial, state, key, due)) {
        steps.push({
          label: `${post.role} worker reads unseen`,
          take: (from) => heardUnseen(trial, from, key, sender, read ?? readNow(from, key)),
        });
      }
    }
  }
  return steps;
}

/** Where workers, and items that wait, would send a GET next. */
function keysOfGets(trial: Trial, state: TraceState): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const post of posts(state)) {
    const request = nextRequest(trial, state, post);
    if (request?.verb === 'get') keys.add(request.key);
  }
  const { attemptToDelete, attemptToOrphan } = state.cluster;
  for (const node of Object.keys({ ...attemptToDelete, ...attemptToOrphan })) {
    const key = keyOfNode(trial, node);
    if (key !== null) keys.add(key);
  }
  return keys;
}

interface Reading {
  readonly done: Done;
  readonly version: string | null;
}

function readNow(state: TraceState, key: string): Reading {
  const object = state.cluster.store[key];
  return {
    done: object === undefined ? { code: 404, object: null } : { code: 200, object },
    version: state.stored[key]?.version ?? null,
  };
}

/** What is stored now (null), and the version on which the request to be explained insists. */
function readings(
  trial: Trial,
  state: TraceState,
  key: string,
  due: number,
): readonly (Reading | null)[] {
  const demanded = demandedBy(requestOfTrial(trial, due).body);
  const earlier = trial.timeline.changes
    .slice(0, state.changes)
    .find((change) => change.key === key && change.seen.object.resourceVersion === demanded);
  if (earlier === undefined || demanded === state.stored[key]?.version) return [null];
  const object = objectOf(earlier.seen, earlier.seen.name, earlier.seen.object);
  return [null, { done: { code: 200, object }, version: demanded }];
}

function heardUnseen(
  trial: Trial,
  state: TraceState,
  key: string,
  sender: string,
  { done, version }: Reading,
): TraceState | null {
  const candidate = candidates(trial, state, key).find((one) => one.sender === sender);
  if (candidate === undefined) return null;
  const { post } = candidate;
  const stepped = withRead(stepPost(trial, candidate.state, post, done), post, version);
  const after = settled(trial, withLateness(trial, state, stepped, post.sender));
  return isCovered(trial, after) ? after : null;
}
