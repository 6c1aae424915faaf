import {
  CELL_KEYS,
  type Condition,
  type Expression,
  type HasForm,
  type Item,
  type Key,
  LINE_KEYS,
  MARK_KEYS,
  type Program,
  type RandomParameters,
  type RandomState,
  type SectionName,
  type Statement,
  WIDE_KEYS,
} from './random-language.ts';

/*
 * The interpreter of the random language. It only does to a state what an author's code would do,
 * by the same operators, and never throws.
 */

/** Lines never get longer than this, so that models are finite. */
const LONGEST_LINE = 3;

interface Frame {
  readonly state: RandomState;
  readonly parameters: RandomParameters;
  readonly registers: (Item | undefined)[];
  loopKey: number | null;
}

export function runProgram(
  program: Program,
  state: RandomState,
  parameters: RandomParameters,
): void {
  execute(program, { state, parameters, registers: [], loopKey: null });
}

/** Must not change the state, which may be frozen. */
export function evaluateCondition(
  condition: Condition,
  state: RandomState,
  parameters: RandomParameters,
): boolean {
  return test(condition, { state, parameters, registers: [], loopKey: null });
}

function execute(program: Program, frame: Frame): void {
  for (const statement of program) step(statement, frame);
}

function step(statement: Statement, frame: Frame): void {
  const { state } = frame;
  switch (statement.kind) {
    case 'if': {
      const holds = test(statement.condition, frame);
      execute(holds ? statement.whenTrue : statement.whenFalse, frame);
      return;
    }
    case 'load':
      frame.registers[statement.register] = value(statement.from, frame);
      return;
    case 'setField': {
      const target = value(statement.of, frame);
      if (isObject(target)) target.n = numberOf(value(statement.to, frame));
      return;
    }
    case 'setValue':
      state[statement.value] = item(statement.to, frame);
      return;
    case 'setCell':
      state.cells[keyIn('cells', statement.key, frame)] = item(statement.to, frame);
      return;
    case 'deleteKey':
      delete state[statement.section][keyIn(statement.section, statement.key, frame)];
      return;
    case 'setMark':
      state.marks[keyIn('marks', statement.key, frame)] = true;
      return;
    case 'setLine':
      state.lines[keyIn('lines', statement.line, frame)] = statement.to.map((to) =>
        item(to, frame),
      );
      return;
    case 'moveLine': {
      const moved = line(statement.from, frame);
      if (moved === undefined) return;
      delete state.lines[keyIn('lines', statement.from, frame)];
      state.lines[keyIn('lines', statement.to, frame)] = moved;
      return;
    }
    case 'push':
    case 'unshift': {
      const target = line(statement.line, frame);
      if (target === undefined || target.length >= LONGEST_LINE) return;
      target[statement.kind](item(statement.item, frame));
      return;
    }
    case 'pushOnce': {
      // Reads nothing of the queue, not even its length.
      const mark = keyIn('marks', statement.mark, frame);
      if (state.marks[mark]) return;
      state.marks[mark] = true;
      line(statement.line, frame)?.push(item(statement.item, frame));
      return;
    }
    case 'shift':
      frame.registers[statement.register] = line(statement.line, frame)?.shift();
      return;
    case 'advance': {
      const target = line(statement.line, frame);
      target?.shift();
      const head = target?.[0];
      if (isObject(head)) head.n = numberOf(value(statement.to, frame));
      return;
    }
    case 'pop':
      frame.registers[statement.register] = line(statement.line, frame)?.pop();
      return;
    case 'splice':
      line(statement.line, frame)?.splice(statement.position, 1);
      return;
    case 'setElement': {
      const target = line(statement.line, frame);
      if (target !== undefined && statement.position < target.length) {
        target[statement.position] = item(statement.to, frame);
      }
      return;
    }
    case 'truncate': {
      const target = line(statement.line, frame);
      if (target !== undefined && target.length > statement.length) {
        target.length = statement.length;
      }
      return;
    }
    case 'spread': {
      const from = numberOf(value(statement.from, frame));
      WIDE_KEYS.forEach((key, index) => {
        state.wide[key] = (from + index) % 3;
      });
      return;
    }
    case 'clear':
      for (const key of Object.keys(state[statement.section])) delete state[statement.section][key];
      return;
    case 'replaceCells': {
      const kept = item(statement.to, frame);
      state.cells = { [keyIn('cells', statement.key, frame)]: kept };
      return;
    }
    case 'forEach': {
      const outer = frame.loopKey;
      for (const key of Object.keys(state[statement.section])) {
        frame.loopKey = keysOf(statement.section).indexOf(key);
        execute(statement.body, frame);
      }
      frame.loopKey = outer;
      return;
    }
    default:
      statement satisfies never;
  }
}

