import { found, html } from './dom.ts';
import { type Graph, graphOf, legend } from './graph.ts';
import { type Panels, panelsOf } from './panels.ts';
import type { Drawing, RunData } from './run-data.ts';
import { nextChange } from './timelines.ts';

/** One run, shown state by state. */
export interface RunView {
  readonly element: HTMLElement;
  state(): number;
  show(state: number): void;
  step(direction: 1 | -1): void;
  jump(direction: 1 | -1): void;
  readonly last: number;
}

/** For how many frames to correct the scroll position. */
const FRAMES = 3;

/** Called with each state that is shown, and its text. */
type OnShow = (state: number, words: string) => void;

export function runViewOf(element: HTMLElement, onShow: OnShow): RunView {
  const last = Number(element.dataset.length);
  const loop = element.dataset.loop === undefined ? null : Number(element.dataset.loop);
  const data = dataOf(element);
  const steps = [...element.querySelectorAll<HTMLElement>('.step')];
  const told = found('.told', element);
  const controls = controlsOf(last);
  found('.run-head', element).append(controls.element);
  const stage = data === null ? statesOf(element) : stageOf(data);
  found('.bench', element).append(stage?.element ?? noStage());
  let state = -1;
  let round = 1;
  let frame = 0;

  const view: RunView = {
    element,
    last,
    state: () => Math.max(0, state),
    show: (wanted) => {
      round = 1;
      go(wanted, wanted === 0 ? null : wanted - 1);
    },
    step: (direction) => {
      if (direction === 1 && state === last && loop !== null && loop < last) {
        round += 1;
        go(loop + 1, loop);
        return;
      }
      if (direction === -1 && round > 1 && loop !== null && state === loop + 1) {
        round -= 1;
        go(last, last - 1);
        return;
      }
      const wanted = Math.min(last, Math.max(0, state + direction));
      if (wanted !== state) go(wanted, wanted === 0 ? null : wanted - 1);
    },
    jump: (direction) => {
      const wanted =
        data === null ? null : nextChange(watched(data, stage?.chosen()), state, direction);
      if (wanted !== null) view.show(wanted);
    },
  };
  controls.listen(view);
  element.addEventListener('click', (event) => {
    const step = event.target instanceof Element ? event.target.closest('.step') : null;
    // Links keep their meaning, and selecting text does not select a step.
    if (step === null || (event.target as Element).closest('a') !== null) return;
    if (getSelection()?.isCollapsed === false) return;
    view.show(steps.indexOf(step as HTMLElement));
  });
  return view;

  function go(wanted: number, before: number | null): void {
    steps[state]?.removeAttribute('aria-current');
    state = wanted;
    const step = steps[state];
    step?.setAttribute('aria-current', 'step');
    stage?.show(state, before);
    controls.show(state, round);
    scrollTo(step);
    scrollAgain(FRAMES);
    onShow(state, wordsOf(state, step));
  }

  /** Rows of a long run have their real height only once they are visible. */
  function scrollAgain(frames: number): void {
    cancelAnimationFrame(frame);
    if (frames === 0) return;
    frame = requestAnimationFrame(() => {
      scrollTo(steps[state]);
      scrollAgain(frames - 1);
    });
  }

  /** At the last step, scrolls to the ending of the run as well. */
  function scrollTo(step: HTMLElement | undefined): void {
    if (step === undefined) return;
    const frame = told.getBoundingClientRect();
    const head = told.querySelector<HTMLElement>('.actors')?.offsetHeight ?? 0;
    if (state === last) told.scrollTop = told.scrollHeight;
    const { top, bottom } = step.getBoundingClientRect();
    if (top >= frame.top + head && bottom <= frame.bottom) return;
    told.scrollTop += top - frame.top - head - (frame.height - head) / 3;
  }

  function wordsOf(now: number, step: HTMLElement | undefined): string {
    const texts = [...(step?.querySelectorAll('.said > p, .said li') ?? [])].map(
      (part) => part.textContent?.trim() ?? '',
    );
    const place = round > 1 ? `round ${round}, ` : '';
    return `${place}${now === 0 ? 'At first' : `step ${now} of ${last}`}: ${texts.join('. ')}`;
  }
}

