import { canonical } from '../run/execution.ts';
import { encodeToken } from '../run/tokens/token.ts';
import type { Command } from './commands.ts';
import { type Enabled, type Explorer, instancesMeant } from './explorer.ts';
import { broken, type Goal, goalOf, propertyMeant, unknownAction } from './goals.ts';
import { helpLines } from './help.ts';
import { enabledLines, foundLines, notFoundLines, stepLines, textLines } from './lines.ts';
import { hereIn, type Session } from './position.ts';
import { propertyLines } from './property-lines.ts';
import type { SearchOutcome } from './search.ts';
import { endLines, stateLines, traceLines } from './state-lines.ts';
import { whyLines } from './why-lines.ts';

/** The effect of a command. */
export interface Reaction {
  readonly session: Session;
  readonly lines: readonly string[];
  /** A goal to search for from the current state. `arrive` takes the outcome. */
  readonly search?: Goal;
  readonly quit?: true;
  /** The command was not valid. */
  readonly failed?: true;
}

/** Executes a command. Pure: it only requests searches. */
export function execute(explorer: Explorer, session: Session, command: Command): Reaction {
  const here = hereIn(session);
  const says = (lines: readonly string[]): Reaction => ({ session, lines });
  switch (command.do) {
    case 'nothing':
      return says([]);
    case 'wrong':
      return failed(explorer, session, command.message);
    case 'help':
      return says(helpLines(explorer, command.about));
    case 'quit':
      return { session, lines: [], quit: true };
    case 'actions':
      return says(enabledLines(explorer, here));
    case 'take':
      return takeNumber(explorer, session, command.number);
    case 'step':
      return takeMeant(explorer, session, command.words);
    case 'back':
      return goTo(explorer, session, session.actions.length - command.steps);
    case 'undo':
      return goTo(explorer, session, command.to);
    case 'why':
      return why(explorer, session, command.words);
    case 'state':
      return says(stateLines(explorer, here, session.actions.length, command.full));
    case 'trace':
      return says(traceLines(explorer, session, command.full));
    case 'properties':
      return says(propertyLines(explorer, session));
    case 'until': {
      const goal = goalOf(explorer, command.goal, command.words);
      if ('error' in goal) return failed(explorer, session, goal.error);
      return { session, lines: [], search: goal };
    }
    case 'jump': {
      const property = propertyMeant(explorer, command.words);
      if ('error' in property) return failed(explorer, session, property.error);
      return { session, lines: [], search: broken(property) };
    }
    case 'save':
      return save(explorer, session);
    default:
      throw new Error(`unknown command ${JSON.stringify(command satisfies never)}`);
  }
}

/** Continues the session with the outcome of a search. */
export function arrive(
  explorer: Explorer,
  session: Session,
  goal: Goal,
  outcome: SearchOutcome,
): Reaction {
  if (!outcome.found) return { session, lines: notFoundLines(explorer, goal, outcome) };
  const before = session.actions.length;
  const { session: reached, broken: clauses } = outcome;
  const steps = reached.actions.slice(before);
  return {
    session: reached,
    lines: [
      ...foundLines(explorer, goal, outcome, steps.length, before),
      ...steps.flatMap((_, index) => stepLines(explorer, reached, before + index + 1)),
      ...endLines(explorer, reached),
      ...(goal.judged ? brokenLines(explorer, clauses) : []),
      '',
      ...enabledLines(explorer, hereIn(reached)),
    ],
  };
}

function brokenLines({ colors }: Explorer, clauses: readonly string[]): readonly string[] {
  return clauses.flatMap((clause, index) =>
    textLines(clause, index === 0 ? '  broken: ' : '          ').map(colors.red),
  );
}

function failed({ colors }: Explorer, session: Session, message: string): Reaction {
  return { session, lines: textLines(message, '', '  ').map(colors.red), failed: true };
}

