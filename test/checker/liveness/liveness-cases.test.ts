import { describe, expect, it } from 'vitest';
import { checkLeadsTo } from '../../../checker/liveness/leads-to.ts';
import type { Fairness } from '../../../checker/model.ts';
import { leadsToQuestion } from '../support/explicit-graph.ts';
import { shortestPrefixByRemoval } from '../support/liveness-oracle.ts';

interface Case {
  /** By action name. */
  readonly fairness: Readonly<Record<string, Fairness>>;
  /** Lines `from action to`; state 0 is the initial one. */
  readonly edges: readonly string[];
  /** States; absent means the initial one. */
  readonly trigger?: readonly number[];
  readonly goal: readonly number[];
}

/** `holds`, or the counterexample as text: the prefix, then in brackets the cycle. */
function verdict(written: Case): string {
  const names = Object.keys(written.fairness);
  const edges = written.edges.map((line) => {
    const [from, action, to] = line.split(' ');
    return { from: Number(from), action: names.indexOf(action!), to: Number(to) };
  });
  const states = 1 + Math.max(0, ...edges.flatMap(({ from, to }) => [from, to]));
  const flags = (members: readonly number[]) =>
    Array.from({ length: states }, (_, state) => members.includes(state));
  const graph = {
    states,
    initial: 1,
    fairness: Object.values(written.fairness),
    edges,
    trigger: flags(written.trigger ?? [0]),
    goal: flags(written.goal),
  };
  const answer = checkLeadsTo(leadsToQuestion(graph));
  expect(answer.kind === 'violated' ? answer.prefix.length : null).toBe(
    shortestPrefixByRemoval(graph),
  );
  if (answer.kind === 'holds') return 'holds';
  const text = (steps: typeof answer.prefix) =>
    steps.map(({ action, state }) => ` ${names[action]} ${state}`).join('');
  return `${answer.initial}${text(answer.prefix)} [${text(answer.cycle).trim() || 'stutter'}]`;
}

describe('stuttering', () => {
  it('is a counterexample if only unfair instances are enabled', () => {
    const step = { edges: ['0 step 1'], goal: [1] };
    expect(verdict({ fairness: { step: 'none' }, ...step })).toBe('0 [stutter]');
    expect(verdict({ fairness: { step: 'weak' }, ...step })).toBe('holds');
    expect(verdict({ fairness: { step: 'strong' }, ...step })).toBe('holds');
  });

  it('is not possible where a fair action is enabled, even one that misses the goal', () => {
    const fairness = { fair: 'weak', free: 'none' } as const;
    const edges = ['0 fair 1', '0 free 2', '1 fair 0'];
    expect(verdict({ fairness, edges, goal: [2] })).toBe('0 [fair 1 fair 0]');
    expect(verdict({ fairness, edges, goal: [1, 2] })).toBe('holds');
  });

  it('happens in a terminal state', () => {
    expect(verdict({ fairness: { step: 'weak' }, edges: ['0 step 1'], goal: [] })).toBe(
      '0 step 1 [stutter]',
    );
  });
});

describe('counterexamples that a search for new states alone misses', () => {
  it('is found if the run returns to a visited state', () => {
    const edges = ['0 step 1', '1 step 2', '2 step 1', '1 exit 3'];
    expect(verdict({ fairness: { step: 'weak', exit: 'none' }, edges, goal: [3] })).toBe(
      '0 step 1 [step 2 step 1]',
    );
  });

  it('is found behind a join whose other branch has met the goal', () => {
    // State 3 is first reached through the goal 1. On the run through 2 the goal is still
    // pending there.
    const edges = ['0 left 1', '0 right 2', '1 left 3', '2 right 3', '3 left 4'];
    expect(verdict({ fairness: { left: 'weak', right: 'weak' }, edges, goal: [1] })).toBe(
      '0 right 2 right 3 left 4 [stutter]',
    );
  });

  it('is found when the trigger comes after the goal', () => {
    const edges = ['0 step 1', '1 step 2', '2 step 3'];
    const base = { fairness: { step: 'weak' }, edges } as const;
    expect(verdict({ ...base, trigger: [2], goal: [1] })).toBe('0 step 1 step 2 step 3 [stutter]');
    expect(verdict({ ...base, trigger: [0], goal: [1] })).toBe('holds');
  });
});

describe('components', () => {
  it('have walks where no simple cycle meets all obligations', () => {
    // Two petals that share state 0: a fair run has to go around both.
    const edges = ['0 left 1', '1 back 0', '0 right 2', '2 back 0'];
    const fairness = { left: 'strong', right: 'strong', back: 'weak' } as const;
    expect(verdict({ fairness, edges, goal: [] })).toBe('0 [left 1 back 0 right 2 back 0]');
  });

  it('may become fair only when states are removed', () => {
    // `leave` is enabled in 2 and always leads to the goal. In the loop 0, 1 it is never
    // enabled.
    const edges = ['0 step 1', '1 step 0', '1 visit 2', '2 step 0', '2 leave 3'];
    const fairness = { step: 'weak', visit: 'none', leave: 'strong' } as const;
    expect(verdict({ fairness, edges, goal: [3] })).toBe('0 [step 1 step 0]');
    expect(verdict({ fairness: { ...fairness, visit: 'strong' }, edges, goal: [3] })).toBe('holds');
  });

  it('may fall apart several times before they become fair', () => {
    // Without 3 (`last` leaves) the ring 0 1 2 is still unfair to `first`, enabled in 2.
    const edges = [
      ...['0 step 1', '1 step 2', '2 step 3', '3 step 0', '3 last 4'],
      ...['2 again 0', '1 again 0', '2 first 3'],
    ];
    const fairness = { step: 'weak', again: 'none', last: 'strong', first: 'strong' } as const;
    expect(verdict({ fairness, edges, goal: [4] })).toBe('0 [step 1 again 0]');
  });

  it('are not left for another component', () => {
    const edges = ['0 one 1', '1 one 0', '0 two 2', '1 two 2', '2 one 3', '3 one 2', '2 two 4'];
    const fairness = { one: 'weak', two: 'none' } as const;
    expect(verdict({ fairness, edges: [...edges, '4 one 2'], goal: [] })).toBe('0 [one 1 one 0]');
  });
});

