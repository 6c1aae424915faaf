/** The position of the reader: `#check/run/state`, or a beginning of it. */
export interface Route {
  readonly check: HTMLElement | null;
  readonly run: HTMLElement | null;
  readonly state: number | null;
}

const NOWHERE: Route = { check: null, run: null, state: null };

/**
 * Leaves out parts from the end that do not exist, so that an old link leads as far as possible.
 */
export function routeOf(hash: string): Route {
  const [check = '', run, state] = decoded(hash.replace(/^#/, '')).split('/');
  const checkPart = document.getElementById(check);
  if (checkPart?.classList.contains('check') !== true) return NOWHERE;
  const runPart = run === undefined ? null : document.getElementById(`${check}/${run}`);
  if (runPart?.classList.contains('run') !== true) return { ...NOWHERE, check: checkPart };
  const last = Number(runPart.dataset.length);
  const wanted = /^\d{1,9}$/.test(state ?? '') ? Number(state) : null;
  return {
    check: checkPart,
    run: runPart,
    state: wanted === null ? null : Math.min(wanted, last),
  };
}

export function hashOf(run: HTMLElement, state: number): string {
  return `#${run.id}/${state}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
