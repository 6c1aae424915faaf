import { badRequest, invalidRequest, StatusError } from '../requests/status.ts';

/** What requests say about the revision that they want to read. */

/** Throws `StatusError` for what is not a resourceVersion. */
export function revisionIn(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(`invalid resource version: ${JSON.stringify(text)}`);
  return Number(text);
}

/**
 * A revision that is to come cannot be read: mirrors `validateMinimumResourceVersion` of the etcd3
 * store, which a GET asks before it looks for the object. Throws `StatusError`.
 *
 * @returns the revision that is asked for. Null: any will do.
 */
export function demandReached(revision: number, query: URLSearchParams): number | null {
  const wanted = query.get('resourceVersion') ?? '';
  if (wanted === '' || wanted === '0') return null;
  const number = revisionIn(wanted);
  if (number <= revision) return number;
  throw new StatusError(
    504,
    'Timeout',
    `Too large resource version: ${wanted}, current: ${revision}`,
    {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  );
}

/**
 * The revision that a list must show. What is stored now is right for any that has been, unless
 * exactly an old one is asked for: so it is with a limit, too, if no match is named. Throws
 * `StatusError`.
 *
 * @returns null: the present one.
 */
export function exactRevision(revision: number, query: URLSearchParams): number | null {
  const wanted = demandReached(revision, query);
  const match = query.get('resourceVersionMatch') ?? '';
  const isLimited = (query.get('limit') || '0') !== '0';
  return match === 'Exact' || (match === '' && isLimited) ? wanted : null;
}

/** Mirrors `ValidateListOptions` of apimachinery (1.33). Throws `StatusError`. */
export function checkListOptions(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const revision = query.get('resourceVersion') ?? '';
  const continues = (query.get('continue') ?? '') !== '';
  const faults = [
    ...(match === ''
      ? []
      : [
          ...(revision === ''
            ? [forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided')]
            : []),
          ...(continues
            ? [forbidden('resourceVersionMatch is forbidden when continue is provided')]
            : []),
          ...(match === 'Exact' || match === 'NotOlderThan'
            ? []
            : [unsupported(match, '"Exact", "NotOlderThan", ""')]),
          ...(match === 'Exact' && revision === '0'
            ? [forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
            : []),
        ]),
    ...(query.has('sendInitialEvents')
      ? ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']
      : []),
  ];
  refuse(faults);
}

/** Mirrors `validateWatchOptions` of apimachinery (1.33). Throws `StatusError`. */
export function checkWatchOptions(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const isInitial = query.has('sendInitialEvents');
  const faults = [
    ...(isInitial && match !== 'NotOlderThan'
      ? [forbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : []),
    ...(match !== '' && !isInitial
      ? [
          forbidden(
            'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
          ),
        ]
      : []),
    ...(match === '' || match === 'NotOlderThan' ? [] : [unsupported(match, '"NotOlderThan"')]),
  ];
  refuse(faults);
}

function forbidden(why: string): string {
  return `resourceVersionMatch: Forbidden: ${why}`;
}

function unsupported(match: string, supported: string): string {
  return `resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}: supported values: ${supported}`;
}

function refuse(faults: readonly string[]): void {
  const [first, ...more] = faults;
  if (first === undefined) return;
  const all = more.length === 0 ? first : `[${faults.join(', ')}]`;
  throw invalidRequest(`ListOptions.meta.k8s.io "" is invalid: ${all}`);
}
