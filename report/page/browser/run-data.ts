/** The states of one run for the script of the page, as changes over time. */
export interface RunData {
  /** Number of steps; state 0 is the initial state. */
  readonly length: number;
  readonly cards: readonly Timeline[];
  readonly lines: readonly Timeline[];
  /** What waits, by queue. */
  readonly waiting: readonly Timeline[];
  /** Tasks, by actor. */
  readonly work: readonly Timeline[];
  /** Distinct values: cards, lines, lists of texts, texts. Timelines refer to them by index. */
  readonly values: readonly unknown[];
  readonly drawing: Drawing;
}

/** One entry through the whole run. */
export interface Timeline {
  readonly id: string;
  /** The states in which its value changes, in order. */
  readonly at: readonly number[];
  /** Indexes of its values from these states on; -1: it does not exist. */
  readonly takes: readonly number[];
}

/** One object in one state. */
export interface Card {
  readonly name: string;
  readonly stored: Half;
  readonly believed: Half;
  /** Store and graph differ. */
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
  /** The reference as a sentence. */
  readonly about: string;
}

/** Positions for the whole run, so that nothing moves from one state to the next. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: Readonly<Record<string, Box>>;
  /** By id of the line: from the dependent to the owner. */
  readonly arrows: Readonly<Record<string, Arrow>>;
}

export interface Arrow {
  /** An SVG path. */
  readonly path: string;
  readonly tip: Point;
  /** Its direction: a vector of length 1. */
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

/** Sizes of a card in pixels, for layout and drawing. */
export const CARD = { width: 280, head: 44, halves: 38, row: 18, foot: 7 } as const;
