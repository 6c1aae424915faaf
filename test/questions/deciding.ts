import type { Budget, Decision } from '../../run/questions/deciding/decision.ts';

/** Long enough for any of these; no test waits for it. */
export function budget(): Budget {
  return {
    ...{ search: { engine: 'tracked', auditEvery: 0 }, limits: {} },
    ...{ deadline: Date.now() + 600_000, known: new Map(), acceptBounded: false },
    ...{ onProgress: () => undefined, interrupted: () => false },
  };
}

/** The fates by uid. */
export function words(decision: Decision | null): Readonly<Record<string, string>> {
  const fates = [...(decision?.fates ?? [])];
  return Object.fromEntries(fates.map(([uid, { fate }]) => [uid, fate] as const).sort());
}
