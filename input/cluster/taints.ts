import { listAt, valueAt } from '../documents/shape.ts';

/** `TaintNodeUnschedulable`: of a node with `spec.unschedulable`. */
export const CORDONED = 'node.kubernetes.io/unschedulable';

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** Those that keep new pods off. */
export function taintsOf(node: unknown): readonly Taint[] {
  return listAt(node, ['spec', 'taints'])
    .map((taint) => ({
      key: String(valueAt(taint, ['key'])),
      value: String(valueAt(taint, ['value']) ?? ''),
      effect: String(valueAt(taint, ['effect'])),
    }))
    .filter(({ effect }) => ['NoSchedule', 'NoExecute'].includes(effect));
}

/** `Toleration.ToleratesTaint`. */
function tolerates(toleration: unknown, taint: Taint): boolean {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((field) =>
    String(valueAt(toleration, [field]) ?? ''),
  );
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  // Other operators compare numbers.
  if (operator !== '' && operator !== 'Equal') return true;
  return key !== '' && value === taint.value;
}

/** The first taint that none of these tolerates. */
export function repellingOf(taints: readonly Taint[], tolerations: readonly unknown[]) {
  return taints.find((taint) => !tolerations.some((one) => tolerates(one, taint)));
}

/**
 * What each pod of a DaemonSet tolerates beside what its template says
 * (`AddOrUpdateDaemonPodTolerations`, 1.34).
 *
 * @param ofHost whether it is in the network of its node.
 */
export function tolerationsOfDaemon(ofHost: boolean): readonly unknown[] {
  const pressures = ['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'];
  return [
    ...['not-ready', 'unreachable'].map((name) => ({ name, effect: 'NoExecute' })),
    ...[...pressures, ...(ofHost ? ['network-unavailable'] : [])].map((name) => ({
      ...{ name, effect: 'NoSchedule' },
    })),
  ].map(({ name, effect }) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }));
}
