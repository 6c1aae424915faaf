/** What the page knows of one run besides its text: its states, as what changes when. */
export interface RunData {
  /** Number of steps; state 0 is the one before the first. */
  readonly length: number;
  readonly cards: readonly Timeline[];
  readonly lines: readonly Timeline[];
  /** What waits, by queue. */
  readonly waiting: readonly Timeline[];
  /** What is under way, by whom. */
  readonly work: readonly Timeline[];
  /** Distinct values, each kept once: cards, lines, lists of texts, texts. Timelines point here. */
  readonly values: readonly unknown[];
  readonly drawing: Drawing;
}

/** One entry through the whole run. */
export interface Timeline {
  readonly id: string;
  /** The states in which it takes another value, in order. */
  readonly at: readonly number[];
  /** Indexes of the values that it takes there; -1: it is not there. */
  readonly takes: readonly number[];
}

/** One object in one state. */
export interface Card {
  readonly name: string;
  readonly stored: Half;
  readonly believed: Half;
  /** The two do not agree. */
  readonly differs: boolean;
  readonly rows: readonly CardRow[];
}

export interface Half {
  readonly word: string;
  readonly tone: 'there' | 'leaving' | 'absent';
}

export interface CardRow {
  readonly kind: 'finalizer' | 'note';
  readonly text: string;
}

/** One owner reference in one state. */
export interface Line {
  readonly where: 'both' | 'stored' | 'believed';
  readonly blocking: boolean;
  /** The whole of it in words. */
  readonly about: string;
}

/** Places that hold for the whole run, so that nothing moves from one state to the next. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: Readonly<Record<string, Box>>;
  /** By id of the line: from the dependent to the owner. */
  readonly arrows: Readonly<Record<string, Arrow>>;
}

export interface Arrow {
  /** As an SVG path takes it. */
  readonly path: string;
  readonly tip: Point;
  /** Where it points: a vector of length 1. */
  readonly heading: Point;
}

export interface Box {
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Point = readonly [x: number, y: number];

/** Measures of a card that layout and drawing have to agree on. */
export const CARD = { width: 280, head: 44, halves: 38, row: 18, foot: 7 } as const;
