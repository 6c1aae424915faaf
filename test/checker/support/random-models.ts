import fc from 'fast-check';
import { defineModel } from '../../../checker/authoring/define.ts';
import type { Fairness, Model } from '../../../checker/model.ts';
import type { Property } from '../../../checker/property.ts';
import {
  type Condition,
  type Expression,
  type HasForm,
  type Item,
  type Key,
  type Program,
  type RandomParameters,
  type RandomState,
  type SectionName,
  type Statement,
  type ValueName,
  WIDE_KEYS,
} from './random-language.ts';
import { evaluateCondition, runProgram } from './random-programs.ts';

/** A model and properties as data, so that fast-check can print and shrink them. */
export interface RandomCase {
  readonly initial: readonly RandomState[];
  readonly actions: readonly RandomAction[];
  readonly properties: readonly RandomProperty[];
}

interface RandomAction {
  readonly fairness: Fairness;
  readonly parameters: readonly RandomParameters[] | null;
  readonly program: Program;
}

interface RandomProperty {
  readonly kind: Property<RandomState>['kind'];
  readonly parameters: readonly RandomParameters[] | null;
  readonly trigger: Condition | null;
  readonly condition: Condition;
  /** For step rules: the condition on the state before. */
  readonly before: Condition;
  readonly judged: readonly number[] | null;
}

export function modelOf({ initial, actions }: RandomCase): Model<RandomState> {
  return defineModel<RandomState>({
    name: 'random',
    slots: {
      phase: 'value',
      mode: 'value',
      cells: 'entries',
      marks: 'flags',
      lines: 'queues',
      wide: 'entries',
    },
    initial,
    actions: Object.fromEntries(
      actions.map(({ fairness, parameters, program }, index) => [
        `action${index}`,
        {
          fairness,
          ...(parameters === null ? {} : { parameters: parameters as never }),
          reduce: (draft: RandomState, choice: RandomParameters) =>
            runProgram(program, draft, choice),
        },
      ]),
    ),
  });
}

export function propertiesOf({ actions, properties }: RandomCase): Property<RandomState>[] {
  return properties.map((property, index) => {
    const { kind, condition, before, trigger } = property;
    const name = `property${index}`;
    const parameters =
      property.parameters === null ? {} : { parameters: property.parameters as never };
    const test = (state: RandomState, choice: RandomParameters) =>
      evaluateCondition(condition, state, choice);
    const triggered =
      trigger === null
        ? {}
        : {
            trigger: (state: RandomState, choice: RandomParameters) =>
              evaluateCondition(trigger, state, choice),
          };
    switch (kind) {
      case 'invariant':
        return { kind, name, ...parameters, ...triggered, holds: test };
      case 'eventually':
        return { kind, name, ...parameters, ...triggered, goal: test };
      case 'witness':
        return { kind, name, ...parameters, reached: test };
      case 'settled':
        return { kind, name, ...parameters, settled: test };
      case 'step': {
        const judged = property.judged?.map((action) => `action${action % actions.length}`);
        return {
          kind,
          name,
          ...parameters,
          ...(judged === undefined ? {} : { actions: judged }),
          ...(trigger === null
            ? {}
            : {
                trigger: (
                  _before: RandomState,
                  _action: unknown,
                  after: RandomState,
                  choice: RandomParameters,
                ) => evaluateCondition(trigger, after, choice),
              }),
          holds: (
            old: RandomState,
            _action: unknown,
            after: RandomState,
            choice: RandomParameters,
          ) =>
            !evaluateCondition(before, old, choice) || evaluateCondition(condition, after, choice),
        };
      }
      default:
        return kind satisfies never;
    }
  });
}

const small = fc.nat(2);
const register = fc.nat(1);
const section = fc.constantFrom<SectionName>('cells', 'marks', 'lines');
const valueName = fc.constantFrom<ValueName>('phase', 'mode');
const item: fc.Arbitrary<Item> = fc.oneof(
  { weight: 4, arbitrary: small },
  { weight: 4, arbitrary: small.map((n) => ({ n })) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const key: fc.Arbitrary<Key> = fc.record({
  from: fc.constantFrom('name', 'name', 'parameter', 'loop'),
  name: fc.constantFrom(0, 0, 0, 1, 2, 3),
});

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('constant'), item }),
    fc.record({ kind: fc.constant('parameter') }),
    fc.record({ kind: fc.constant('register'), register }),
    fc.record({ kind: fc.constant('value'), value: valueName }),
    fc.record({ kind: fc.constant('cell'), key }),
    fc.record({ kind: fc.constant('wide'), index: fc.nat(WIDE_KEYS.length - 1) }),
    fc.record({ kind: fc.constantFrom('count', 'firstKey', 'text'), section }),
    fc.record({ kind: fc.constantFrom('length', 'last', 'total'), line: key }),
    fc.record({ kind: fc.constant('element'), line: key, position: fc.nat(1) }),
    fc.record({ kind: fc.constantFrom('successor', 'wrapped', 'copy'), of: tie('expression') }),
  ) as fc.Arbitrary<Expression>,
}));

