import {
  brokenClauses,
  type Describer,
  type Model,
  type Parameters,
  type Property,
  type PropertyResult,
  traceOf,
} from '../../checker/index.ts';
import type { Bytes } from '../../input/documents/source.ts';
import type { Plan } from '../../input/plan.ts';
import { outcomeProperty } from '../../input/scenarios/outcomes.ts';
import { ownPropertyNames } from '../../input/scenarios/own-properties.ts';
import type { WantedPlans } from '../../input/wanted-plans.ts';
import {
  type Cluster,
  describer,
  formatKey,
  keyOf,
  possibleObjects,
  type Setup,
} from '../../model/index.ts';
import { PROPERTIES, propertyForObject, titleForObject } from '../../properties/index.ts';
import type { Replay } from '../../report/document/replay.ts';
import { modelOf, propertiesOf } from '../assemble.ts';
import { watched } from '../execution.ts';
import { fateProperties } from '../fates.ts';
import { type ExecutedRun, notShown } from '../replay.ts';
import { TOKEN_ERRORS } from './errors.ts';
import { planOfToken } from './plan.ts';
import { propertyOf, runOfToken, type Token } from './token.ts';

/** What a token refers to. */
export interface TokenQuestion<State> {
  readonly token: Token;
  readonly model: Model<State>;
  readonly words: Describer<State>;
  /** Null: the token has a run without a property. */
  readonly property: Property<State> | null;
}

/**
 * Reads the input that the token names. Throws `InputError`.
 *
 * @param look at the limits. The model looks before each step, too.
 */
export async function questionOf(
  token: Token,
  stdin: Bytes,
  given: Pick<WantedPlans, 'maxMegabytes' | 'limits'>,
  look: () => void,
): Promise<TokenQuestion<Cluster> & { readonly plan: Plan }> {
  const plan = await planOfToken(token, given, stdin);
  const { setup, title } = plan;
  const usual = allProperties(setup, look);
  const isOfObject = token.property !== null && propertyOf(token, usual) === undefined;
  const properties = isOfObject ? [...usual, ...propertiesOfObjects(setup)] : usual;
  const property = judgedByToken(token, properties, title);
  return {
    token,
    plan,
    model: watched(modelOf(setup, look), look),
    words: describer(setup),
    property,
  };
}

/** The property of a token; null: it judges none. Throws `InputError` if it no longer exists. */
export function judgedByToken<State>(
  token: Token,
  properties: readonly Property<State>[],
  title: string,
): Property<State> | null {
  if (token.property === null) return null;
  const property = propertyOf(token, properties);
  if (property !== undefined) return property;
  throw TOKEN_ERRORS.tokenOfOther(title, 'the property that it judges no longer exists');
}

function allProperties(setup: Setup, look: () => void): readonly Property<Cluster>[] {
  const outcomes = Object.keys(setup.outcomes ?? {}).map(outcomeProperty);
  const names = [...PROPERTIES.map(({ name }) => name), ...outcomes, ...ownPropertyNames(setup)];
  return [...propertiesOf(setup, names, look), ...fateProperties(setup, undefined, look)];
}

/** The properties that can be asked of one object, for every object. */
function* propertiesOfObjects(setup: Setup): Generator<Property<Cluster>> {
  const keys = [...new Set(possibleObjects(setup).map(keyOf))];
  for (const { name } of PROPERTIES) {
    for (const key of keys) {
      const property = propertyForObject(setup, titleForObject(name, formatKey(key)));
      if (property !== null) yield property;
    }
  }
}

/** A token's run, as far as it could be executed. */
export interface TokenReplay<State> {
  readonly run: ExecutedRun<State>;
  /** The run in the form of a result, to show it like any other trace. */
  readonly told: PropertyResult;
  readonly replay: Replay;
}

/** Executes a token, or its first `until` steps. Only a whole run is judged. */
export function replayToken<State>(
  { token, words, model, property }: TokenQuestion<State>,
  until = token.steps.length,
): TokenReplay<State> {
  const { stopped, ...run } = runOfToken(model, token, until);
  const isWhole = stopped === null && run.actions.length === token.steps.length;
  const shape =
    token.loopStart !== null && property !== null && isWhole
      ? ('lasso' as const)
      : property?.kind === 'eventually' && isWhole
        ? ('stutter' as const)
        : ('path' as const);
  const shown = { ...run, shape, loopStart: shape === 'lasso' ? token.loopStart : null };
  const judged: Property<State> = property ?? NOTHING_JUDGED;
  const choices: readonly Parameters[] = judged.parameters ?? [{}];
  const first = choices[token.choice] ?? choices[0] ?? {};
  const violates = (parameters: Parameters): boolean =>
    notShown(model, judged, parameters, shown) === null;
  // If the choices of parameters have changed, another one may fit.
  const parameters = isWhole ? ([first, ...choices].find(violates) ?? first) : first;
  const what = property === null || !isWhole ? null : notShown(model, judged, parameters, shown);
  // A run that is no longer a counterexample is shown as a path.
  const told = what === null ? shown : { ...run, ...PATH };
  const trace = traceOf(model, { property: judged, parameters, ...told }, words);
  const isBroken = isWhole && property !== null && what === null && judged.kind !== 'witness';
  return {
    run,
    told: {
      ...(judged.id === undefined ? {} : { id: judged.id }),
      name: judged.name,
      kind: judged.kind,
      verdict: isBroken ? 'violated' : 'inconclusive',
      triggered: 0,
      parameters: judged.parameters === undefined ? null : parameters,
      trace,
      broken: isBroken ? brokenClauses({ property: judged, parameters, ...run }) : [],
      reason: null,
    },
    replay:
      stopped !== null
        ? { outcome: 'different', step: run.actions.length + 1, what: stopped }
        : what !== null
          ? { outcome: 'notBroken', what }
          : { outcome: 'same', steps: run.actions.length },
  };
}

const PATH = { shape: 'path', loopStart: null } as const;

/** For a token without a property. */
const NOTHING_JUDGED: Property<unknown> = { kind: 'witness', name: '', reached: () => false };
