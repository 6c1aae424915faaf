import { conditionsOf } from '../../cluster/observed/conditions.ts';
import { valueAt } from '../../documents/shape.ts';

/** What an object that is being deleted says of what goes wrong, in its own words. */
export interface Trouble {
  /** The type of the condition, or the field. */
  readonly type: string;
  readonly message: string;
}

const TROUBLE =
  /error|fail|can ?not|could not|not (found|exist|empty|allowed|ready)|denied|forbidden|refused|time(d|s)? ?out|unable|block|waiting|invalid|unavailable|unreachable/i;

/** Types of conditions that are trouble if they are true. */
const FAILURE = /fail|error|unavailable|unreachable|block/i;

/** Fields in which the controllers of volumes, snapshots and challenges say it. */
const FIELDS: readonly (readonly string[])[] = [
  ['attachError', 'message'],
  ['detachError', 'message'],
  ['error', 'message'],
  ['message'],
  ['reason'],
];

/** Types of conditions that are good if they are true. */
const GOOD =
  /^((?!Not|Un).*Ready|Available|Healthy|Synced|Reconciled|Succeeded|Established|Accepted)$/;

/** Of one object, the first of them say enough. */
const MOST = 3;

/** A message is a sentence: a single word is a reason, of which the condition has the message. */
export function troublesOf(manifest: unknown): readonly Trouble[] {
  const fields = FIELDS.flatMap((path): readonly Trouble[] => {
    const message = valueAt(manifest, ['status', ...path]);
    return typeof message === 'string' ? [{ type: `status.${path.join('.')}`, message }] : [];
  });
  const conditions = conditionsOf(manifest)
    .filter(({ type, status }) => status !== 'False' || !FAILURE.test(type))
    .filter(({ type, reason, message }) => TROUBLE.test(`${type} ${reason} ${message}`))
    .filter(({ type, status }) => status !== 'True' || !GOOD.test(type))
    .map(({ type, status, reason, message }) => ({
      type: `${type}=${status}${reason === '' ? '' : ` (${reason})`}`,
      message,
    }));
  return [...fields.filter(({ message }) => TROUBLE.test(message)), ...conditions]
    .filter(({ message }) => message.includes(' '))
    .slice(0, MOST);
}
