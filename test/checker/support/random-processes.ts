import fc from 'fast-check';
import { defineModel } from '../../../checker/authoring/define.ts';
import { enqueue } from '../../../checker/authoring/enqueue.ts';
import type { Fairness, Model, Renaming, Symmetry } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';

/**
 * Processes as data. Each has its own phase. They meet in few places: cells, marks, mailboxes. So
 * many steps are independent, and reductions have something to do.
 */
export interface ProcessCase {
  readonly processes: readonly RandomProcess[];
  readonly cells: readonly number[];
  readonly marks: readonly boolean[];
  readonly boxes: readonly (readonly number[])[];
  readonly properties: readonly RandomClaim[];
}

export interface RandomProcess {
  /** Members that are alike; each runs the same commands. */
  readonly members: 1 | 2;
  readonly commands: readonly Command[];
}

interface Command {
  readonly from: number;
  readonly to: number;
  readonly fairness: Fairness;
  readonly guard: Guard;
  readonly effect: Effect;
  readonly also: Effect;
}

type Guard =
  | { readonly is: 'always' }
  | { readonly is: 'cell'; readonly cell: number; readonly value: number; readonly not: boolean }
  | { readonly is: 'mark'; readonly mark: number; readonly not: boolean }
  | { readonly is: 'some' }
  | { readonly is: 'waiting' | 'empty'; readonly box: number }
  | { readonly is: 'head'; readonly box: number; readonly value: number }
  | { readonly is: 'phase'; readonly process: number; readonly value: number }
  | { readonly is: 'either'; readonly one: Guard; readonly other: Guard };

type Effect =
  | { readonly do: 'nothing' }
  | { readonly do: 'cell'; readonly cell: number; readonly value: number }
  | { readonly do: 'count'; readonly cell: number }
  | { readonly do: 'copy'; readonly cell: number; readonly from: number }
  | { readonly do: 'mark' | 'unmark'; readonly mark: number }
  | { readonly do: 'take' }
  | { readonly do: 'send' | 'push'; readonly box: number; readonly value: number }
  | { readonly do: 'receive' | 'drain'; readonly box: number; readonly cell: number }
  | { readonly do: 'rewrite' | 'bump'; readonly box: number };

interface RandomClaim {
  readonly kind: Property<Network>['kind'];
  readonly claim: Guard;
  readonly trigger: Guard | null;
  readonly command: number;
}

export interface Network {
  phases: Record<string, number>;
  cells: Record<string, number>;
  marks: Record<string, true>;
  boxes: Record<string, number[]>;
}

const MOST_IN_BOX = 3;
const CELLS = 2;
const MARKS = 2;
const BOXES = 2;

function membersOf(given: ProcessCase): readonly (readonly string[])[] {
  return given.processes.map(({ members }, index) =>
    members === 1 ? [`p${index}`] : [`p${index}a`, `p${index}b`],
  );
}

export function networkOf(given: ProcessCase): Model<Network> {
  const members = membersOf(given);
  const first = members.map(([name]) => name!);
  const actions = given.processes.flatMap(({ commands }, process) =>
    commands.map((command, index) => [
      `c${process}-${index}`,
      {
        fairness: command.fairness,
        parameters: members[process]!.map((me) => ({ me })),
        reduce(draft: Network, { me }: { readonly me: string }) {
          if (draft.phases[me] !== command.from) return;
          if (!holds(draft, command.guard, first)) return;
          if (!apply(draft, command.effect) || !apply(draft, command.also)) return;
          draft.phases[me] = command.to;
        },
      },
    ]),
  );
  return defineModel<Network>({
    name: 'network',
    slots: { phases: 'entries', cells: 'entries', marks: 'flags', boxes: 'queues' },
    initial: [
      {
        phases: Object.fromEntries(members.flat().map((name) => [name, 0])),
        cells: Object.fromEntries(given.cells.map((value, index) => [`x${index}`, value])),
        marks: Object.fromEntries(
          given.marks.flatMap((isSet, index) => (isSet ? [[`m${index}`, true as const]] : [])),
        ),
        boxes: Object.fromEntries(given.boxes.map((box, index) => [`b${index}`, [...box]])),
      },
    ],
    actions: Object.fromEntries(actions),
    symmetry: symmetryOf(members),
  });
}

