import * as z from 'zod';
import { describer, isQuiet, type OpenStep } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { plainCluster } from '../cluster/state.ts';
import { badRequest, StatusError } from '../requests/status.ts';
import type { Reply, Served } from './context.ts';

/** `/reapcheck`: the steps that are possible now, in words, the choice of one of them, and more. */

const choiceSchema = z.union([
  z.strictObject({ number: z.int().min(1) }),
  z.strictObject({
    name: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  }),
]);

/** The steps that are possible now, numbered from 1. */
export function possibleSteps({ cluster }: Served): Reply {
  const state = plainCluster(cluster.state);
  const words = wordsOf(cluster);
  const steps = possible(cluster).map(({ step, after }, index) => ({
    number: index + 1,
    name: step.name,
    parameters: step.parameters,
    words: words.action(step, state, after),
  }));
  return { code: 200, body: { kind: 'ReapcheckSteps', revision: cluster.revision, steps } };
}

/** What is stored, what the controllers believe and do, in words. */
export function stateInWords({ cluster }: Served): Reply {
  const lines = wordsOf(cluster).state(cluster.state);
  return { code: 200, body: { kind: 'ReapcheckState', revision: cluster.revision, lines } };
}

function wordsOf({ setup, state }: ServedCluster) {
  return describer({ ...setup, objects: Object.values(state.store) });
}

/** How far the run of a token has come, and whether all controllers have finished their work. */
export function runProgress({ cluster, schedule }: Served): Reply {
  const { setup, state } = cluster;
  const quiet = isQuiet(setup, state);
  const progress = schedule.progress?.() ?? { state: 'complete', step: 0, of: 0 };
  return { code: 200, body: { kind: 'ReapcheckRun', quiet, ...progress } };
}

/** Takes a step. Throws `StatusError`. */
export function takeStep({ cluster, schedule }: Served, body: unknown): Reply {
  if (!schedule.manual) {
    throw new StatusError(
      409,
      'Conflict',
      'steps are taken one by one only with --schedule manual; this server takes them by itself',
    );
  }
  const choice = choiceSchema.safeParse(body);
  if (!choice.success) {
    throw badRequest('the body must be {"number": N} or {"name": ..., "parameters": {...}}');
  }
  const { data } = choice;
  const steps = possible(cluster);
  const found =
    'number' in data ? steps[data.number - 1] : steps.find(({ step }) => isSame(step, data));
  if (found === undefined) {
    throw new StatusError(409, 'Conflict', 'the step is not possible now: GET /reapcheck/steps');
  }
  const before = plainCluster(cluster.state);
  const words = wordsOf(cluster);
  cluster.take(found.step);
  const after = plainCluster(cluster.state);
  const { name, parameters } = found.step;
  const taken: Body = {
    name,
    parameters,
    words: words.action(found.step, before, after),
    changes: words.changes(before, after),
  };
  return { code: 200, body: { kind: 'ReapcheckStep', revision: cluster.revision, taken } };
}

function possible(cluster: ServedCluster) {
  return cluster.candidates().flatMap((step) => {
    const after = cluster.tried(step);
    return after === null ? [] : [{ step, after: plainCluster(after) }];
  });
}

function isSame(step: OpenStep, other: Pick<OpenStep, 'name' | 'parameters'>): boolean {
  const names = Object.keys(step.parameters);
  return (
    step.name === other.name &&
    names.length === Object.keys(other.parameters).length &&
    names.every((name) => step.parameters[name] === other.parameters[name])
  );
}

const controllersSchema = z.strictObject({ run: z.boolean() });

/** Ends or starts the controller manager. Throws `StatusError`. */
export function setControllers({ cluster, schedule }: Served, body: unknown): Reply {
  const choice = controllersSchema.safeParse(body);
  if (!choice.success) throw badRequest('the body must be {"run": true} or {"run": false}');
  if (schedule.progress?.()?.state === 'waits') {
    const message =
      'the run of the token says itself when its controllers stop: ask again when GET /reapcheck/run says that it is complete or left';
    throw new StatusError(409, 'Conflict', message);
  }
  const { run } = choice.data;
  const isChanged = cluster.setControllers(run);
  schedule.wake();
  return { code: 200, body: { kind: 'ReapcheckControllers', run, isChanged } };
}
