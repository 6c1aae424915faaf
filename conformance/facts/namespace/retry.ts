import * as z from 'zod';
import { applyChange, type NamespaceAnswer } from '../../../model/index.ts';
import { compareListed, compareStated, passedOr } from '../compare.ts';
import { interpreter } from '../interpreter.ts';
import { failureAnswer, resultError, runController } from './run-controller.ts';
import { namespaceGiven, namespaceOf } from './shapes.ts';

/** The controller's writes to a namespace, and its retries after a conflict. */

const retrySchemas = {
  given: z.strictObject({ firstAnswers: z.array(z.string()) }),
  steps: z.tuple([z.strictObject({ do: z.literal('retryOnConflict') })]),
  expect: z.strictObject({
    error: z.string().nullable().optional(),
    tries: z.number().int().optional(),
  }),
};

/** `namespace-retry` */
export const interpretNamespaceRetry = interpreter(retrySchemas, ({ given, expected, rules }) => {
  const namespace = namespaceOf({ name: 'given', deletionTimestamp: 'set', phase: 'Terminating' });
  let tries = 0;
  const run = runController(
    rules,
    { at: 'finalize', namespace },
    { operations: [] },
    (request): NamespaceAnswer => {
      if (request.verb === 'get') return { kind: 'namespace', namespace };
      const word = given.firstAnswers[tries] ?? 'ok';
      tries += 1;
      return word === 'ok' ? { kind: 'namespace', namespace } : failureAnswer(word);
    },
  );
  return passedOr(
    compareStated('error', expected.error, resultError(run.result)) ??
      compareStated('tries', expected.tries, tries),
    'retryOnConflictError, model/actors/namespaces/controller.ts',
  );
});

/** The requests for the namespace. `specFinalizers` are those that the request carries. */
const finalizeRequests = z.array(
  z.strictObject({
    verb: z.string(),
    resource: z.string(),
    name: z.string().optional(),
    subresource: z.string().optional(),
    specFinalizers: z.array(z.string()).optional(),
  }),
);

const finalizeSchemas = {
  given: z.strictObject({
    namespace: namespaceGiven,
    token: z.literal('kubernetes').optional(),
  }),
  steps: z.union([
    z.tuple([]),
    z.tuple([z.strictObject({ do: z.enum(['finalize', 'finalizeNamespace']) })]),
  ]),
  expect: z.strictObject({
    error: z.string().nullable().optional(),
    specFinalizers: z.array(z.string()).optional(),
    requests: finalizeRequests.optional(),
    namespaceRequests: finalizeRequests.optional(),
  }),
};

/** `namespace-finalize`: the request that removes the finalizer `kubernetes` from the spec. */
export const interpretNamespaceFinalize = interpreter(
  finalizeSchemas,
  ({ given, expected, rules }) => {
    const namespace = namespaceOf(given.namespace);
    const after = applyChange(namespace, { do: 'finalizeNamespace' });
    const run = runController(rules, { at: 'finalize', namespace }, { operations: [] }, () => ({
      kind: 'namespace',
      namespace: after,
    }));
    const { name } = namespace;
    const sent = { resource: 'namespaces', name, specFinalizers: after.specFinalizers ?? [] };
    const requests = run.requests.map(({ verb }) =>
      verb === 'finalize'
        ? { ...sent, verb: 'create', subresource: 'finalize' }
        : { ...sent, verb, subresource: '' },
    );
    return passedOr(
      compareStated('error', expected.error, resultError(run.result)) ??
        compareStated('specFinalizers', expected.specFinalizers, after.specFinalizers) ??
        compareListed('requests', expected.requests, requests) ??
        compareListed('namespaceRequests', expected.namespaceRequests, requests),
      'finalizeNamespace, model/actors/namespaces/controller.ts',
    );
  },
);