/** Places that may hold an object in the state, to be changed in place. */
const place = fc.oneof(
  fc.record({ kind: fc.constant('element'), line: key, position: fc.nat(1) }),
  fc.record({ kind: fc.constant('last'), line: key }),
  fc.record({ kind: fc.constant('cell'), key }),
  fc.record({ kind: fc.constant('value'), value: valueName }),
  fc.record({ kind: fc.constant('register'), register }),
) as fc.Arbitrary<Expression>;

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('equal'), one: expression, other: expression }),
    fc.record({
      kind: fc.constant('has'),
      section,
      key,
      how: fc.constantFrom<HasForm>('in', 'hasOwn', 'undefined', 'truthy', 'keys'),
    }),
    fc.record({ kind: fc.constant('contains'), line: key, number: small }),
    fc.record({ kind: fc.constant('isObject'), of: expression }),
    fc.record({ kind: fc.constant('not'), of: tie('condition') }),
    fc.record({ kind: fc.constant('and'), one: tie('condition'), other: tie('condition') }),
  ) as fc.Arbitrary<Condition>,
}));

const { program } = fc.letrec<{ program: Program; statement: Statement }>((tie) => ({
  program: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }) as fc.Arbitrary<Program>,
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('setValue'), value: valueName, to: expression }),
    fc.record({ kind: fc.constant('setCell'), key, to: expression }),
    fc.record({ kind: fc.constant('setMark'), key }),
    fc.record({ kind: fc.constant('deleteKey'), section, key }),
    fc.record({ kind: fc.constantFrom('push', 'unshift'), line: key, item: expression }),
    fc.record({ kind: fc.constant('pushOnce'), line: key, mark: key, item: expression }),
    fc.record({ kind: fc.constantFrom('shift', 'pop'), line: key, register }),
    fc.record({ kind: fc.constant('advance'), line: key, to: expression }),
    fc.record({ kind: fc.constant('load'), register, from: expression }),
    fc.record({ kind: fc.constant('setField'), of: place, to: expression }),
    fc.record({ kind: fc.constant('setElement'), line: key, position: fc.nat(1), to: expression }),
    fc.record({ kind: fc.constant('splice'), line: key, position: fc.nat(1) }),
    fc.record({ kind: fc.constant('truncate'), line: key, length: fc.nat(1) }),
    fc.record({
      kind: fc.constant('setLine'),
      line: key,
      to: fc.array(expression, { maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant('moveLine'), from: key, to: key }),
    fc.record({ kind: fc.constant('spread'), from: expression }),
    fc.record({ kind: fc.constant('clear'), section }),
    fc.record({ kind: fc.constant('replaceCells'), key, to: expression }),
    fc.record({ kind: fc.constant('forEach'), section, body: tie('program') }),
    fc.record({
      kind: fc.constant('if'),
      condition,
      whenTrue: tie('program'),
      whenFalse: fc.oneof(fc.constant([]), tie('program')),
    }),
    fc.record({
      kind: fc.constant('if'),
      condition,
      whenTrue: tie('program'),
      whenFalse: fc.constant([]),
    }),
  ) as fc.Arbitrary<Statement>,
}));

const parameters = fc.option(
  fc.uniqueArray(fc.record({ key: fc.nat(3), n: small }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ key, n }) => `${key} ${n}`,
  }),
);

const initialState: fc.Arbitrary<RandomState> = fc.record(
  {
    phase: item,
    mode: item,
    cells: fc.dictionary(fc.constantFrom('a', 'b', '9', '10'), item, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    marks: fc.dictionary(fc.constantFrom('m', '7'), fc.constant<true>(true), {
      maxKeys: 1,
      noNullPrototype: true,
    }),
    lines: fc.dictionary(fc.constantFrom('p', 'q'), fc.array(item, { maxLength: 2 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    wide: fc.constant({}),
  },
  { noNullPrototype: true },
);

export const randomCases: fc.Arbitrary<RandomCase> = fc.record({
  initial: fc.array(initialState, { minLength: 1, maxLength: 2 }),
  actions: fc.array(
    fc.record({
      fairness: fc.constantFrom<Fairness>('none', 'weak', 'weak', 'strong'),
      parameters,
      program,
    }),
    { minLength: 1, maxLength: 5, size: 'max' },
  ),
  properties: fc.array(
    fc.record({
      kind: fc.constantFrom('invariant', 'step', 'eventually', 'eventually', 'witness', 'settled'),
      parameters,
      trigger: fc.option(condition),
      condition,
      before: condition,
      judged: fc.option(fc.array(fc.nat(4), { minLength: 1, maxLength: 2 })),
    }),
    { minLength: 1, maxLength: 4, size: 'max' },
  ),
});
