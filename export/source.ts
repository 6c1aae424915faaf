import type { ActionInstance, Limits, Parameters, Property } from '../checker/index.ts';
import { type Bytes, readSource } from '../input/documents/source.ts';
import type { Look } from '../input/work-clock.ts';
import { type Cluster, deletionModel, type Setup } from '../model/index.ts';
import { readResult } from '../report/document/documents.ts';
import type { LoadModule } from '../run/authored/authored.ts';
import { clusterRunOf } from '../run/authored/cluster-runs.ts';
import { moduleOf } from '../run/authored/tokens.ts';
import { lookAtRuns, watched } from '../run/execution.ts';
import { TOKEN_ERRORS } from '../run/tokens/errors.ts';
import { questionOf } from '../run/tokens/replay.ts';
import { decodeToken, isToken, runOfToken, type Token } from '../run/tokens/token.ts';
import { MESSAGES } from '../text/messages.ts';
import { EXPORT_ERRORS } from './errors.ts';

/** Which run becomes a test. */
export interface ExportOptions {
  /** A token, or the file of a result of check; `-` is stdin. */
  readonly input: string;
  /** Number of the check in a file, from 1; null: any. */
  readonly check: number | null;
  /** Name of the property in a file; null: any. */
  readonly property: string | null;
  readonly maxMegabytes: number;
  readonly limits: Limits;
}

/** A counterexample, executed again. */
export interface SourceRun {
  readonly token: string;
  readonly title: string;
  readonly about: string | null;
  readonly protocol: string;
  readonly setup: Setup;
  /** One more than actions. */
  readonly states: readonly Cluster[];
  readonly actions: readonly ActionInstance[];
  /** What it violates. Null: nothing is known of it. */
  readonly property: { readonly id: string | null; readonly name: string } | null;
  /** The object of which the property speaks. */
  readonly parameters: Parameters;
  /** Looks at the limits of the command. */
  readonly look: () => void;
}

/** Executes the chosen run. Throws `InputError`. */
export async function sourceRun(
  given: ExportOptions,
  stdin: Bytes,
  load: LoadModule,
): Promise<SourceRun> {
  const within = lookAtRuns(given.limits);
  const look = (): void => within('executing the run');
  const word = await tokenOf(given, stdin, within);
  const token = decodeToken(word);
  const file = moduleOf(token);
  if (file !== null) {
    const { property: judged, ...run } = await clusterRunOf(token, file, load, look);
    return { token: word, about: null, look, ...run, ...judgedBy(judged, token) };
  }
  const { plan, property } = await questionOf(token, stdin, given, look);
  const { states, actions, stopped } = runOfToken(
    watched(deletionModel(plan.setup, undefined, look), look),
    token,
  );
  if (stopped !== null) throw TOKEN_ERRORS.tokenStops(actions.length + 1, stopped);
  return {
    token: word,
    title: plan.title,
    about: plan.about,
    protocol: plan.protocol,
    setup: plan.setup,
    states,
    actions,
    look,
    ...judgedBy(property, token),
  };
}

function judgedBy(
  property: Property<Cluster> | null,
  { choice }: Token,
): Pick<SourceRun, 'property' | 'parameters'> {
  return {
    property: property === null ? null : { id: property.id ?? null, name: property.name },
    parameters: property?.parameters?.[choice] ?? {},
  };
}

async function tokenOf(
  { input, check, property, maxMegabytes }: ExportOptions,
  stdin: Bytes,
  look: Look,
) {
  if (isToken(input)) {
    if (check !== null) throw MESSAGES.usage('--check has no effect with a token');
    if (property !== null) throw MESSAGES.usage('--property has no effect with a token');
    return input;
  }
  const source = await readSource(input, stdin, { maxMegabytes, look });
  const { checks, answer } = readResult(source, look);
  if (check !== null && check > checks.length) {
    throw MESSAGES.wrongValue('check', `a number from 1 to ${checks.length}`, String(check));
  }
  const asked = checks.flatMap(({ tokens, result }, index) =>
    check === null || check === index + 1 ? [{ tokens, result, index }] : [],
  );
  const all = asked.flatMap(({ tokens, index }) =>
    tokens
      .filter((each) => each.alternative === undefined)
      .map((each) => ({ ...each, check: index })),
  );
  // The other runs of an answer show only that something is possible.
  const risks = answer?.outcomes.flatMap((outcome) => outcome.risks) ?? [];
  const risky = all.filter((each) =>
    risks.some((risk) => risk.check === each.check && risk.property === each.property),
  );
  const shown = risky.length > 0 ? risky : all;
  const found = property === null ? shown : all.filter((each) => each.property === property);
  const [first, ...more] = found;
  if (first === undefined) {
    const violated = asked
      .flatMap(({ result }) => result.properties)
      .filter(({ name, verdict }) => verdict === 'violated' && name === (property ?? name));
    throw violated.length > 0
      ? EXPORT_ERRORS.noToken(property ?? input)
      : EXPORT_ERRORS.noCounterexample(
          input,
          property,
          all.map((each) => each.property),
        );
  }
  if (more.length > 0) throw EXPORT_ERRORS.several(found);
  return first.token;
}
