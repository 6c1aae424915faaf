import type { Bytes } from '../input/documents/source.ts';
import { gatherPlans } from '../input/gather.ts';
import { type InputOptions, isModule } from '../input/options/input-options.ts';
import type { Plan } from '../input/plan.ts';
import type { Variant } from '../input/scenarios/terms.ts';
import { lookAt, workClock } from '../input/work-clock.ts';
import {
  authoredModel,
  type LoadedModule,
  type LoadModule,
  withProperties,
} from '../run/authored/authored.ts';
import { moduleOf, questionOfModel } from '../run/authored/tokens.ts';
import { TOKEN_ERRORS } from '../run/tokens/errors.ts';
import { planOfToken } from '../run/tokens/plan.ts';
import { propertyOf, runOfToken, type Token } from '../run/tokens/token.ts';
import type { Colors } from '../text/layout.ts';
import { MESSAGES } from '../text/messages.ts';
import { type Explorer, explorerOf, explorerOfModel } from './explorer.ts';
import { hereIn, type Session, startOf } from './position.ts';

/** What to explore: an input with its options, or a run that a token names. */
export interface Start {
  readonly options: InputOptions;
  /** Instead of an input. */
  readonly token: Token | null;
  /** The variant of a museum entry. */
  readonly variant: Variant;
}

interface Begun {
  readonly explorer: Explorer;
  readonly session: Session;
}

/**
 * Reads the input and begins a session. Throws `InputError`.
 *
 * @param load loads the module that the input or the token names.
 */
export async function begin(
  given: Start,
  stdin: Bytes,
  colors: Colors,
  load: LoadModule,
): Promise<Begun> {
  const { options } = given;
  const within = lookAt(options.limits, workClock());
  const begun = await started(given, stdin, colors, load, () => within('making the model'));
  begun.explorer.enabled(hereIn(begun.session), () => within('trying what is possible'));
  return begun;
}

async function started(
  given: Start,
  stdin: Bytes,
  colors: Colors,
  load: LoadModule,
  look: () => void,
): Promise<Begun> {
  const { token, options } = given;
  const file = token === null ? (options.inputs.find(isModule) ?? null) : moduleOf(token);
  if (file !== null) return beginModel(await load(file), given, colors, look);
  if (token === null) {
    const explorer = explorerOf(await planOf(given, stdin), colors, look);
    return { explorer, session: startOf(explorer) };
  }
  const plan = await planOfToken(token, options, stdin);
  const explorer = explorerOf(plan, colors, look);
  return { explorer, session: sessionOf(explorer, token) };
}

function beginModel(
  module: LoadedModule,
  { token, options }: Start,
  colors: Colors,
  look: () => void,
): Begun {
  if (options.inputs.length > 1) throw MESSAGES.usage('explore takes one module at a time');
  const authored = withProperties(authoredModel(module), options.properties);
  const explorer = explorerOfModel(authored, colors, look);
  if (token === null) return { explorer, session: startOf(explorer) };
  questionOfModel(token, authored);
  return { explorer, session: sessionOf(explorer, token) };
}

async function planOf({ options, variant }: Start, stdin: Bytes): Promise<Plan> {
  if (options.museum && options.inputs.length !== 1) {
    throw MESSAGES.usage('explore takes one museum entry at a time', 'reapcheck list museum');
  }
  const plans = await gatherPlans(options, stdin);
  const fitting = options.museum
    ? plans.filter(({ museum }) => museum?.variant === variant)
    : plans;
  const [plan, second] = fitting;
  if (plan === undefined) {
    throw MESSAGES.usage(
      `there is nothing to explore: ${options.museum ? `the entry has no variant ${variant}` : 'the input has none of these properties'}`,
    );
  }
  if (second !== undefined) throw MESSAGES.usage('explore takes one scenario at a time');
  return plan;
}

function sessionOf({ model, properties }: Explorer, token: Token): Session {
  const { states, actions, stopped } = runOfToken(model, token);
  if (stopped !== null) throw TOKEN_ERRORS.tokenStops(actions.length + 1, stopped);
  const property = propertyOf(token, properties);
  if (property === undefined) return { states, actions, found: null };
  const parameters = property.parameters?.[token.choice] ?? null;
  const endless = property.kind === 'eventually';
  const found = { property: property.name, parameters, endless, loopStart: token.loopStart };
  return { states, actions, found };
}
