import * as z from 'zod';
import type { DeleteOptions } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import { badRequest, invalidRequest } from './status.ts';

const optionsSchema = z.looseObject({
  gracePeriodSeconds: z.int().nullish(),
  propagationPolicy: z.string().nullish(),
  orphanDependents: z.boolean().nullish(),
  dryRun: z.array(z.string()).nullish(),
  preconditions: z
    .looseObject({ uid: z.string().nullish(), resourceVersion: z.string().nullish() })
    .nullish(),
});

/** The options of a DELETE, with the resourceVersion that it demands. */
export interface AskedDeletion {
  readonly options: DeleteOptions;
  readonly resourceVersion: string | null;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const;

/**
 * `metav1.DeleteOptions` from the body or, without a body, from the query. Throws `StatusError`.
 */
export function deleteOptions(body: Body | null, query: URLSearchParams): AskedDeletion {
  const kind = body?.kind ?? 'DeleteOptions';
  if (kind !== 'DeleteOptions') {
    throw badRequest(`the body of a DELETE is DeleteOptions, not ${JSON.stringify(kind)}`);
  }
  const given = body ?? fromQuery(query);
  const read = optionsSchema.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw badRequest(`DeleteOptions: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = read.data;
  const dryRun = isDryRun(read.data.dryRun ?? query.getAll('dryRun'));
  const policy = POLICIES.find((known) => known === propagationPolicy);
  if (propagationPolicy && policy === undefined) {
    throw invalidRequest(
      `DeleteOptions is invalid: propagationPolicy: Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: ${POLICIES.map((known) => `"${known}"`).join(', ')}`,
    );
  }
  const { uid, resourceVersion } = preconditions ?? {};
  const demands = {
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion: true as const } : {}),
  };
  return {
    options: {
      ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
      ...(policy === undefined ? {} : { propagationPolicy: policy }),
      ...(typeof orphanDependents === 'boolean' ? { orphanDependents } : {}),
      ...(Object.keys(demands).length === 0 ? {} : { preconditions: demands }),
      ...(dryRun ? { dryRun } : {}),
    },
    resourceVersion: resourceVersion ?? null,
  };
}

function fromQuery(query: URLSearchParams): Body {
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  const policy = query.get('propagationPolicy');
  return {
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(orphan === null ? {} : { orphanDependents: orphan === 'true' || orphan === '1' }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
  };
}

/** `dryRun` has one value, `All`. Throws `StatusError`. */
export function isDryRun(values: readonly string[]): boolean {
  if (values.every((value) => value === '')) return false;
  if (values.every((value) => value === 'All')) return true;
  throw invalidRequest(
    `dryRun: Unsupported value: ${JSON.stringify(values)}: supported values: "All"`,
  );
}