function test(condition: Condition, frame: Frame): boolean {
  switch (condition.kind) {
    case 'equal':
      return numberOf(value(condition.one, frame)) === numberOf(value(condition.other, frame));
    case 'isObject':
      return isObject(value(condition.of, frame));
    case 'has':
      return has(
        frame.state[condition.section],
        keyIn(condition.section, condition.key, frame),
        condition.how,
      );
    case 'contains':
      return (
        line(condition.line, frame)?.some((one) => numberOf(one) === condition.number) ?? false
      );
    case 'not':
      return !test(condition.of, frame);
    case 'and':
      return test(condition.one, frame) && test(condition.other, frame);
    default:
      return condition satisfies never;
  }
}

function has(section: Readonly<Record<string, unknown>>, key: string, how: HasForm): boolean {
  switch (how) {
    case 'in':
      return key in section;
    case 'hasOwn':
      return Object.hasOwn(section, key);
    case 'undefined':
      return section[key] !== undefined;
    case 'truthy':
      return Boolean(section[key]);
    case 'keys':
      return Object.keys(section).includes(key);
    default:
      return how satisfies never;
  }
}

function value(expression: Expression, frame: Frame): Item | undefined {
  const { state } = frame;
  switch (expression.kind) {
    case 'constant':
      return isObject(expression.item) ? { ...expression.item } : expression.item;
    case 'parameter':
      return frame.parameters.n ?? 0;
    case 'register':
      return frame.registers[expression.register];
    case 'value':
      return state[expression.value];
    case 'cell':
      return state.cells[keyIn('cells', expression.key, frame)];
    case 'wide':
      return state.wide[WIDE_KEYS[expression.index]!];
    case 'count':
      return Object.keys(state[expression.section]).length % 3;
    case 'firstKey':
      // 0 for an empty section.
      return (
        (1 + keysOf(expression.section).indexOf(Object.keys(state[expression.section])[0]!)) % 3
      );
    case 'text':
      return JSON.stringify(state[expression.section]).length % 3;
    case 'length':
      return line(expression.line, frame)?.length ?? 0;
    case 'element':
      return line(expression.line, frame)?.[expression.position];
    case 'last':
      return line(expression.line, frame)?.at(-1);
    case 'total': {
      let total = 0;
      for (const one of line(expression.line, frame) ?? []) total += numberOf(one);
      return total % 3;
    }
    case 'successor':
      return (numberOf(value(expression.of, frame)) + 1) % 3;
    case 'wrapped':
      return { n: numberOf(value(expression.of, frame)) };
    case 'copy': {
      const copied = value(expression.of, frame);
      return isObject(copied) ? { ...copied } : copied;
    }
    default:
      return expression satisfies never;
  }
}

/** As `value`, but always something that a state may hold. */
function item(expression: Expression, frame: Frame): Item {
  return value(expression, frame) ?? null;
}

function line(key: Key, frame: Frame): Item[] | undefined {
  return frame.state.lines[keyIn('lines', key, frame)];
}

function keyIn(section: SectionName, key: Key, frame: Frame): string {
  const keys = keysOf(section);
  const chosen =
    (key.from === 'parameter' ? frame.parameters.key : null) ??
    (key.from === 'loop' ? frame.loopKey : null) ??
    key.name;
  return keys[chosen % keys.length]!;
}

export function keysOf(section: SectionName): readonly string[] {
  switch (section) {
    case 'cells':
      return CELL_KEYS;
    case 'marks':
      return MARK_KEYS;
    case 'lines':
      return LINE_KEYS;
    default:
      return section satisfies never;
  }
}

function isObject(of: Item | undefined): of is { n: number } {
  return typeof of === 'object' && of !== null;
}

function numberOf(of: Item | undefined): number {
  return isObject(of) ? of.n : (of ?? 0);
}
