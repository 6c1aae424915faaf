import { isQuiet } from '../../model/index.ts';
import type { ServedCluster } from '../cluster/cluster.ts';

/**
 * When the controllers rest. Some work fails again and again until something changes: Kubernetes
 * limits the rate of such retries, and so does the server.
 */

/** The steps in which an event reaches a controller. */
export const DELIVERIES: readonly string[] = [
  'deliverToInformer',
  'deliver',
  'deliverVirtualDelete',
  'deliverListed',
];

/** After so many steps that change nothing in the store, the controllers rest if all is quiet. */
const CALM_STEPS = 20;
/** After so many, they rest in any case. */
const FRUITLESS_STEPS = 1_000;
const SHORTEST_REST = 50;
const LONGEST_REST = 2_000;

export class Rest {
  readonly #cluster: ServedCluster;
  #revision = -1;
  #fruitless = 0;
  #rest = SHORTEST_REST;

  constructor(cluster: ServedCluster) {
    this.#cluster = cluster;
  }

  /**
   * Counts a step. Deliveries do not count: there are as many as there were writes.
   *
   * @returns how many milliseconds the controllers now rest; 0: not at all.
   */
  after(isDelivery: boolean): number {
    const { revision, setup, state } = this.#cluster;
    if (isDelivery) return 0;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#fruitless = 0;
      this.#rest = SHORTEST_REST;
      return 0;
    }
    this.#fruitless += 1;
    const isCalm = this.#fruitless >= CALM_STEPS && isQuiet(setup, state);
    if (!isCalm && this.#fruitless < FRUITLESS_STEPS) return 0;
    this.#fruitless = 0;
    const rest = this.#rest;
    this.#rest = Math.min(2 * rest, LONGEST_REST);
    return rest;
  }
}
