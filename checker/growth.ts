import type { Engine } from './engine/engine.ts';
import type { Growth } from './options.ts';
import { canonicalText } from './values/canonical.ts';

/** So many states are looked at, evenly spread over the search. */
const MOST_SAMPLED = 200;

/** Looks at some of the stored states. */
export function growthIn<State>(
  engine: Engine<State>,
  actionOf: (instance: number) => string,
): Growth | null {
  const count = Math.min(engine.stateCount, MOST_SAMPLED);
  if (count < 2) return null;
  const values = new Map<string, Set<string>>();
  for (let index = 0; index < count; index++) {
    const number = Math.round((index * (engine.stateCount - 1)) / (count - 1));
    for (const [section, value] of Object.entries(engine.decode(number) as object)) {
      const known = values.get(section) ?? new Set();
      values.set(section, known.add(canonicalText(value)));
    }
  }
  const [first] = [...values].sort(([, one], [, other]) => other.size - one.size);
  if (first === undefined) return null;
  const transitions = new Map<string, number>();
  engine.transitions.forEach((taken, instance) => {
    const action = actionOf(instance);
    transitions.set(action, (transitions.get(action) ?? 0) + taken);
  });
  const [busiest] = [...transitions].sort(([, one], [, other]) => other - one);
  return {
    section: first[0],
    values: first[1].size,
    states: count,
    action: busiest === undefined || busiest[1] === 0 ? null : busiest[0],
  };
}