function dataOf(element: HTMLElement): RunData | null {
  const { sameAs } = element.dataset;
  const holder = sameAs === undefined ? element : document.getElementById(sameAs);
  const text = holder?.querySelector(':scope > .run-data')?.textContent;
  return text === null || text === undefined ? null : (JSON.parse(text) as RunData);
}

/** The timelines of the chosen object and its references, or of all. */
function watched(data: RunData, chosen: string | null | undefined): RunData['cards'] {
  if (chosen === null || chosen === undefined) return [...data.cards, ...data.lines];
  return [
    ...data.cards.filter(({ id }) => id === chosen),
    ...data.lines.filter(({ id }) => id.startsWith(`${chosen} `)),
  ];
}

interface Stage {
  readonly element: HTMLElement;
  show(state: number, before: number | null): void;
  chosen(): string | null;
}

function stageOf(data: RunData): Stage {
  const hint = html('p', { class: 'hint' });
  const graph: Graph = graphOf(data, () => showHint());
  const panels: Panels = panelsOf(data);
  const canvas = html('div', { class: 'canvas' }, graph.element);
  new ResizeObserver(() => resize(canvas, graph.element, data.drawing)).observe(canvas);
  showHint();
  function showHint(): void {
    hint.textContent =
      graph.chosen() === null ? '' : 'n and p go from change to change of the chosen object';
  }
  return {
    element: html(
      'div',
      { class: 'stage' },
      canvas,
      html('div', { class: 'legend' }, legend(), hint),
      panels.element,
    ),
    chosen: graph.chosen,
    show: (state, before) => {
      graph.show(state, before);
      panels.show(state, before);
      reveal(canvas);
    },
  };
}

/** The states that the page has as text, one at a time; null: it has none. */
function statesOf(element: HTMLElement): Stage | null {
  const { sameAs } = element.dataset;
  const own = sameAs === undefined ? element : document.getElementById(sameAs);
  const found = own?.querySelector<HTMLElement>('.states') ?? null;
  if (found === null) return null;
  const states = sameAs === undefined ? found : (found.cloneNode(true) as HTMLElement);
  return {
    element: states,
    chosen: () => null,
    show: (state) => {
      for (const [index, one] of [...states.children].entries()) {
        one.toggleAttribute('hidden', index !== state);
      }
    },
  };
}

/** The smallest scale of the text; a larger picture is scrolled. */
const SMALLEST = 0.6;

function resize(canvas: HTMLElement, picture: SVGSVGElement, { width, height }: Drawing): void {
  const fitting = Math.min(1, canvas.clientWidth / width, canvas.clientHeight / height);
  const scale = Math.max(SMALLEST, fitting);
  picture.setAttribute('width', String(Math.floor(width * scale)));
  picture.setAttribute('height', String(Math.floor(height * scale)));
}

/** If the picture is larger than its window, scrolls to what changed. */
function reveal(canvas: HTMLElement): void {
  if (canvas.scrollWidth <= canvas.clientWidth && canvas.scrollHeight <= canvas.clientHeight)
    return;
  canvas.querySelector('.card.changed')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function noStage(): HTMLElement {
  return html('p', { class: 'no-stage' }, 'This document has no states that could be drawn.');
}

interface Controls {
  readonly element: HTMLElement;
  show(state: number, round: number): void;
  listen(view: RunView): void;
}

function controlsOf(last: number): Controls {
  const button = (label: string, symbol: string): HTMLButtonElement =>
    html('button', { type: 'button', 'aria-label': label, title: label }, symbol);
  const first = button('At first (Home)', '⇤');
  const previous = button('Step before (←)', '←');
  const next = button('Next step (→)', '→');
  const end = button('Last step (End)', '⇥');
  const slider = html('input', { type: 'range', min: 0, max: last, step: 1, 'aria-label': 'Step' });
  const place = html('output', { class: 'place' });
  return {
    element: html('div', { class: 'controls' }, first, previous, place, next, end, slider),
    show: (state, round) => {
      place.textContent = `${state} / ${last}${round > 1 ? ` ↻${round}` : ''}`;
      slider.value = String(state);
    },
    listen: (view) => {
      first.addEventListener('click', () => view.show(0));
      previous.addEventListener('click', () => view.step(-1));
      next.addEventListener('click', () => view.step(1));
      end.addEventListener('click', () => view.show(last));
      slider.addEventListener('input', () => view.show(Number(slider.value)));
    },
  };
}
