import type { ObjectKey } from '../../model/index.ts';
import type { Answered, Asked, Refusal } from '../cluster/asked.ts';
import type { Body } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { ofFailure } from '../requests/status.ts';
import { type ApiRequest, type Reply, type Served, withType } from './context.ts';

/** Sends a request to the model, and waits for its answer. */
export async function ask(
  { cluster, schedule }: Served,
  { isOfOperator }: ApiRequest,
  asked: Asked,
): Promise<Answered | Refusal> {
  const { operator } = schedule;
  if (isOfOperator) operator?.sends(asked.call.client);
  const answered = cluster.send(asked);
  schedule.wake();
  const given = await answered;
  schedule.wake();
  if (isOfOperator) await operator?.answers(asked.call.client);
  return given;
}

/** The answer of the model as a reply. Throws the `StatusError` of a failure. */
export function reply(
  served: Served,
  answered: Answered | Refusal,
  resource: Resource,
  apiVersion: string,
  key: ObjectKey,
): Reply {
  if ('refusal' in answered) throw answered.refusal;
  const { answer, view } = answered;
  if ('reason' in answer) throw ofFailure(answer, resource, key, named(served));
  if (view === null) return { code: answer.code, body: success({ kind: resource.kind.resource }) };
  return { code: answer.code, body: withType(apiVersion, resource.kind.kind, view) };
}

export function named({ cluster }: Served) {
  return (key: ObjectKey): Resource | null => cluster.resources.ofKey(key);
}

/** `metav1.Status` of what has been done. */
export function success(details: Body): Body {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
