import { MESSAGES } from '../../text/messages.ts';
import type { LookWithin, SourceDocument } from './document.ts';

/** How deeply a document may be nested. The schema of a definition has about 80 levels. */
export const MOST_LEVELS = 200;

/**
 * Throws `InputError` if a value is nested more deeply, or without end, as an alias to the value
 * around it makes it. All that reads documents may then call itself for each level.
 */
export function demandFewLevels({ value, file }: SourceDocument, look: LookWithin): void {
  // What made the value may have taken long, and this takes as long for an object of many keys.
  look();
  const open: { readonly parts: readonly unknown[]; next: number; readonly of: object }[] = [];
  const around = new Set<object>();
  const seen = new Set<object>();
  const enter = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (around.has(part) || open.length === MOST_LEVELS) throw MESSAGES.tooDeep(file);
    if (seen.has(part)) return;
    seen.add(part);
    around.add(part);
    open.push({ parts: Object.values(part), next: 0, of: part });
  };
  enter(value);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last.next < last.parts.length) enter(last.parts[last.next++]);
    else {
      around.delete(last.of);
      open.pop();
    }
  }
}
