import type { PropertyResult } from '../../checker/index.ts';
import { RULES } from '../../model/rules.ts';
import { modelOf, propertiesOf } from '../assemble.ts';
import { formatOf, maxMegabytesOf, text, texts, whole } from '../check-arguments.ts';
import type { Values } from '../command-line.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { fateProperties } from '../fates.ts';
import { readResult } from '../input/result-file.ts';
import { readSource } from '../input/source.ts';
import type { Io } from '../io.ts';
import { MESSAGES } from '../messages.ts';
import { escaped } from '../render/escape.ts';
import { renderJson } from '../render/json.ts';
import { type Colors, colorsFor, plural, wrapped } from '../render/layout.ts';
import { traceLines } from '../render/trace.ts';
import { type Replay, replayTrace } from '../replay.ts';
import type { CheckReport } from '../result-document.ts';

/** A trace of the document that is to be executed again. */
interface Chosen {
  /** From 1. */
  readonly number: number;
  readonly report: CheckReport;
  readonly property: PropertyResult;
}

/** Exit code 0: every trace came out as recorded; 1: the model now behaves otherwise. */
export async function replayCommand(values: Values, io: Io): Promise<ExitCode> {
  const file = text(values, 'result') ?? '-';
  const source = await readSource(file, io.stdin, { maxMegabytes: maxMegabytesOf(values) });
  const document = readResult(source);
  const chosen = choose(document.checks, whole(values, 'check', 1), texts(values, 'property'));
  const outcomes = chosen.map((choice) => ({ ...choice, replay: replayed(choice, source.file) }));
  if (formatOf(values) === 'json') {
    const traces = outcomes.map(({ number, report, property, replay }) => ({
      check: number,
      title: report.title,
      property: property.name,
      ...replay,
    }));
    io.stdout.write(renderJson({ schema: 'reapcheck.replay/v1', traces }));
  } else {
    const colors = colorsFor(io.env, io.stdout.isTerminal);
    for (const { report, property, replay } of outcomes) {
      io.stdout.write(`${replayLines(report, property, replay, colors).join('\n')}\n\n`);
    }
    const same = outcomes.filter(({ replay }) => replay.outcome === 'same').length;
    io.stdout.write(`${same} of ${plural(outcomes.length, 'trace')} came out as recorded\n`);
  }
  return outcomes.every(({ replay }) => replay.outcome === 'same')
    ? EXIT.asExpected
    : EXIT.violated;
}

function choose(
  checks: readonly CheckReport[],
  only: number | null,
  names: readonly string[],
): readonly Chosen[] {
  if (only !== null && only > checks.length) {
    throw MESSAGES.wrongValue('check', `a number from 1 to ${checks.length}`, String(only));
  }
  const traces = checks.flatMap((report, index) =>
    [...report.result.properties, ...report.fates.flatMap(({ goes, mayGo }) => [goes, mayGo])]
      .filter(({ trace }) => trace !== null && (only === null || only === index + 1))
      .map((property) => ({ number: index + 1, report, property })),
  );
  const known = traces.map(({ property }) => property.name);
  for (const name of names) {
    if (!known.includes(name)) throw MESSAGES.noTrace(name, [...new Set(known)]);
  }
  return traces.filter(({ property }) => names.length === 0 || names.includes(property.name));
}

function replayed({ report, property }: Chosen, file: string): Replay {
  const named = propertiesIn(report, property.name, file);
  if (named === undefined) {
    return { outcome: 'different', step: 0, what: 'the property does not exist any more' };
  }
  return replayTrace(modelIn(report, file), named, property);
}

/** The setup comes from a file, so what it does not fit is an error of the input. */
function modelIn(report: CheckReport, file: string) {
  try {
    demandRules(report.setup);
    return modelOf(report.setup);
  } catch (error) {
    throw MESSAGES.notAResult(file, `the setup makes no model (${String(error)})`);
  }
}

function demandRules({ rules }: CheckReport['setup']): void {
  const given: Readonly<Record<string, unknown>> = rules;
  for (const [name, { values }] of Object.entries(RULES)) {
    const value = given[name];
    if (!(values as readonly unknown[]).includes(value)) {
      throw new Error(`rule ${name} has no value ${JSON.stringify(value) ?? 'at all'}`);
    }
  }
}

function propertiesIn(report: CheckReport, name: string, file: string) {
  try {
    const all = [...propertiesOf(report.setup, [name]), ...fateProperties(report.setup)];
    return all.find((property) => property.name === name);
  } catch (error) {
    throw MESSAGES.notAResult(file, `the setup makes no properties (${String(error)})`);
  }
}

function replayLines(
  report: CheckReport,
  property: PropertyResult,
  replay: Replay,
  colors: Colors,
): string[] {
  return [
    colors.bold(escaped(report.title)),
    ...traceLines(property, { colors }),
    ...verdictLines(replay, colors),
  ];
}

function verdictLines(replay: Replay, colors: Colors): string[] {
  switch (replay.outcome) {
    case 'same':
      return [colors.green(`  Executed again: ${plural(replay.steps, 'step')}, as recorded`)];
    case 'different': {
      const where = replay.step === 0 ? 'At the start' : `At step ${replay.step}`;
      return wrapped(escaped(`${where}: ${replay.what}. The model has changed.`), '  ').map(
        colors.red,
      );
    }
    case 'notBroken':
      return wrapped(escaped(`The steps are as recorded, but ${replay.what}.`), '  ').map(
        colors.red,
      );
    default:
      throw new Error(`unknown outcome ${JSON.stringify(replay satisfies never)}`);
  }
}