function takeNumber(explorer: Explorer, session: Session, number: number): Reaction {
  const enabled = explorer.enabled(hereIn(session));
  const chosen = enabled[number - 1];
  if (chosen !== undefined) return take(explorer, session, chosen);
  const known =
    enabled.length === 0 ? 'nothing is enabled here' : `enabled are 1 to ${enabled.length}`;
  return failed(explorer, session, `there is no action ${number}: ${known}`);
}

function takeMeant(explorer: Explorer, session: Session, words: readonly string[]): Reaction {
  const meant = instancesMeant(explorer.instances, words);
  if (meant.length === 0) return failed(explorer, session, unknownAction(words, explorer));
  const labels = new Set(meant.map(({ action }) => JSON.stringify(action)));
  const fitting = explorer
    .enabled(hereIn(session))
    .map((enabled, index) => ({ enabled, number: index + 1 }))
    .filter(({ enabled }) => labels.has(JSON.stringify(enabled.action)));
  const [first] = fitting;
  if (first === undefined) {
    const reaction = why(explorer, session, words);
    return { ...reaction, failed: true };
  }
  if (fitting.length === 1) return take(explorer, session, first.enabled);
  const numbers = fitting.map(({ number }) => number).join(', ');
  return failed(explorer, session, `several are enabled: say which of ${numbers}`);
}

function take(explorer: Explorer, session: Session, { action, after }: Enabled): Reaction {
  const taken: Session = {
    states: [...session.states, after],
    actions: [...session.actions, action],
    found: null,
  };
  return {
    session: taken,
    lines: [
      ...stepLines(explorer, taken, taken.actions.length),
      '',
      ...enabledLines(explorer, after),
    ],
  };
}

function goTo(explorer: Explorer, session: Session, step: number): Reaction {
  const { states, actions } = session;
  if (step < 0 || step > actions.length) {
    const taken = actions.length === 0 ? 'no step has' : `${actions.length} steps have`;
    return failed(explorer, session, `that is not possible: ${taken} been taken`);
  }
  const back: Session = {
    states: states.slice(0, step + 1),
    actions: actions.slice(0, step),
    found: step === actions.length ? session.found : null,
  };
  const where = step === 0 ? 'At the start' : `After step ${step}`;
  return {
    session: back,
    lines: [explorer.colors.bold(where), ...enabledLines(explorer, hereIn(back))],
  };
}

function why(explorer: Explorer, session: Session, words: readonly string[]): Reaction {
  const isAll = words.length === 1 && words[0]?.toLowerCase() === 'all';
  if (words.length === 0 || isAll) {
    return { session, lines: whyLines(explorer, hereIn(session), null, isAll) };
  }
  const [first = ''] = words;
  const enabled = /^\d+$/.test(first) ? explorer.enabled(hereIn(session))[Number(first) - 1] : null;
  if (enabled !== null && enabled !== undefined) {
    return { session, lines: textLines(`${first} is enabled: ${enabled.sentence}`, '') };
  }
  const meant = instancesMeant(explorer.instances, words);
  if (meant.length === 0) return failed(explorer, session, unknownAction(words, explorer));
  return { session, lines: whyLines(explorer, hereIn(session), meant, true) };
}

/** Prints the token on one line, however long it is. */
function save(explorer: Explorer, session: Session): Reaction {
  const { subject, inputDigest, model, properties, colors } = explorer;
  const { states, actions, found } = session;
  if (subject === null) {
    return failed(explorer, session, 'a token cannot refer to input from stdin');
  }
  const property = properties.find(({ name }) => name === found?.property) ?? null;
  const start = canonical(states[0]);
  const token = encodeToken(model, inputDigest, subject, {
    initial: model.initial.findIndex((state) => canonical(state) === start),
    property,
    parameters: found?.parameters ?? null,
    actions,
    loopStart: found?.loopStart ?? null,
  });
  return { session, lines: [`  ${colors.dim('reapcheck explore')} ${token}`] };
}
