import type { TraceState } from './trace-state.ts';

/** Short names for states: equal states have equal names, in any order of keys. */
export class StateKeys {
  /** States share most of their parts, so each part is serialized once. */
  readonly #byPart = new WeakMap<object, number>();
  readonly #byText = new Map<string, number>();

  key(state: TraceState): string {
    const { cluster, history: _, ...rest } = state;
    const parts: number[] = [];
    for (const part of Object.values(cluster)) parts.push(this.#number(part));
    for (const part of Object.values(rest)) {
      if (typeof part === 'object') parts.push(this.#number(part));
      else parts.push(part);
    }
    return parts.join(',');
  }

  #number(part: object): number {
    const known = this.#byPart.get(part);
    if (known !== undefined) return known;
    const text = this.#text(part);
    let number = this.#byText.get(text);
    if (number === undefined) {
      number = this.#byText.size;
      this.#byText.set(text, number);
    }
    this.#byPart.set(part, number);
    return number;
  }

  /** Parts one level down are given by their numbers, deeper ones are written out. */
  #text(part: object): string {
    const entries = Object.entries(part).map(([name, value]: [string, unknown]) => {
      const inner =
        typeof value === 'object' && value !== null ? this.#inner(value) : JSON.stringify(value);
      return `${JSON.stringify(name)}:${inner}`;
    });
    return entries.sort().join(',');
  }

  #inner(value: object): string {
    const known = this.#byPart.get(value);
    if (known !== undefined) return `#${known}`;
    const text = sorted(value);
    let number = this.#byText.get(text);
    if (number === undefined) {
      number = this.#byText.size;
      this.#byText.set(text, number);
    }
    this.#byPart.set(value, number);
    return `#${number}`;
  }
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).map(
    ([name, inner]: [string, unknown]) => `${JSON.stringify(name)}:${sorted(inner)}`,
  );
  return `{${entries.sort().join(',')}}`;
}
