import type { Trace, TraceStep } from '../../checker/index.ts';
import { endingOf } from '../text/run-words.ts';
import { actorsOf, type Hop, hopOf, sideOf } from './hops.ts';
import { type Child, element, type Markup, together } from './markup.ts';

/** A run as an ordered list with the actors' lifelines on its left. Needs no script. */
export function sequenceMarkup(trace: Trace, slug: string, isCluster: boolean): Markup {
  const actors = actorsOf(trace, isCluster);
  const loop = trace.shape === 'lasso' ? (trace.loopStart ?? 0) : null;
  return element(
    'div',
    { class: `sequence${trace.steps.length > LONG ? ' long' : ''}` },
    headMarkup(actors),
    element(
      'ol',
      { class: 'steps', start: 0 },
      element(
        'li',
        { id: `${slug}/0`, class: 'step start' },
        numberMarkup(slug, 0),
        lanesMarkup(actors, null),
        element(
          'div',
          { class: 'said' },
          element('p', { class: 'sentence' }, 'At first'),
          changesMarkup(trace.initialLines),
        ),
      ),
      ...trace.steps.map((step, index) =>
        stepMarkup(step, index, {
          slug,
          actors,
          isCluster,
          begins: index === loop,
          ends: loop !== null && index === trace.steps.length - 1,
          loops: loop !== null && index >= loop,
        }),
      ),
    ),
    endMarkup(trace, slug),
  );
}

/** For runs with more steps than this, browsers do not lay out rows that are out of sight. */
const LONG = 300;
const LANE = 20;
const ROW = 20;

function headMarkup(actors: readonly string[]): Markup {
  return element(
    'div',
    { class: 'actors', 'aria-hidden': 'true' },
    ...actors.map((actor) =>
      element('span', { class: `actor ${sideOf(actor)}` }, element('span', {}, actor)),
    ),
  );
}

interface Surroundings {
  readonly slug: string;
  readonly actors: readonly string[];
  readonly isCluster: boolean;
  /** The loop of a lasso starts with this step. */
  readonly begins: boolean;
  /** The loop ends with this step. */
  readonly ends: boolean;
  readonly loops: boolean;
}

function stepMarkup(step: TraceStep, index: number, around: Surroundings): Markup {
  const { slug, actors, isCluster, begins, ends, loops } = around;
  const { actor, sentence, changes, status, beliefs } = step;
  const named = actor !== '' && sentence.startsWith(`${actor}:`);
  const said = named ? sentence.slice(actor.length + 1).trimStart() : sentence;
  return element(
    'li',
    {
      id: `${slug}/${index + 1}`,
      class: `step${loops ? ' loops' : ''}${begins ? ' begins' : ''}${ends ? ' ends' : ''}`,
      'data-status': status,
    },
    numberMarkup(slug, index + 1),
    lanesMarkup(actors, hopOf(step, isCluster)),
    element(
      'div',
      { class: 'said' },
      begins ? element('p', { class: 'loop-begins' }, 'From here it repeats for ever') : null,
      element(
        'p',
        { class: 'sentence' },
        named ? element('b', { class: `who ${sideOf(actor)}` }, `${actor}:`) : null,
        named ? ' ' : null,
        ...arrowed(said),
        statusMarkup(status),
      ),
      changesMarkup(changes),
      beliefs.length === 0
        ? null
        : element(
            'ul',
            { class: 'beliefs' },
            ...beliefs.map((belief) => element('li', {}, belief)),
          ),
    ),
  );
}

/** Keeps the two characters of an arrow on one line. */
function arrowed(text: string): readonly Child[] {
  return text
    .split(/(->)/)
    .map((part) => (part === '->' ? element('span', { class: 'whole' }, part) : part));
}

const STATUS_WORDS: Readonly<Record<TraceStep['status'], string | null>> = {
  idle: null,
  holds: null,
  pending: null,
  broken: 'broken here',
  met: 'met here',
  reached: 'reached here',
};

function statusMarkup(status: TraceStep['status']): Child {
  const words = STATUS_WORDS[status];
  return words === null
    ? null
    : together(' ', element('span', { class: `status ${status}` }, words));
}

function numberMarkup(slug: string, state: number): Markup {
  return element('a', { class: 'number', href: `#${slug}/${state}` }, String(state));
}

function changesMarkup(changes: readonly string[]): Child {
  if (changes.length === 0) return null;
  return element('ul', { class: 'changes' }, ...changes.map(changeMarkup));
}

/**
 * Marks of the describer, such as `a + b`, decide the colour. An indented line belongs to the line
 * before.
 */
function changeMarkup(change: string): Markup {
  const classes = [
    ...(change.startsWith(' ') ? ['more'] : []),
    ...(/\b(blocked by|held by|because)\b/.test(change) ? ['because'] : []),
    ...(/ is gone$| - /.test(change) ? ['minus'] : []),
    ...(/ is created$| \+ /.test(change) ? ['plus'] : []),
  ];
  return element(
    'li',
    { class: classes.length === 0 ? null : classes.join(' ') },
    change.trimStart(),
  );
}

/** One row of the sequence: the actors that the step connects. */
function lanesMarkup(actors: readonly string[], hop: Hop | null): Markup {
  const width = Math.max(1, actors.length) * LANE;
  const drawing = { class: 'hop', viewBox: `0 0 ${width} ${ROW}`, height: ROW, width };
  return element(
    'span',
    { class: 'lanes', 'aria-hidden': 'true' },
    element('svg', drawing, hop === null ? null : hopMarkup(actors, hop)),
  );
}

function hopMarkup(actors: readonly string[], { from, to, kind }: Hop): Markup {
  const at = (actor: string): number => actors.indexOf(actor) * LANE + LANE / 2;
  const middle = ROW / 2;
  const dot = (actor: string): Markup =>
    element('circle', { cx: at(actor), cy: middle, r: 4.5, class: sideOf(actor) });
  if (from === to) return dot(from);
  const direction = Math.sign(at(to) - at(from));
  const tip = at(to) - direction * 2;
  const line = `M${at(from)} ${middle}H${tip - direction * 5}`;
  const head = `M${tip} ${middle}l${-direction * 7} -4v8z`;
  // The dashed line shows whose request the API server works on.
  if (kind === 'service') {
    const whose = `M${at(from)} ${middle}H${at(to)}`;
    return together(element('path', { d: whose, class: 'line service' }), dot(from));
  }
  return together(
    element('path', { d: line, class: `line ${kind}` }),
    element('path', { d: head, class: `head ${kind}` }),
    dot(from),
  );
}

function endMarkup(trace: Trace, slug: string): Child {
  const ending = endingOf(trace);
  if (ending === null) return null;
  if (trace.shape !== 'lasso') return element('p', { class: 'end' }, ending);
  const [back = '', ...rest] = ending.split(',');
  return element(
    'p',
    { class: 'end' },
    element('a', { href: `#${slug}/${trace.loopStart ?? 0}` }, back),
    ...rest.map((part) => `,${part}`),
  );
}
