import { createHash } from 'node:crypto';
import {
  type ActionInstance,
  DefectError,
  type Model,
  type Parameters,
  type Property,
} from '../../checker/index.ts';
import type { Subject } from '../../input/plan.ts';
import type { Setup } from '../../model/index.ts';
import { canonical, type Possible, possibleIn, sorted } from '../execution.ts';
import { TOKEN_ERRORS } from './errors.ts';
import { readSubject, writeSubject } from './subject.ts';

/**
 * A run as one word: what was checked, how, and which of the possible actions was taken at each
 * step.
 *
 *     rt1:late-dependent-orphan,workers=2:k3Vx0d_A:AaB3@Cq...:9xQp:Zf81
 *
 * - `rt1`: the format.
 * - The input and the options that change the model (`subject.ts`).
 * - The property: a digest of its name (4 characters), one of the objects and requests (3), and
 *   which of its choices of parameters.
 * - The steps: the index of the action among those that are possible, and one character of a digest
 *   of all actions so far. `@` precedes the first step of a loop.
 * - Four characters of the digest of all actions, and four of the digest of the whole token, to
 *   detect copying errors.
 */

/** A run of a model, and the property that it is a counterexample to or an example for, if any. */
export interface Run<State> {
  readonly property: Property<State> | null;
  readonly parameters: Parameters | null;
  readonly actions: readonly ActionInstance[];
  readonly loopStart: number | null;
  /** Index of the initial state that it begins in [0]. */
  readonly initial?: number;
}

/** A decoded token. Of the property it has only a digest. */
export interface Token {
  readonly subject: Subject;
  readonly property: string | null;
  readonly choice: number;
  readonly setup: string;
  readonly steps: readonly { readonly index: number; readonly check: string }[];
  readonly loopStart: number | null;
  readonly run: string;
}

const FORMAT = 'rt1';
const LONGEST = 1_000_000;
const PROPERTY_DIGITS = 4;
const SETUP_DIGITS = 3;
const RUN_DIGITS = 4;
const SUM_DIGITS = 4;
const LOOP = '@';

export function isToken(word: string): boolean {
  return /^rt\d+:/.test(word);
}

/** Throws if the actions are not a run of the model. */
export function encodeToken<State>(
  model: Model<State>,
  input: string,
  subject: Subject,
  run: Run<State>,
): string {
  return tokenWriter(model, input, subject, () => false)(run)!;
}

/**
 * Encodes several runs of one model. What they begin with in common is executed once.
 *
 * @param input digest of what the model is made from: `setupDigest`, or `initialDigest`.
 * @param isLate asked before each step; after it was true, the writer returns null.
 */
export function tokenWriter<State>(
  model: Model<State>,
  input: string,
  subject: Subject,
  isLate: () => boolean,
): (run: Run<State>) => string | null {
  const known = model.initial.map((): Places<State> => new Map());
  return ({ property, parameters, actions, loopStart, initial = 0 }) => {
    const head = [FORMAT, writeSubject({ ...subject, initial }), input].join(':');
    const start = sorted(model.initial[initial]!);
    const steps = writeSteps(model, start, actions, loopStart, known[initial]!, isLate);
    if (steps === null) return null;
    const aim =
      property === null
        ? ''
        : `${propertyDigest(property.name)}${writeNumber(choiceOf(property, parameters))}`;
    const body = `${head}${aim}:${steps}`;
    return `${body}:${digest(body).slice(0, SUM_DIGITS)}`;
  };
}

/** By the digest of a run: the place of its last step, and the state after it. */
type Places<State> = Map<string, { readonly index: number; readonly after: State }>;

/** The steps, and the digest of all of them; null if it is late. */
function writeSteps<State>(
  model: Model<State>,
  start: State,
  actions: readonly ActionInstance[],
  loopStart: number | null,
  known: Places<State>,
  isLate: () => boolean,
): string | null {
  let steps = '';
  let chain = '';
  let state = start;
  for (const [number, action] of actions.entries()) {
    if (isLate()) return null;
    chain = linked(chain, action);
    let place = known.get(chain);
    if (place === undefined) {
      const found = placeOf(model, state, action);
      if (found === null) throw unrepeatable(number, action);
      place = { index: found.index, after: found.possible.after };
      known.set(chain, place);
    }
    steps += `${number === loopStart ? LOOP : ''}${writeNumber(place.index)}${chain[0]}`;
    state = place.after;
  }
  return `${steps}:${chain.slice(0, RUN_DIGITS)}`;
}

/** The checker has executed each step of the run before. */
function unrepeatable(number: number, { name, parameters }: ActionInstance): DefectError {
  return new DefectError({
    kind: 'nondeterministic',
    culprit: name,
    parameters,
    message:
      `${name} does not always do the same: step ${number + 1} of a run that was found is not possible ` +
      'any more; it must depend on its arguments only',
  });
}

