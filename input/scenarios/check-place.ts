import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Path, SourceDocument } from '../documents/document.ts';
import { STDIN_NAME } from '../documents/source.ts';
import { nameMeant } from '../property-names.ts';
import { outcomeProperty } from './outcomes.ts';
import type { Variant } from './terms.ts';

/** Where a check is in the input, for reports that annotate the file. */
export interface CheckPlace {
  /** Relative to the working directory, with `/`; absolute for a file outside of it. */
  readonly file: string;
  /** The line of the first request, or of the object that is deleted. */
  readonly line: number;
  /** The lines of the expectations, by property. */
  readonly properties: Readonly<Record<string, number>>;
}

/** The place of a scenario; null for stdin. */
export function scenarioPlace(
  document: SourceDocument,
  variant: Variant | null,
): CheckPlace | null {
  const scenario = mapping(document.value);
  const base: Path = variant === null ? [] : [variant];
  const file = variant === null ? scenario : mapping(scenario[variant]);
  const { museum, outcomes, ownProperties } = scenario;
  const verdicts: Path = [...base, 'expect', 'verdicts'];
  const lines: Readonly<Record<string, Path>> = {
    ...named(outcomes, (name) => [outcomeProperty(name), ['outcomes', name]]),
    ...named(ownProperties, (name) => [name, ['ownProperties', name]]),
    ...(museum === undefined
      ? {}
      : { [nameMeant(String(mapping(museum).property))]: ['museum', 'property'] as const }),
    ...named(mapping(file.expect).outcomes, (name) => [
      outcomeProperty(name),
      [...base, 'expect', 'outcomes', name],
    ]),
    ...named(mapping(file.expect).verdicts, (word) => [nameMeant(word), [...verdicts, word]]),
  };
  return placeOf(document, ['requests'], lines);
}

export function placeOf(
  document: SourceDocument,
  path: Path,
  properties: Readonly<Record<string, Path>> = {},
): CheckPlace | null {
  const { line = 1 } = document.place(path);
  const file = shownPath(document.file);
  if (file === null) return null;
  return {
    file,
    line,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, at]) => [name, document.place(at).line ?? line]),
    ),
  };
}

/** A path as reports show it; null for stdin. */
export function shownPath(file: string): string | null {
  if (file === STDIN_NAME) return null;
  const whole = resolve(file);
  const below = relative(process.cwd(), whole);
  const shown = below.startsWith('..') || isAbsolute(below) ? whole : below;
  return shown.split(sep).join('/');
}

function named(
  value: unknown,
  entry: (name: string) => readonly [string, Path],
): Readonly<Record<string, Path>> {
  return Object.fromEntries(Object.keys(mapping(value)).map(entry));
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
