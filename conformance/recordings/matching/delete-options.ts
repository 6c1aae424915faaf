import * as z from 'zod';
import type { DeleteOptions } from '../../../model/index.ts';
import type { SeenRequest } from '../logs/observations.ts';

/** `DeleteOptions` of a logged DELETE, and the resourceVersion in its preconditions. */
export interface SeenOptions {
  readonly options: DeleteOptions;
  readonly demands: string | null;
}

const policy = z.enum(['Foreground', 'Background', 'Orphan']);

const optionsSchema = z.looseObject({
  orphanDependents: z.boolean().nullish(),
  propagationPolicy: z.string().nullish(),
  gracePeriodSeconds: z.int().nullish(),
  preconditions: z
    .looseObject({ uid: z.string().nullish(), resourceVersion: z.string().nullish() })
    .nullish(),
  dryRun: z.array(z.string()).nullish(),
});

const POLICIES = policy.options;

/**
 * The options that a DELETE may have had; usually there is one possibility. The audit log cannot
 * decode the body of a DELETE of a custom resource: then every policy is possible.
 */
export function optionsOf(request: SeenRequest): readonly SeenOptions[] {
  const { body, kind, query } = request;
  if (body.is === 'value') return [parsed(body.value)];
  const options = { ...fromQuery(query), ...dryRunOf(request) };
  const given: SeenOptions = { options, demands: null };
  if (body.is === 'none' && kind.patchTypes !== 'mergeOnly') return [given];
  const policies = POLICIES.map((propagationPolicy) => ({ ...options, propagationPolicy }));
  return [given, ...policies.map((chosen) => ({ options: chosen, demands: null }))];
}

function parsed(value: unknown): SeenOptions {
  const result = optionsSchema.safeParse(value);
  const given = result.success ? result.data : {};
  const { orphanDependents, propagationPolicy, gracePeriodSeconds, preconditions, dryRun } = given;
  const uid = preconditions?.uid ?? undefined;
  const demands = preconditions?.resourceVersion ?? null;
  const demanded = {
    ...(uid === undefined ? {} : { uid }),
    ...(demands === null ? {} : { resourceVersion: true as const }),
  };
  return {
    options: {
      ...(typeof orphanDependents === 'boolean' ? { orphanDependents } : {}),
      ...(propagationPolicy ? { propagationPolicy: asPolicy(propagationPolicy) } : {}),
      ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
      ...(Object.keys(demanded).length > 0 ? { preconditions: demanded } : {}),
      ...((dryRun ?? []).includes('All') ? { dryRun: true } : {}),
    },
    demands,
  };
}

/**
 * The API server refuses a policy that it does not know, so such a policy is no part of the type.
 */
function asPolicy(word: string): NonNullable<DeleteOptions['propagationPolicy']> {
  return word as NonNullable<DeleteOptions['propagationPolicy']>;
}

function fromQuery(query: SeenRequest['query']): DeleteOptions {
  const grace = Number(query.gracePeriodSeconds ?? Number.NaN);
  const { orphanDependents } = query;
  return {
    ...(orphanDependents === undefined ? {} : { orphanDependents: orphanDependents === 'true' }),
    ...(query.propagationPolicy ? { propagationPolicy: asPolicy(query.propagationPolicy) } : {}),
    ...(Number.isInteger(grace) ? { gracePeriodSeconds: grace } : {}),
  };
}

function dryRunOf(request: SeenRequest): { readonly dryRun?: true } {
  return request.query.dryRun === 'All' ? { dryRun: true } : {};
}