/** Members of one process are alike, but for the first one where a guard names it. */
function symmetryOf(members: readonly (readonly string[])[]): Symmetry {
  const renamed = (name: string, renaming: Renaming) => renaming.get(name) ?? name;
  return {
    groups: members.map((names, index) => ({ name: `process ${index}`, members: names })),
    renameKey: (section, key, renaming) => (section === 'phases' ? renamed(key, renaming) : key),
    renameValue: (_section, value) => value,
    renameParameters: (parameters, renaming) =>
      Object.fromEntries(
        Object.entries(parameters).map(([key, value]) => [key, renamed(String(value), renaming)]),
      ),
  };
}

function holds(state: Network, guard: Guard, first: readonly string[]): boolean {
  switch (guard.is) {
    case 'always':
      return true;
    case 'cell':
      return (state.cells[`x${guard.cell}`] === guard.value) !== guard.not;
    case 'mark':
      return `m${guard.mark}` in state.marks !== guard.not;
    case 'some':
      return Object.keys(state.marks).length > 0;
    case 'waiting':
      return state.boxes[`b${guard.box}`]!.length > 0;
    case 'empty':
      return state.boxes[`b${guard.box}`]![0] === undefined;
    case 'head':
      return state.boxes[`b${guard.box}`]![0] === guard.value;
    case 'phase':
      return state.phases[first[guard.process % first.length]!] === guard.value;
    case 'either':
      return holds(state, guard.one, first) || holds(state, guard.other, first);
    default:
      return guard satisfies never;
  }
}

/** False if it is not possible. */
function apply(draft: Network, effect: Effect): boolean {
  switch (effect.do) {
    case 'nothing':
      return true;
    case 'cell':
      draft.cells[`x${effect.cell}`] = effect.value;
      return true;
    case 'count':
      draft.cells[`x${effect.cell}`] = (draft.cells[`x${effect.cell}`]! + 1) % 3;
      return true;
    case 'copy':
      draft.cells[`x${effect.cell}`] = draft.cells[`x${effect.from}`]!;
      return true;
    case 'mark':
      draft.marks[`m${effect.mark}`] = true;
      return true;
    case 'unmark':
      delete draft.marks[`m${effect.mark}`];
      return true;
    case 'take': {
      const [key] = Object.keys(draft.marks);
      if (key === undefined) return false;
      delete draft.marks[key];
      return true;
    }
    case 'send':
      enqueue(draft.boxes[`b${effect.box}`]!, effect.value);
      return true;
    case 'push': {
      const box = draft.boxes[`b${effect.box}`]!;
      if (box.length >= MOST_IN_BOX) return false;
      box.push(effect.value);
      return true;
    }
    case 'receive': {
      const value = draft.boxes[`b${effect.box}`]!.shift();
      if (value === undefined) return false;
      draft.cells[`x${effect.cell}`] = value;
      return true;
    }
    case 'drain': {
      const value = draft.boxes[`b${effect.box}`]!.shift();
      if (value === undefined) draft.cells[`x${effect.cell}`] = 2;
      return true;
    }
    case 'rewrite':
      draft.boxes[`b${effect.box}`] = [1];
      return true;
    case 'bump': {
      const box = draft.boxes[`b${effect.box}`]!;
      if (box.length > 1) box[1] = 2;
      return true;
    }
    default:
      return effect satisfies never;
  }
}

export function claimsOf(given: ProcessCase): Property<Network>[] {
  const first = membersOf(given).map(([name]) => name!);
  const names = given.processes.flatMap(({ commands }, process) =>
    commands.map((_, index) => `c${process}-${index}`),
  );
  // The symmetry keeps the first member of a process for which a guard asks.
  const mentions = first;
  return given.properties.map(({ kind, claim, trigger, command }, index) => {
    const common = { name: `claim ${index}`, mentions };
    const test = (state: Network) => holds(state, claim, first);
    const triggered =
      trigger === null ? {} : { trigger: (state: Network) => holds(state, trigger, first) };
    switch (kind) {
      case 'invariant':
        return { kind, ...common, ...triggered, holds: (state) => !test(state) };
      case 'witness':
        return { kind, ...common, reached: test };
      case 'settled':
        return { kind, ...common, settled: test };
      case 'eventually':
        return { kind, ...common, ...triggered, goal: test };
      case 'step':
        return {
          kind,
          ...common,
          actions: [names[command % names.length]!],
          ...(trigger === null
            ? {}
            : { trigger: (before: Network) => holds(before, trigger, first) }),
          holds: (_before, _action, after) => !test(after),
        };
      default:
        return kind satisfies never;
    }
  });
}

