import type * as Sarif from 'sarif';
import { escapedLines } from '../../text/escape.ts';
import { plural, shellQuoted } from '../../text/layout.ts';
import type { ShownTrace } from '../document/traces.ts';
import { endingOf, runNoun } from '../text/run-words.ts';

/** A trace as a code flow: one location for each step, all at the line of the case. */
export function codeFlow(shown: ShownTrace, location: Sarif.Location): Sarif.CodeFlow {
  const { trace, property, token = null } = shown;
  const { loopStart, steps } = trace;
  const replay = token === null ? '' : `Replay: reapcheck replay ${shellQuoted(token)}`;
  const told = [
    `${runNoun(property)} in ${plural(steps.length, 'step')}.`,
    endingOf(trace) ?? '',
    replay,
  ];
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

/**
 * Text for a SARIF message in which viewers find no link (`[text](target)`) and no placeholder
 * (`{0}`).
 */
export function plain(text: string): string {
  return escapedLines(text)
    .replaceAll('](', '] (')
    .replaceAll(/\{(\d+)\}/g, '{{$1}}');
}
