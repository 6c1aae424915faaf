import { z } from 'zod';
import { applyChange, type NamespaceAnswer } from '../../../model/index.ts';
import { compare } from '../collector/compare-state.ts';
import { compareListed } from '../collector/observable-state.ts';
import { passedOr } from '../collector/trace.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { failureAnswer, resultError, runController } from './run-controller.ts';
import { namespaceGiven, namespaceOf } from './shapes.ts';

/** The controller's writes of a namespace: what it sends, and what it does about a conflict. */

const givenSchema = z.strictObject({ firstAnswers: z.array(z.string()) });
const steps = z.tuple([z.strictObject({ do: z.literal('retryOnConflict') })]);
const expectSchema = z.strictObject({
  error: z.string().nullable().optional(),
  tries: z.number().int().optional(),
});

/** `namespace-retry` */
export const interpretNamespaceRetry: Interpreter = (fact, rules) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const taken = parseWith(steps, fact.steps, 'steps');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (taken.outcome !== null) return taken.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const namespace = namespaceOf({ name: 'given', deletionTimestamp: 'set', phase: 'Terminating' });
  let tries = 0;
  const run = runController(
    rules,
    { at: 'finalize', namespace },
    { operations: [] },
    (request): NamespaceAnswer => {
      if (request.verb === 'get') return { kind: 'namespace', namespace };
      const word = given.value.firstAnswers[tries] ?? 'ok';
      tries += 1;
      return word === 'ok' ? { kind: 'namespace', namespace } : failureAnswer(word);
    },
  );
  const { error, tries: statedTries } = expected.value;
  return passedOr(
    (error === undefined ? null : compare('error', error, resultError(run.result))) ??
      (statedTries === undefined ? null : compare('tries', statedTries, tries)),
    'retryOnConflictError, model/actors/namespaces/controller.ts',
  );
};

const finalizeGiven = z.strictObject({
  namespace: namespaceGiven,
  token: z.literal('kubernetes').optional(),
});

const finalizeSteps = z.union([
  z.tuple([]),
  z.tuple([z.strictObject({ do: z.enum(['finalize', 'finalizeNamespace']) })]),
]);

const finalizeExpect = z.strictObject({
  error: z.string().nullable().optional(),
  specFinalizers: z.array(z.string()).optional(),
  namespaceRequests: z
    .array(
      z.strictObject({
        verb: z.string(),
        resource: z.string(),
        subresource: z.string().optional(),
        specFinalizers: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});

/** `namespace-finalize`: the one request that takes the token off. */
export const interpretNamespaceFinalize: Interpreter = (fact, rules) => {
  const given = parseWith(finalizeGiven, fact.given, 'given');
  const taken = parseWith(finalizeSteps, fact.steps, 'steps');
  const expected = parseWith(finalizeExpect, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (taken.outcome !== null) return taken.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const namespace = namespaceOf(given.value.namespace);
  const after = applyChange(namespace, { do: 'finalizeNamespace' });
  const run = runController(rules, { at: 'finalize', namespace }, { operations: [] }, () => ({
    kind: 'namespace',
    namespace: after,
  }));
  const sent = { resource: 'namespaces', specFinalizers: after.specFinalizers ?? [] };
  const requests = run.requests.map(({ verb }) =>
    verb === 'finalize'
      ? { ...sent, verb: 'create', subresource: 'finalize' }
      : { ...sent, verb, subresource: '' },
  );
  const { error, specFinalizers, namespaceRequests } = expected.value;
  return passedOr(
    (error === undefined ? null : compare('error', error, resultError(run.result))) ??
      (specFinalizers === undefined
        ? null
        : compare('specFinalizers', specFinalizers, after.specFinalizers)) ??
      compareListed('namespaceRequests', namespaceRequests, requests),
    'finalizeNamespace, model/actors/namespaces/controller.ts',
  );
};
