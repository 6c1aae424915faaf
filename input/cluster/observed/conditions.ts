import * as z from 'zod';

/** A condition as all of Kubernetes writes them; `status` is `True`, `False` or `Unknown`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const text = z.string().catch('');

const conditionSchema = z
  .looseObject({ type: text, status: text, reason: text, message: text })
  .catch({ type: '', status: '', reason: '', message: '' });

const statusSchema = z.looseObject({
  status: z
    .looseObject({ conditions: z.array(conditionSchema).catch([]).default([]) })
    .catch({ conditions: [] })
    .default({ conditions: [] }),
});

/** The conditions of one manifest. Lenient: what has another type counts as not said. */
export function conditionsOf(manifest: unknown): readonly Condition[] {
  const read = statusSchema.safeParse(manifest);
  return (read.data?.status.conditions ?? []).map(({ type, status, reason, message }) => ({
    type,
    status,
    reason,
    message,
  }));
}
