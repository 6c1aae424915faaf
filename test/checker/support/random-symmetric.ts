import fc from 'fast-check';
import { defineModel } from '../../../checker/authoring/define.ts';
import type { Fairness, Model, Parameters, Renaming, Symmetry } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';

/** A few processes that differ only in their names, as data. */
export interface SymmetricCase {
  readonly processes: 2 | 3;
  /** By process: the initial content of its cell; absent: empty. */
  readonly start: readonly (number | null)[];
  readonly actions: readonly SymmetricAction[];
  readonly properties: readonly SymmetricProperty[];
}

export interface Processes {
  cells: Record<string, number>;
  marks: Record<string, true>;
  /** The names of the waiting processes; each with what it has said. */
  line: { waiting: string[] };
  /** Sorted names. */
  club: string[];
  phase: number;
  holder: string | null;
}

interface SymmetricAction {
  readonly fairness: Fairness;
  readonly of: 'one' | 'two' | 'none';
  readonly guard: Guard;
  readonly change: Change;
  readonly also: Change;
}

/** `one` is the first process of an instance, `other` the second, or the first if there is none. */
type Guard =
  | { readonly is: 'cell'; readonly who: Who; readonly value: number }
  | { readonly is: 'phase'; readonly value: number }
  | { readonly is: 'marked' | 'head' | 'holder' | 'member'; readonly who: Who }
  | { readonly is: 'free' }
  | { readonly is: 'some'; readonly value: number }
  | { readonly is: 'not'; readonly guard: Guard };

type Who = 'one' | 'other';

type Change =
  | { readonly do: 'cell'; readonly who: Who; readonly value: number | null }
  | { readonly do: 'phase'; readonly value: number }
  | { readonly do: 'mark' | 'unmark' | 'push' | 'hold' | 'join' | 'leave'; readonly who: Who }
  | { readonly do: 'shift' | 'release' | 'nothing' };

interface SymmetricProperty {
  readonly kind: Property<Processes>['kind'];
  readonly of: 'one' | 'none';
  readonly guard: Guard;
  readonly trigger: Guard | null;
}

const LETTERS = ['a', 'b', 'c'] as const;
const MOST_WAITING = 2;

export function names({ processes }: Pick<SymmetricCase, 'processes'>): readonly string[] {
  return LETTERS.slice(0, processes);
}

const renamed = (name: string, renaming: Renaming): string => renaming.get(name) ?? name;

export const symmetry = (members: readonly string[]): Symmetry => ({
  groups: [{ name: 'processes', members }],
  renameKey: (section, key, renaming) => (section === 'line' ? key : renamed(key, renaming)),
  renameValue: (section, value, renaming) => {
    if (section === 'line') return (value as string[]).map((name) => renamed(name, renaming));
    if (section === 'club')
      return (value as string[]).map((name) => renamed(name, renaming)).sort();
    if (section === 'holder') return value === null ? null : renamed(String(value), renaming);
    return value;
  },
  renameParameters: (parameters, renaming) =>
    Object.fromEntries(
      Object.entries(parameters).map(([key, value]) => [key, renamed(String(value), renaming)]),
    ),
});

export function symmetricModel(given: SymmetricCase): Model<Processes> {
  const members = names(given);
  const cells = Object.fromEntries(
    members.flatMap((name, index) => {
      const value = given.start[index] ?? null;
      return value === null ? [] : [[name, value] as const];
    }),
  );
  return defineModel<Processes>({
    name: 'random symmetric',
    slots: {
      cells: 'entries',
      marks: 'flags',
      line: 'queues',
      club: 'value',
      phase: 'value',
      holder: 'value',
    },
    initial: [{ cells, marks: {}, line: { waiting: [] }, club: [], phase: 0, holder: null }],
    actions: Object.fromEntries(
      given.actions.map(({ fairness, of, guard, change, also }, index) => [
        `action${index}`,
        {
          fairness,
          parameters: parametersOf(of, members),
          reduce: (draft: Processes, parameters: Parameters) => {
            if (!isTrue(guard, draft, parameters)) return;
            apply(change, draft, parameters);
            apply(also, draft, parameters);
          },
        },
      ]),
    ),
    symmetry: symmetry(members),
  });
}

function parametersOf(of: SymmetricAction['of'], members: readonly string[]): Parameters[] {
  if (of === 'none') return [{}];
  if (of === 'one') return members.map((one) => ({ one }));
  return members.flatMap((one) =>
    members.filter((other) => other !== one).map((other) => ({ one, other })),
  );
}

/** For an action or property without a process: no process. */
function nameOf(who: Who, parameters: Parameters): string {
  return String((who === 'other' ? parameters.other : undefined) ?? parameters.one ?? '');
}

