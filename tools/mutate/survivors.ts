import { ACTORS } from './known/actors.ts';
import { API_SERVER } from './known/api-server.ts';
import { COLLECTOR } from './known/collector.ts';
import type { KnownSurvivors } from './mutants.ts';

/** Why a mutant survives. */
export type KnownSurvivor = Pick<KnownSurvivors, 'kind' | 'why'>;

export const KNOWN_SURVIVORS: readonly KnownSurvivors[] = [...API_SERVER, ...COLLECTOR, ...ACTORS];

function byName(names: (group: KnownSurvivors) => readonly string[] | undefined) {
  return new Map<string, KnownSurvivor>(
    KNOWN_SURVIVORS.flatMap((group) => {
      const { kind, why } = group;
      return (names(group) ?? []).map((name) => [name, { kind, why }] as const);
    }),
  );
}

const BY_WORDS = byName(({ mutants }) => mutants);
const BY_FUNCTION = byName(({ functions }) => functions);

/**
 * The reason why a mutant survives, if it is known. A reason for the mutant itself goes before a
 * reason for its function.
 */
export function knownSurvivor(words: string): KnownSurvivor | null {
  const place = words.split(':', 1)[0] ?? '';
  return BY_WORDS.get(words) ?? BY_FUNCTION.get(place) ?? null;
}