const value = fc.nat(2);
const place = (count: number) => fc.nat(count - 1);
const simpleGuard: fc.Arbitrary<Guard> = fc.oneof(
  fc.record({
    is: fc.constant('cell' as const),
    ...{ cell: place(CELLS), value, not: fc.boolean() },
  }),
  fc.record({ is: fc.constant('mark' as const), mark: place(MARKS), not: fc.boolean() }),
  fc.record({ is: fc.constant('some' as const) }),
  fc.record({ is: fc.constantFrom('waiting' as const, 'empty' as const), box: place(BOXES) }),
  fc.record({ is: fc.constant('head' as const), box: place(BOXES), value }),
  fc.record({ is: fc.constant('phase' as const), process: fc.nat(2), value }),
);
const guard: fc.Arbitrary<Guard> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ is: 'always' as const }) },
  { weight: 4, arbitrary: simpleGuard },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('either' as const),
      one: simpleGuard,
      other: simpleGuard,
    }),
  },
);
const boxEffect: fc.Arbitrary<Effect> = fc.oneof(
  fc.record({ do: fc.constantFrom('send' as const, 'push' as const), box: place(BOXES), value }),
  fc.record({ do: fc.constant('send' as const), box: place(BOXES), value }),
  fc.record({
    do: fc.constantFrom('receive' as const, 'drain' as const),
    ...{ box: place(BOXES), cell: place(CELLS) },
  }),
  fc.record({ do: fc.constantFrom('rewrite' as const, 'bump' as const), box: place(BOXES) }),
);
const effect: fc.Arbitrary<Effect> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'nothing' as const }) },
  { weight: 4, arbitrary: boxEffect },
  fc.record({ do: fc.constant('cell' as const), cell: place(CELLS), value }),
  fc.record({ do: fc.constant('count' as const), cell: place(CELLS) }),
  fc.record({ do: fc.constant('copy' as const), cell: place(CELLS), from: place(CELLS) }),
  fc.record({ do: fc.constantFrom('mark' as const, 'unmark' as const), mark: place(MARKS) }),
  fc.record({ do: fc.constant('take' as const) }),
);
const command: fc.Arbitrary<Command> = fc.record({
  ...{ from: fc.nat(2), to: fc.nat(2), guard, effect },
  fairness: fc.constantFrom<Fairness>('none', 'weak', 'weak', 'strong'),
  also: fc.oneof(
    { weight: 3, arbitrary: fc.constant({ do: 'nothing' as const }) },
    { weight: 1, arbitrary: effect },
  ),
});
const oneProcess: fc.Arbitrary<RandomProcess> = fc.record({
  members: fc.constantFrom(1 as const, 1 as const, 2 as const),
  commands: fc.array(command, { minLength: 1, maxLength: 4 }),
});

export const randomProcesses: fc.Arbitrary<ProcessCase> = fc.record({
  processes: fc.array(oneProcess, { minLength: 2, maxLength: 3 }),
  cells: fc.array(value, { minLength: CELLS, maxLength: CELLS }),
  marks: fc.array(fc.boolean(), { minLength: MARKS, maxLength: MARKS }),
  boxes: fc.array(fc.array(value, { maxLength: 2 }), { minLength: BOXES, maxLength: BOXES }),
  properties: fc.array(
    fc.record({
      kind: fc.constantFrom<RandomClaim['kind']>(
        ...(['invariant', 'witness', 'settled', 'eventually', 'step'] as const),
      ),
      claim: simpleGuard,
      trigger: fc.option(simpleGuard),
      command: fc.nat(9),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