function isTrue(guard: Guard, state: Processes, parameters: Parameters): boolean {
  switch (guard.is) {
    case 'cell':
      return state.cells[nameOf(guard.who, parameters)] === guard.value;
    case 'phase':
      return state.phase === guard.value;
    case 'marked':
      return nameOf(guard.who, parameters) in state.marks;
    case 'head':
      return state.line.waiting[0] === nameOf(guard.who, parameters);
    case 'holder':
      return state.holder === nameOf(guard.who, parameters);
    case 'member':
      return state.club.includes(nameOf(guard.who, parameters));
    case 'free':
      return state.holder === null;
    case 'some':
      return Object.values(state.cells).includes(guard.value);
    case 'not':
      return !isTrue(guard.guard, state, parameters);
    default:
      return guard satisfies never;
  }
}

function apply(change: Change, draft: Processes, parameters: Parameters): void {
  const name = 'who' in change ? nameOf(change.who, parameters) : '';
  if ('who' in change && name === '') return;
  switch (change.do) {
    case 'cell':
      if (change.value === null) delete draft.cells[name];
      else draft.cells[name] = change.value;
      return;
    case 'phase':
      draft.phase = change.value;
      return;
    case 'mark':
      draft.marks[name] = true;
      return;
    case 'unmark':
      delete draft.marks[name];
      return;
    case 'push':
      if (draft.line.waiting.length < MOST_WAITING) draft.line.waiting.push(name);
      return;
    case 'shift':
      draft.line.waiting.shift();
      return;
    case 'hold':
      draft.holder = name;
      return;
    case 'release':
      draft.holder = null;
      return;
    case 'join':
      draft.club = [...new Set([...draft.club, name])].sort();
      return;
    case 'leave':
      draft.club = draft.club.filter((member) => member !== name);
      return;
    case 'nothing':
      return;
    default:
      change satisfies never;
  }
}

export function symmetricProperties(given: SymmetricCase): Property<Processes>[] {
  return given.properties.map(({ kind, of, guard, trigger }, index) => {
    const name = `property${index}`;
    const parameters = of === 'none' ? {} : { parameters: parametersOf('one', names(given)) };
    const test = (state: Processes, choice: Parameters) => isTrue(guard, state, choice);
    const triggered =
      trigger === null
        ? {}
        : { trigger: (state: Processes, choice: Parameters) => isTrue(trigger, state, choice) };
    switch (kind) {
      case 'invariant':
        return { kind, name, ...parameters, ...triggered, holds: test };
      case 'eventually':
        return { kind, name, ...parameters, ...triggered, goal: test };
      case 'witness':
        return { kind, name, ...parameters, reached: test };
      case 'settled':
        return { kind, name, ...parameters, settled: test };
      case 'step':
        return {
          kind,
          name,
          ...parameters,
          holds: (before, action, after, choice) =>
            action.parameters.one !== choice.one ||
            (trigger !== null && !isTrue(trigger, before, choice)) ||
            isTrue(guard, after, choice),
        };
      default:
        return kind satisfies never;
    }
  });
}

const value = fc.nat(2);
const who = fc.constantFrom<Who>('one', 'one', 'other');
const { guard } = fc.letrec<{ guard: Guard }>((tie) => ({
  guard: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ is: fc.constant('cell'), who, value }),
    fc.record({ is: fc.constant('phase'), value }),
    fc.record({ is: fc.constantFrom('marked', 'head', 'holder', 'member'), who }),
    fc.record({ is: fc.constant('free') }),
    fc.record({ is: fc.constant('some'), value }),
    fc.record({ is: fc.constant('not'), guard: tie('guard') }),
  ) as fc.Arbitrary<Guard>,
}));
const change = fc.oneof(
  fc.record({ do: fc.constant('cell'), who, value: fc.option(value) }),
  fc.record({ do: fc.constant('phase'), value }),
  fc.record({ do: fc.constantFrom('mark', 'unmark', 'push', 'hold', 'join', 'leave'), who }),
  fc.record({ do: fc.constantFrom('shift', 'release', 'nothing') }),
) as fc.Arbitrary<Change>;

export const symmetricCases: fc.Arbitrary<SymmetricCase> = fc.record({
  processes: fc.constantFrom(2, 3),
  start: fc.array(fc.option(value), { minLength: 3, maxLength: 3 }),
  actions: fc.array(
    fc.record({
      fairness: fc.constantFrom<Fairness>('none', 'weak', 'weak', 'strong'),
      of: fc.constantFrom('one', 'one', 'two', 'none'),
      guard,
      change,
      also: change,
    }),
    { minLength: 2, maxLength: 5, size: 'max' },
  ),
  properties: fc.array(
    fc.record({
      kind: fc.constantFrom('invariant', 'step', 'eventually', 'eventually', 'witness', 'settled'),
      of: fc.constantFrom('one', 'none'),
      guard,
      trigger: fc.option(guard),
    }),
    { minLength: 1, maxLength: 3, size: 'max' },
  ),
});
