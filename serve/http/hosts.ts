import { StatusError } from '../requests/status.ts';

/** Names of this machine for itself. */
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/;

export function isLoopback(address: string): boolean {
  return LOCAL.test(address);
}

/**
 * A page in a browser can send requests to this machine. A server on the loopback address answers
 * only what was meant for it: not another host's name, and no page of another origin. Throws
 * `StatusError`.
 */
export function checkHost(
  address: string,
  host: string | undefined,
  origin: string | undefined,
): void {
  if (!isLoopback(address)) return;
  const name = (host ?? '').replace(/:\d+$/, '');
  const isForeign = origin !== undefined && !isLoopback(hostOf(origin));
  if (isLoopback(name) && !isForeign) return;
  throw new StatusError(403, 'Forbidden', 'reapcheck serve answers only requests to this machine');
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}
