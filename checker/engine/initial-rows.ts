import type { SlotTable } from '../values/slots.ts';
import type { PlainState } from './plain.ts';

/** The local numbers of each state by slot; all their slots and values get numbers. */
export function internStates<State>(
  table: SlotTable,
  states: readonly PlainState<State>[],
): readonly (readonly number[])[] {
  const entries = states.map(({ state }) => entriesOf(table, state));
  return entries.map((values) =>
    table.slots.map((slot) => {
      const value = values.get(slot.number);
      return value === undefined ? table.absentLocal(slot) : table.intern(slot, value);
    }),
  );
}

function entriesOf(table: SlotTable, state: unknown): ReadonlyMap<number, unknown> {
  const values = new Map<number, unknown>();
  for (const section of table.sections) {
    const part = (state as Readonly<Record<string, unknown>>)[section.key];
    const entries =
      section.kind === 'value' ? [['', part] as const] : Object.entries(part as object);
    for (const [key, value] of entries) values.set(table.slot(section, key).number, value);
  }
  return values;
}
