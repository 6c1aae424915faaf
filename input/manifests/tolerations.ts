import type { Tolerance } from '../../model/index.ts';

/** `spec.tolerations[]` of a pod. */
export interface Toleration {
  readonly key?: string | null | undefined;
  readonly operator?: string | null | undefined;
  readonly value?: string | null | undefined;
  readonly effect?: string | null | undefined;
  readonly tolerationSeconds?: number | null | undefined;
}

/** The taints of a node whose condition `Ready` is Unknown or False. They have no value. */
const LOST = ['node.kubernetes.io/unreachable', 'node.kubernetes.io/not-ready'];
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/**
 * What a pod with these tolerations tolerates for ever; null: no loss of its node. Mirrors
 * `Toleration.ToleratesTaint` (1.20) for the effect NoExecute. A value of the taint that is not
 * known is not tolerated.
 */
export function toleranceOf(tolerations: readonly Toleration[]): Tolerance | null {
  const lasting = tolerations.filter(
    ({ effect, tolerationSeconds }) =>
      (!effect || effect === 'NoExecute') && (tolerationSeconds ?? null) === null,
  );
  const tolerates = (taint: string, value: string | null): boolean =>
    lasting.some(
      (one) =>
        (one.key ? one.key === taint : one.operator === 'Exists') &&
        (one.operator === 'Exists' || (one.value ?? '') === value),
    );
  if (!LOST.every((taint) => tolerates(taint, ''))) return null;
  return tolerates(OUT_OF_SERVICE, null) ? 'out of service' : 'lost';
}
