import { type Body, bodyIn, textIn, valueAt } from '../cluster/body.ts';
import {
  AGE,
  type BuiltInColumn,
  column,
  listAt,
  NONE,
  numberAt,
  sizeAt,
  textAt,
  wide,
} from './column.ts';

/** The table of pods, as `kubectl get pods -o wide` prints it. */
export const podColumns: readonly BuiltInColumn[] = [
  column('Ready', (pod) => `${readyContainers(pod)}/${sizeAt(pod, 'spec.containers')}`),
  column('Status', podReason),
  column('Restarts', (pod) => String(restarts(pod))),
  AGE,
  wide('IP', (pod) => textAt(pod, 'status.podIP', NONE)),
  wide('Node', (pod) => textAt(pod, 'spec.nodeName', NONE)),
  wide('Nominated Node', (pod) => textAt(pod, 'status.nominatedNodeName', NONE)),
  wide('Readiness Gates', readinessGates),
];

/** A finished pod is marked, so that clients can leave it out. */
export function podConditions(pod: Body): readonly Body[] {
  const phase = textAt(pod, 'status.phase');
  if (phase !== 'Succeeded' && phase !== 'Failed') return [];
  const message = phase === 'Failed' ? 'The pod failed.' : 'The pod has completed successfully.';
  return [{ type: 'Completed', status: 'True', reason: phase, message }];
}

/** Mirrors `printPod`: the phase, or what a container says, or that the pod is being deleted. */
function podReason(pod: Body): string {
  const reason = textAt(pod, 'status.reason');
  if (textIn(bodyIn(pod, 'metadata'), 'deletionTimestamp') !== '') {
    return reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  }
  const plain = reason === '' ? textAt(pod, 'status.phase') : reason;
  return initReason(pod) ?? containerReason(pod, plain);
}

/** Null: the containers that come first have ended well. */
function initReason(pod: Body): string | null {
  const statuses = listAt(pod, 'status.initContainerStatuses');
  for (const [index, status] of statuses.entries()) {
    const ended = valueAt(status, 'state.terminated');
    if (ended !== undefined && numberAt(status, 'state.terminated.exitCode') === 0) continue;
    if (ended !== undefined) return `Init:${endReason(status)}`;
    const waits = textAt(status, 'state.waiting.reason');
    if (waits !== '' && waits !== 'PodInitializing') return `Init:${waits}`;
    return `Init:${index}/${sizeAt(pod, 'spec.initContainers')}`;
  }
  return null;
}

/** What the first container says that does not run. */
function containerReason(pod: Body, plain: string): string {
  for (const status of listAt(pod, 'status.containerStatuses')) {
    const waits = textAt(status, 'state.waiting.reason');
    if (waits !== '') return waits;
    if (valueAt(status, 'state.terminated') !== undefined) return endReason(status);
  }
  return plain;
}

function endReason(status: Body): string {
  const reason = textAt(status, 'state.terminated.reason');
  if (reason !== '') return reason;
  const signal = numberAt(status, 'state.terminated.signal');
  if (signal !== 0) return `Signal:${signal}`;
  return `ExitCode:${numberAt(status, 'state.terminated.exitCode')}`;
}

function readyContainers(pod: Body): number {
  return listAt(pod, 'status.containerStatuses').filter(
    (status) => status.ready === true && valueAt(status, 'state.running') !== undefined,
  ).length;
}

function restarts(pod: Body): number {
  return listAt(pod, 'status.containerStatuses').reduce(
    (sum, status) => sum + numberAt(status, 'restartCount'),
    0,
  );
}

function readinessGates(pod: Body): string {
  const gates = listAt(pod, 'spec.readinessGates');
  if (gates.length === 0) return NONE;
  const conditions = listAt(pod, 'status.conditions');
  const met = gates.filter((gate) =>
    conditions.some(({ type, status }) => type === gate.conditionType && status === 'True'),
  );
  return `${met.length}/${gates.length}`;
}
