import type { ProgressEvent } from '../checker/index.ts';
import { escaped } from '../text/escape.ts';
import { grouped, plural, WIDTH } from '../text/layout.ts';
import type { Io } from './io.ts';
import { statusLine } from './status-line.ts';

const QUIET_SECONDS = 2;

/** A line on a terminal that shows the progress of a long search and is updated in place. */
export interface ProgressLine {
  show(title: string, event: ProgressEvent): void;
  /** Erases the line. Call it before writing anything else. */
  clear(): void;
}

export function progressLine(io: Io, quiet: boolean): ProgressLine {
  const { show, clear } = statusLine(io, quiet, 0);
  return {
    show: (title, event) => {
      if (event.elapsedSeconds >= QUIET_SECONDS) show(progressText(title, event));
    },
    clear,
  };
}

export function progressText(title: string, event: ProgressEvent): string {
  const { phase, layer, frontier, previousFrontier, states, transitions } = event;
  const { statesPerSecond, megabytes } = event;
  const trend = frontier > previousFrontier ? 'growing' : 'shrinking';
  const work = {
    search: `layer ${layer}, ${grouped(frontier)} in it, ${trend}`,
    liveness: `looking for lassos, ${grouped(frontier)} done`,
    distinct: `looking for other counterexamples, ${grouped(frontier)} done`,
    walks: `walk ${grouped(layer)} of ${grouped(frontier)}, ${plural(transitions, 'step')}`,
  }[phase];
  const rate = `${grouped(Math.round(statesPerSecond / 1000))} k/s`;
  const text = `${escaped(title)}: ${work}, ${grouped(states)} states, ${rate}, ${Math.round(megabytes)} MB`;
  return text.length <= WIDTH ? text : `${text.slice(0, WIDTH - 3)}...`;
}
