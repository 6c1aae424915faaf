import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkArguments } from '../../cli/check-arguments.ts';
import { parseCommand } from '../../explore/commands.ts';
import { type Explorer, explorerOf } from '../../explore/explorer.ts';
import { hereIn, type Session, startOf } from '../../explore/position.ts';
import { execute } from '../../explore/session.ts';
import { whyLines } from '../../explore/why-lines.ts';
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

it('explains of each action either its number or what is in its way, as a slow search finds it', async () => {
  const given = await explorer('background-diamond');
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 20 }), (choices) => {
      let session = startOf(given);
      for (const choice of choices) {
        const { length } = given.enabled(hereIn(session));
        if (length === 0) break;
        session = execute(given, session, { do: 'take', number: 1 + (choice % length) }).session;
      }
      const state = hereIn(session);
      const possible = given.instances.filter(
        ({ action }) => successor(given.model, action, state) !== null,
      );
      const why = (asked: typeof given.instances) => whyLines(given, state, asked, true);
      for (const one of given.instances) {
        const number = possible.indexOf(one) + 1;
        const said = why([one])[0];
        expect(said?.startsWith(`  ${one.label}: enabled, number ${number}`)).toBe(number > 0);
      }
      const enabled = why(given.instances).filter((text) => text.includes(': enabled, number '));
      expect(enabled).toHaveLength(possible.length);
    }),
    { numRuns: 8 },
  );
});
