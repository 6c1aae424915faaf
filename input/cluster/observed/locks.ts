import { isMapping, valueAt } from '../../documents/shape.ts';
import type { Mark } from './mark.ts';

/** `LeaderElectionRecordAnnotationKey`: the lock of a leader in an object that is no Lease. */
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
/** Before Leases, and beside them for a while (client-go 0.14 to 0.24). */
const LOCKED: readonly string[] = ['ConfigMap', 'Endpoints'];

/** Who holds a Lease, or the lock of a leader in another object. */
export function lockOf(
  kind: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  const isOther = LOCKED.includes(kind) && Object.hasOwn(annotations, LEADER);
  const record =
    kind === 'Lease' ? valueAt(manifest, ['spec']) : isOther ? parsed(annotations[LEADER]) : null;
  if (!isMapping(record)) return [];
  const { holderIdentity: holder, renewTime: time } = record;
  const renewed = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : null;
  return typeof holder === 'string' ? [{ mark: 'lock', tool: null, holder, renewed }] : [];
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