/** Throws `InputError`. */
export function decodeToken(text: string): Token {
  if (text.length > LONGEST) throw TOKEN_ERRORS.badToken('it is too long');
  const [format = '', ...rest] = text.split(':');
  if (format !== FORMAT) throw TOKEN_ERRORS.tokenOfOtherFormat(format);
  const [subject, aim, steps, run, sum, ...more] = rest;
  const body = text.slice(0, text.lastIndexOf(':'));
  if (sum === undefined || more.length > 0) throw TOKEN_ERRORS.badToken('it is not complete');
  if (digest(body).slice(0, SUM_DIGITS) !== sum) {
    throw TOKEN_ERRORS.badToken('its checksum is wrong, so it is incomplete or has a typing error');
  }
  const found = aim?.match(/^([\w-]{3})(?:([\w-]{4})([\w-]+))?$/);
  const taken = readSteps(steps ?? '');
  // A run without steps has no digest.
  const isRun = run?.length === (taken?.steps.length === 0 ? 0 : RUN_DIGITS);
  if (found === null || found === undefined || taken === null || run === undefined || !isRun) {
    throw TOKEN_ERRORS.badToken('its fields are not valid');
  }
  const [, setup = '', property, choice] = found;
  return {
    subject: readSubject(subject ?? ''),
    setup,
    property: property ?? null,
    choice: choice === undefined ? 0 : (readNumber(choice, 0)?.value ?? 0),
    ...taken,
    run,
  };
}

/** The result of executing a token. */
export interface TokenRun<State> {
  /** At least the initial one. */
  readonly states: readonly State[];
  /** One fewer than states. */
  readonly actions: readonly ActionInstance[];
  /** Why the next step of the token no longer applies; null: all steps were executed. */
  readonly stopped: string | null;
}

/** Executes the steps of a token, or the first `until` of them, with plain `produce`. */
export function runOfToken<State>(
  model: Model<State>,
  token: Token,
  until = token.steps.length,
): TokenRun<State> {
  const first: State = model.initial[token.subject.initial ?? 0] ?? model.initial[0]!;
  const states = [sorted(first)];
  const actions: ActionInstance[] = [];
  let chain = '';
  for (const { index, check } of token.steps.slice(0, until)) {
    const possible = nth(model, states.at(-1)!, index);
    if (possible === null) {
      return { states, actions, stopped: 'the action of the token is no longer possible' };
    }
    chain = linked(chain, possible.action);
    if (chain[0] !== check) {
      return { states, actions, stopped: 'the token now refers to a different action' };
    }
    states.push(possible.after);
    actions.push(possible.action);
  }
  const isWhole = actions.length === token.steps.length;
  if (isWhole && chain.slice(0, RUN_DIGITS) !== token.run) {
    return {
      states: states.slice(0, -1),
      actions: actions.slice(0, -1),
      stopped: 'the token now refers to a different action',
    };
  }
  return { states, actions, stopped: null };
}

/** Whether the token was made for these objects and requests. */
export function isOfSetup(token: Token, setup: Setup): boolean {
  return token.setup === setupDigest(setup);
}

/** The property of the token among others; undefined if it judges none of these. */
export function propertyOf<State>(
  token: Token,
  properties: readonly Property<State>[],
): Property<State> | undefined {
  return properties.find(({ name }) => propertyDigest(name) === token.property);
}

function nth<State>(model: Model<State>, state: State, index: number): Possible<State> | null {
  let at = 0;
  for (const possible of possibleIn(model, state)) {
    if (at === index) return possible;
    at++;
  }
  return null;
}

function placeOf<State>(
  model: Model<State>,
  state: State,
  action: ActionInstance,
): { readonly index: number; readonly possible: Possible<State> } | null {
  const wanted = canonical(action);
  let index = 0;
  for (const possible of possibleIn(model, state)) {
    if (canonical(possible.action) === wanted) return { index, possible };
    index++;
  }
  return null;
}

/** Index among the choices of parameters of the property. */
function choiceOf<State>(property: Property<State> | null, parameters: Parameters | null): number {
  const wanted = canonical(parameters);
  const choices: readonly Parameters[] = property?.parameters ?? [];
  return Math.max(
    0,
    choices.findIndex((choice) => canonical(choice) === wanted),
  );
}

function linked(chain: string, { name, parameters }: ActionInstance): string {
  return digest(canonical([chain, name, parameters]));
}

function propertyDigest(name: string): string {
  return digest(name).slice(0, PROPERTY_DIGITS);
}

/** Digest of objects and requests. Tokens stay valid if only rules or workers change. */
export function setupDigest({ objects, users }: Setup): string {
  return digest(canonical([objects, users])).slice(0, SETUP_DIGITS);
}

/** Digest of the initial states of an author's model. Tokens stay valid if only actions change. */
export function initialDigest({ initial }: Model<unknown>): string {
  return digest(canonical(initial)).slice(0, SETUP_DIGITS);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BASE = 32;

/** Five bits per character, the lowest first. The sixth bit means that more characters follow. */
function writeNumber(value: number): string {
  const rest = Math.floor(value / BASE);
  const low = value % BASE;
  return rest === 0 ? DIGITS[low]! : `${DIGITS[low + BASE]}${writeNumber(rest)}`;
}

function readNumber(text: string, start: number): { value: number; next: number } | null {
  let value = 0;
  for (let at = start, weight = 1; at < text.length && weight < 2 ** 30; at++, weight *= BASE) {
    const digit = DIGITS.indexOf(text[at]!);
    if (digit < 0) return null;
    value += (digit % BASE) * weight;
    if (digit < BASE) return { value, next: at + 1 };
  }
  return null;
}

function readSteps(text: string): Pick<Token, 'steps' | 'loopStart'> | null {
  const steps: { index: number; check: string }[] = [];
  let loopStart: number | null = null;
  for (let at = 0; at < text.length; ) {
    if (text[at] === LOOP) {
      if (loopStart !== null) return null;
      loopStart = steps.length;
      at++;
    }
    const number = readNumber(text, at);
    const check = number === null ? undefined : text[number.next];
    if (number === null || check === undefined || !DIGITS.includes(check)) return null;
    steps.push({ index: number.value, check });
    at = number.next + 1;
  }
  return { steps, loopStart };
}
