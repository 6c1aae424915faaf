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

/** Steps that change nothing in the store after which the controllers rest. */
const FRUITLESS_STEPS = 1_000;
const SHORTEST_REST = 50;
const LONGEST_REST = 2_000;

export class Rest {
  #revision = -1;
  #fruitless = 0;
  #rest = SHORTEST_REST;

  /**
   * Counts a step. Deliveries do not count: there are as many as there were writes.
   *
   * @returns how many milliseconds the controllers now rest; 0: not at all.
   */
  after(revision: number, isDelivery: boolean): number {
    if (isDelivery) return 0;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#fruitless = 0;
      this.#rest = SHORTEST_REST;
      return 0;
    }
    this.#fruitless += 1;
    if (this.#fruitless < FRUITLESS_STEPS) return 0;
    this.#fruitless = 0;
    const rest = this.#rest;
    this.#rest = Math.min(2 * rest, LONGEST_REST);
    return rest;
  }
}
