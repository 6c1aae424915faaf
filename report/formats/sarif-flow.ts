import type * as Sarif from 'sarif';
import type { Trace } from '../../checker/index.ts';
import { plural, shellQuoted } from '../../text/layout.ts';
import type { ShownTrace } from '../document/traces.ts';
import { plain } from './sarif-text.ts';

/** A trace as a code flow: one location for each step, all of them at the line of the case. */
export function codeFlow(shown: ShownTrace, location: Sarif.Location): Sarif.CodeFlow {
  const { trace, property, token = null } = shown;
  const { loopStart, steps } = trace;
  const what = property.kind === 'witness' ? 'Example' : 'Counterexample';
  const replay = token === null ? '' : `Replay: reapcheck replay ${shellQuoted(token)}`;
  const told = [`${what} in ${plural(steps.length, 'step')}.`, endOf(trace), replay];
  return {
    message: { text: plain(told.filter((part) => part !== '').join(' ')) },
    threadFlows: [
      {
        message: { text: plain(`At first: ${trace.initialLines.join('; ')}`) },
        locations: steps.map((step, index) => {
          const loop = index === loopStart ? 'From here it repeats for ever. ' : '';
          const notes = [...step.beliefs, ...step.changes].map((line) => line.trim());
          const changes = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
          return {
            executionOrder: index + 1,
            importance: 'essential',
            location: {
              ...location,
              message: { text: plain(`${loop}${step.sentence}${changes}`) },
            },
          };
        }),
      },
    ],
  };
}

function endOf({ shape, loopStart }: Trace): string {
  switch (shape) {
    case 'path':
      return '';
    case 'stutter':
      return 'Stays like this for ever: nothing that is bound to happen changes it.';
    case 'lasso':
      return `Back to the state before step ${(loopStart ?? 0) + 1}, and so on for ever.`;
    default:
      throw new Error(`unknown shape ${shape satisfies never}`);
  }
}
