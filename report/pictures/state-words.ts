import { grouped, plural } from '../../text/layout.ts';
import type { ShownGraph, ShownState } from '../document/state-graphs.ts';

/** With more states than this, a picture describes only the important ones. */
const CROWD = 60;

export function isCrowded({ states }: ShownGraph): boolean {
  return states.length > CROWD;
}

/** Whether a state of a crowded picture shows its number only. */
export function isBrief({ initial, final, broken, onRun }: ShownState): boolean {
  return !onRun && !initial && !final && broken.length === 0;
}

/** What a picture of a graph shows, and how to read it. */
export function graphCaption(graph: ShownGraph): readonly string[] {
  const { check, states, edges, run, renamings } = graph;
  const steps = edges.reduce((sum, edge) => sum + edge.steps.length, 0);
  return [
    `${check}: all ${plural(states.length, 'state')}, ${plural(steps, 'step')} between them`,
    ...(run === null
      ? []
      : [`red: ${run.violated ? 'counterexample to' : 'example for'} "${run.property}"`]),
    'blue: at first; double outline: nothing more can happen; filled red: a property is broken',
    ...(isCrowded(graph) ? ['only marked states are described; the others have tooltips'] : []),
    ...(renamings === 1
      ? []
      : [
          `states that differ by one of ${grouped(renamings)} renamings are shown as one: --reduction none shows each`,
        ]),
  ];
}
