import { createHash } from 'node:crypto';
import type { PreparedQuestion } from '../question.ts';
import { canonicalText } from '../values/canonical.ts';

/** Digest of what is searched for, as far as names tell. */
export function questionDigest<State>(
  { question, compiled }: Pick<PreparedQuestion<State>, 'question' | 'compiled'>,
  ...more: readonly (number | string)[]
): string {
  const { model, instances, reductions } = question;
  const text = canonicalText([
    model.name,
    model.slots,
    model.initial,
    instances.map(({ identity: { name, parameters }, fairness }) => [name, parameters, fairness]),
    ...(model.fairness === undefined ? [] : [model.fairness]),
    compiled.properties.map(({ property, judgements }) => [
      property.kind,
      property.name,
      judgements.map(({ parameters }) => parameters),
    ]),
    reductions.applied.map(({ kind }) => kind.name),
    ...more,
  ]);
  return createHash('sha256').update(text).digest('hex');
}
