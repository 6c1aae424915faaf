import { describe, expect, it } from 'vitest';
import { instrument } from '../../tools/mutate/decisions.ts';

/** One module: each of its decisions is switched in turn, and the function's answer is compared. */

const MODULE = `
function decide(log, node, type) {
  if (node.virtual && !node.seen) return 'waiting';
  log.push('looked');
  switch (type) {
    case 'add':
      log.push('added');
      return 'solid';
    default:
      return node.count > 1 ? 'many' : 'few';
  }
}
function describe(node) { return node.virtual ? 'virtual' : 'real'; }
`;

type Decide = (
  log: string[],
  node: { virtual: boolean; seen: boolean; count: number },
  type: string,
) => string | undefined;

const { decisions, text } = instrument(MODULE, 10, new Set(['describe']), {
  isOn: '$isOn',
  noted: '$noted',
});

function run(changed: number, ...given: [Parameters<Decide>[1], string]): string {
  const isOn = (number: number): boolean => number === changed;
  const noted = (_: number, value: boolean): boolean => value;
  const made = new Function('$isOn', '$noted', `${text}; return decide;`);
  const decide = made(isOn, noted) as Decide;
  const log: string[] = [];
  return [...log, decide(log, ...given) ?? 'nothing', ...log].join();
}

const node = (virtual: boolean, seen: boolean, count: number) => ({ virtual, seen, count });

describe('decisions of a module', () => {
  it('are found, but not in functions that decide nothing', () => {
    expect(
      decisions.map(({ function: name, code, change }) => `${name}: ${code}, ${change}`),
    ).toEqual([
      'decide: node.virtual, taken for true',
      'decide: node.virtual, taken for false',
      'decide: node.seen, taken for true',
      'decide: node.seen, taken for false',
      "decide: 'waiting', answered otherwise",
      "decide: log.push('looked');, skipped",
      "decide: log.push('added');, skipped",
      "decide: 'solid', answered otherwise",
      "decide: 'add', forgotten",
      'decide: node.count > 1, taken for true',
      'decide: node.count > 1, taken for false',
      "decide: 'many', answered otherwise",
      "decide: 'few', answered otherwise",
    ]);
  });

  it.each([
    ['nothing is changed', -1, node(true, false, 1), 'add', 'waiting'],
    ['nothing is changed', -1, node(false, false, 1), 'add', 'solid,looked,added'],
    ['node.virtual taken for true', 10, node(false, false, 1), 'add', 'waiting'],
    ['node.virtual taken for false', 11, node(true, false, 1), 'add', 'solid,looked,added'],
    ['node.seen taken for true', 12, node(true, false, 1), 'add', 'solid,looked,added'],
    ['another answer', 14, node(true, false, 1), 'add', 'solid'],
    ['a skipped statement', 15, node(false, false, 1), 'add', 'solid,added'],
    ['a forgotten branch', 18, node(false, false, 1), 'add', 'nothing,looked'],
    ['node.count > 1 taken for true', 19, node(false, false, 1), 'x', 'many,looked'],
    ['another answer of two', 22, node(false, false, 1), 'x', 'waiting,looked'],
  ])('%s (%i)', (_, changed, given, type, expected) => {
    expect(run(changed, given, type)).toBe(expected);
  });

  it('note the unchanged value of a condition under the number of its change to true', () => {
    const noted: [number, boolean][] = [];
    const note = (number: number, value: boolean): boolean => {
      noted.push([number, value]);
      return value;
    };
    const made = new Function('$isOn', '$noted', `${text}; return decide;`);
    (made(() => false, note) as Decide)([], node(true, true, 2), 'x');
    expect(noted).toEqual([
      [10, true],
      [12, true],
      [19, true],
    ]);
  });
});
