import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkArguments } from '../../cli/check-arguments.ts';
import { parseCommand } from '../../explore/commands.ts';
import { type Explorer, explorerOf } from '../../explore/explorer.ts';
import { hereIn, type Session, startOf } from '../../explore/position.ts';
import { execute } from '../../explore/session.ts';
import { gatherPlans } from '../../input/gather.ts';
import { canonical, successor } from '../../run/execution.ts';
import { PLAIN, WIDTH } from '../../text/layout.ts';

async function explorer(scenario: string): Promise<Explorer> {
  const given = checkArguments({ input: [scenario] }, []);
  const [plan] = await gatherPlans(given, (async function* () {})());
  return explorerOf(plan!, PLAIN);
}

const word = fc.constantFrom(
  ...['step', 'why', 'back', 'undo', 'state', 'trace', 'properties', 'until', 'jump', 'save'],
  ...['help', 'actions', 'full', 'all', 'gone', 'property', 'enabled', 'broken', 'deliver', 'b'],
  ...['ConfigMap/a', 'takeForDelete', '"', "'", '#', '0', '1', '2', '7', '\u001b[2J', '__proto__'],
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.nat(3).map(String) },
  { weight: 3, arbitrary: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')) },
  { weight: 1, arbitrary: fc.string() },
);

it('is always a run of the model, whatever is typed', async () => {
  const given = await explorer('finalizer-on-dependent');
  let steps = 0;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
      let session: Session = startOf(given);
      for (const typed of lines) {
        const reaction = execute(given, session, parseCommand(typed));
        session = reaction.session;
        for (const text of reaction.lines) {
          expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          if (!text.startsWith('  reapcheck explore ')) {
            expect(text.length).toBeLessThanOrEqual(WIDTH);
          }
        }
        expect(session.states).toHaveLength(session.actions.length + 1);
      }
      expect(canonical(session.states[0])).toBe(canonical(given.model.initial[0]));
      for (const [index, action] of session.actions.entries()) {
        const after = successor(given.model, action, session.states[index]!);
        expect(canonical(after)).toBe(canonical(session.states[index + 1]));
        steps++;
      }
    }),
    { numRuns: 150 },
  );
  expect(steps).toBeGreaterThan(20);
});

it('takes back what it has taken', async () => {
  const given = await explorer('finalizer-on-dependent');
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 20 }), fc.nat(20), (choices, to) => {
      const trail: Session[] = [startOf(given)];
      for (const choice of choices) {
        const here = trail.at(-1)!;
        const { length } = given.enabled(hereIn(here));
        if (length === 0) break;
        const number = 1 + (choice % length);
        trail.push(execute(given, here, { do: 'take', number }).session);
      }
      const step = to % trail.length;
      const { session } = execute(given, trail.at(-1)!, { do: 'undo', to: step });
      expect(session).toEqual(trail[step]);
    }),
    { numRuns: 50 },
  );
});
