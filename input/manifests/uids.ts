import type { Kind } from '../../model/index.ts';

/**
 * Makes uids for objects that have none. They contain the name, to be recognisable in a
 * trace, and are unique.
 */
export class UidGiver {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  give(kind: Pick<Kind, 'kind'>, namespace: string, name: string): string {
    const wider = `uid-${kind.kind.toLowerCase()}-${name}`;
    const candidates = [`uid-${name}`, wider, `${wider}-${namespace}`];
    let uid = candidates.find((candidate) => !this.#taken.has(candidate));
    for (let number = 2; uid === undefined; number++) {
      const numbered = `uid-${name}-${number}`;
      if (!this.#taken.has(numbered)) uid = numbered;
    }
    this.#taken.add(uid);
    return uid;
  }
}
