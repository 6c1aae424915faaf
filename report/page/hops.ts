import type { Trace, TraceStep } from '../../checker/index.ts';
import { API_SERVER, deedOf, isOfCollector } from '../text/run-words.ts';

/** The two actors that a step connects. */
export interface Hop {
  readonly from: string;
  /** Equal to `from` if the step concerns its actor alone. */
  readonly to: string;
  /**
   * `request`: sent to the API server. `service`: the API server works on a request. `event`: a
   * watch event.
   */
  readonly kind: 'request' | 'service' | 'event' | 'own';
}

/** @param isCluster whether the run is one of a cluster, where actors talk to an API server. */
export function hopOf(step: TraceStep, isCluster: boolean): Hop {
  const { actor } = step;
  if (!isCluster) return { from: actor, to: actor, kind: 'own' };
  const said = deedOf(step);
  if (actor === API_SERVER) {
    const client = /\((?:POST|DELETE|DELETE collection|PUT|PATCH) of (.+?)\)/.exec(said)?.[1];
    return client === undefined
      ? { from: actor, to: actor, kind: 'own' }
      : { from: actor, to: client, kind: 'service' };
  }
  if (/^(GET|LIST|POST|DELETE|PUT|PATCH)\b/.test(said)) {
    return { from: actor, to: API_SERVER, kind: 'request' };
  }
  if (said.startsWith('sees ')) return { from: API_SERVER, to: actor, kind: 'event' };
  return { from: actor, to: actor, kind: 'own' };
}

/** What an actor belongs to: the API server, the collector, or their clients. */
export type Side = 'client' | 'server' | 'collector';

const SIDES: readonly Side[] = ['client', 'server', 'collector'];

export function sideOf(actor: string): Side {
  if (actor === API_SERVER) return 'server';
  return isOfCollector(actor) ? 'collector' : 'client';
}

/** The actors of a run: clients, API server, collector, each group in order of appearance. */
export function actorsOf({ steps }: Trace, isCluster: boolean): readonly string[] {
  const actors = new Set(
    steps
      .map((step) => hopOf(step, isCluster))
      .flatMap(({ from, to, kind }) => (kind === 'event' ? [to, from] : [from, to])),
  );
  return SIDES.flatMap((side) => [...actors].filter((actor) => sideOf(actor) === side));
}