describe('fairness', () => {
  it('counts the edges that are taken, not the states that they connect (tlaplus#201)', () => {
    // A counter modulo 3: `add` steps by one, `jump` goes anywhere. Every step of `add` is one of
    // `jump` too, so the states of a component say nothing about which of the two was taken.
    const edges = [0, 1, 2].flatMap((from) => [
      `${from} add ${(from + 1) % 3}`,
      `${from} jumpByOne ${(from + 1) % 3}`,
      `${from} jumpByTwo ${(from + 2) % 3}`,
    ]);
    const jumps = { jumpByOne: 'none', jumpByTwo: 'none' } as const;
    expect(verdict({ fairness: { add: 'weak', ...jumps }, edges, goal: [] })).toBe(
      '0 [add 1 jumpByTwo 0]',
    );
    // Nothing but `add` leads to the goal 3 and it is never taken elsewhere: jumps alone are
    // unfair.
    const exits = edges.map((line) => line.replace(/ add .*/, ' add 3'));
    expect(verdict({ fairness: { add: 'weak', ...jumps }, edges: exits, goal: [3] })).toBe('holds');
  });

  it('weakly fair actions are obliged only if enabled continuously', () => {
    // `finish` is enabled infinitely often, but not continuously.
    const edges = ['0 tick 1', '1 tick 0', '1 finish 2'];
    const goal = [2];
    expect(verdict({ fairness: { tick: 'weak', finish: 'weak' }, edges, goal })).toBe(
      '0 [tick 1 tick 0]',
    );
    expect(verdict({ fairness: { tick: 'weak', finish: 'strong' }, edges, goal })).toBe('holds');
    const always = [...edges, '0 finish 2'];
    expect(verdict({ fairness: { tick: 'weak', finish: 'weak' }, edges: always, goal })).toBe(
      'holds',
    );
  });

  it('counts an action as enabled by an edge that leads to the goal', () => {
    const edges = ['0 tick 1', '1 tick 0', '0 finish 2', '1 finish 2'];
    const fairness = { tick: 'none', finish: 'weak' } as const;
    expect(verdict({ fairness, edges, goal: [2] })).toBe('holds');
  });

  it('distinguishes the instances of an action', () => {
    const edges = ['0 first 1', '1 first 0', '0 second 2', '1 second 2'];
    expect(verdict({ fairness: { first: 'weak', second: 'weak' }, edges, goal: [2] })).toBe(
      'holds',
    );
  });
});

describe('trivial formulas (tlaplus#604)', () => {
  const all = [0, 1];
  const ring = { edges: ['0 step 1', '1 step 0'], trigger: all };
  const table: readonly (readonly [string, readonly number[], readonly number[], string])[] = [
    ['false leads to false', [], [], 'holds'],
    ['false leads to true', [], all, 'holds'],
    ['false leads to a predicate', [], [1], 'holds'],
    ['true leads to true', all, all, 'holds'],
    ['a predicate leads to true', [1], all, 'holds'],
    ['a predicate leads to itself', [1], [1], 'holds'],
  ];
  it.each(table)('%s, fair or not', (_name, trigger, goal, expected) => {
    for (const step of ['none', 'weak', 'strong'] as const) {
      expect(verdict({ ...ring, fairness: { step }, trigger, goal })).toBe(expected);
    }
  });

  it('true leads to false: never', () => {
    expect(verdict({ ...ring, fairness: { step: 'none' }, goal: [] })).toBe('0 [stutter]');
    expect(verdict({ ...ring, fairness: { step: 'weak' }, goal: [] })).toBe('0 [step 1 step 0]');
    expect(verdict({ ...ring, fairness: { step: 'strong' }, goal: [] })).toBe('0 [step 1 step 0]');
  });

  it('true leads to a recurring predicate: only under fairness', () => {
    expect(verdict({ ...ring, fairness: { step: 'none' }, goal: [1] })).toBe('0 [stutter]');
    expect(verdict({ ...ring, fairness: { step: 'weak' }, goal: [1] })).toBe('holds');
  });
});

it('refutes one of two contradictory goals though a no-op is there (fizzbee#212)', () => {
  // 0 is empty, and `put` stores an object for good. The no-op changes a counter that no action
  // reads.
  const edges = ['0 put 2', '0 noop 1', '1 noop 0', '1 put 3', '2 noop 3', '3 noop 2'];
  const stored = [2, 3];
  const empty = [0, 1];
  for (const put of ['weak', 'strong'] as const) {
    const base = { fairness: { put, noop: 'none' }, edges, trigger: [0, 1, 2, 3] } as const;
    expect(verdict({ ...base, goal: stored })).toBe('holds');
    expect(verdict({ ...base, goal: empty })).toBe('0 put 2 [stutter]');
  }
  const unfair = { fairness: { put: 'none', noop: 'none' }, edges, trigger: [0, 1, 2, 3] } as const;
  expect(verdict({ ...unfair, goal: stored })).toBe('0 [stutter]');
});
