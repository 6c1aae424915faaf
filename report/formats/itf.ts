import type { TraceStep } from '../../checker/index.ts';
import { SLOTS } from '../../model/index.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { ReportDocument } from '../document/documents.ts';
import type { ShownTrace, TraceChoice } from '../document/traces.ts';
import { shownIn } from '../pictures/picture-text.ts';
import { runTitle } from '../text/run-words.ts';
import { safeJson } from './json.ts';

/**
 * A trace in the Informal Trace Format of Apalache (its ADR-015, revision of 2023-09-14), for tools
 * that read counterexamples of model checkers. Every top-level part of the state is a variable; the
 * variable `action` is the step that led to a state, as in the traces of Quint.
 */

/** An expression of the format. */
export type ItfValue =
  | boolean
  | string
  | readonly ItfValue[]
  | { readonly [key: string]: ItfValue | readonly ItfValue[] };

export interface ItfState {
  readonly '#meta': Readonly<Record<string, unknown>>;
  readonly [variable: string]: unknown;
}

export interface ItfTrace {
  readonly '#meta': Readonly<Record<string, unknown>>;
  readonly vars: readonly string[];
  readonly states: readonly ItfState[];
  readonly loop?: number;
}

/** The variable for the step taken. */
const ACTION = 'action';

/** Fields inside the parts of a cluster whose keys are data: uids, names of finalizers. */
const MAPS_WITHIN: ReadonlySet<string> = new Set(['calls', 'finalizersRemaining']);

export function renderItf(
  document: ReportDocument,
  { choice }: { readonly choice: TraceChoice },
): string {
  return itfText(itfTrace(shownIn(document, choice)));
}

export function itfTrace({ check, setup, property, trace }: ShownTrace): ItfTrace {
  const all = [trace.initial, ...trace.steps.map(({ state }) => state)];
  const reading = setup === null ? modelReading(all) : CLUSTER_READING;
  const clusters = all.map(reading.partsOf);
  const parts = [...new Set(clusters.flatMap((cluster) => Object.keys(cluster)))].sort();
  const action = parts.includes(ACTION) ? `${ACTION}Taken` : ACTION;
  const states = clusters.map((cluster, index): ItfState => {
    const step = trace.steps[index - 1];
    return {
      '#meta': { index, ...(step === undefined ? { status: trace.initialStatus } : toldOf(step)) },
      [action]: actionValue(step),
      ...Object.fromEntries(parts.map((part) => [part, reading.valueOf(part, cluster[part])])),
    };
  });
  const loop = loopIndex(trace);
  return {
    '#meta': {
      format: 'ITF',
      'format-description': 'https://apalache-mc.org/docs/adr/015adr-trace.html',
      description: runTitle(property),
      source: check,
      broken: property.broken,
    },
    vars: [action, ...parts],
    states,
    ...(loop === null ? {} : { loop }),
  };
}

/**
 * Index of the state that follows the last one. The last state of a lasso equals the state before
 * `loopStart`, so the next state is the one after the first step of the loop.
 */
function loopIndex({ shape, loopStart, steps }: ShownTrace['trace']): number | null {
  switch (shape) {
    case 'path':
      return null;
    case 'stutter':
      return steps.length;
    case 'lasso':
      return (loopStart ?? 0) + 1;
    default:
      throw new Error(`unknown shape ${shape satisfies never}`);
  }
}

function toldOf(step: TraceStep): Readonly<Record<string, unknown>> {
  const { actor, sentence, changes, beliefs, status } = step;
  return { actor, sentence, changes, beliefs, status };
}

function actionValue(step: TraceStep | undefined): ItfValue {
  return { name: step?.action ?? 'init', parameters: mapValue(step?.parameters ?? {}) };
}

function clusterParts(state: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(state)) throw MESSAGES.noCluster();
  const strange = Object.keys(state).find((part) => !Object.hasOwn(SLOTS, part));
  if (strange !== undefined) throw MESSAGES.noCluster(strange);
  return state;
}

/** How the states of a trace are read. */
interface Reading {
  /** Throws `InputError` if it is no state. */
  readonly partsOf: (state: unknown) => Readonly<Record<string, unknown>>;
  readonly valueOf: (part: string, value: unknown) => ItfValue;
}

/**
 * The states of an author's model. A record is one of the format if it has the same fields in all
 * states, else a map: a variable has one type.
 */
function modelReading(states: readonly unknown[]): Reading {
  const maps = new Set<string>();
  const keys = new Map<string, string>();
  for (const [part, value] of states.filter(isRecord).flatMap((state) => Object.entries(state))) {
    if (!isRecord(value)) continue;
    const own = Object.keys(value).sort().join();
    if ((keys.get(part) ?? own) !== own) maps.add(part);
    keys.set(part, own);
  }
  return {
    partsOf: (state) => {
      if (isRecord(state)) return state;
      throw MESSAGES.noCluster();
    },
    valueOf: (part, value) =>
      maps.has(part) && isRecord(value) ? mapValue(value) : itfValue(value),
  };
}

/** Keys of a part are data, so each part is a map; a record of flags is a set of its keys. */
function partValue(part: string, value: unknown): ItfValue {
  const content = isRecord(value) ? value : {};
  const isSet = (SLOTS as Readonly<Record<string, string>>)[part] === 'flags';
  return isSet ? { '#set': Object.keys(content) } : mapValue(content);
}

function mapValue(record: Readonly<Record<string, unknown>>): ItfValue {
  return { '#map': Object.entries(record).map(([key, value]) => [key, itfValue(value)]) };
}

const CLUSTER_READING: Reading = { partsOf: clusterParts, valueOf: partValue };

/** Any JSON value. The format cannot express null and fractions: they are unserializable. */
export function itfValue(value: unknown): ItfValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Number.isInteger(value)) return { '#bigint': BigInt(value as number).toString() };
  if (Array.isArray(value)) return value.map(itfValue);
  if (!isRecord(value)) return { '#unserializable': JSON.stringify(value) };
  const entries = Object.entries(value);
  if (!entries.every(([key]) => isFieldName(key))) return mapValue(value);
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      MAPS_WITHIN.has(key) && isRecord(part) ? mapValue(part) : itfValue(part),
    ]),
  );
}

/** Other keys could be read as keywords of the format, or are properties of every object. */
function isFieldName(key: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(key) && !(key in Object.prototype);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One line for each variable, so that two traces can be compared line by line. */
function itfText(trace: ItfTrace): string {
  const { states, ...head } = trace;
  const fields = (record: object, indent: string): string =>
    Object.entries(record)
      .map(([key, value]) => `${indent}${safeJson(key)}: ${safeJson(value)}`)
      .join(',\n');
  const list = states.map((state) => `    {\n${fields(state, '      ')}\n    }`).join(',\n');
  return `{\n${fields(head, '  ')},\n  "states": [\n${list}\n  ]\n}\n`;
}
