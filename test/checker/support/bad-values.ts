import type { Draft } from 'immer';

export interface Box {
  readonly things: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, true>>;
  readonly queues: Readonly<Record<string, readonly unknown[]>>;
  readonly count: number;
}

class Point {
  readonly x = 1;
}

/** Values that a state cannot hold: a name, how they get there, and the error message. */
export const badValues: readonly (readonly [string, (draft: Draft<Box>) => void, RegExp])[] = [
  [
    'undefined',
    (draft) => {
      draft.things.a = undefined;
    },
    /things\.a.*undefined/,
  ],
  [
    'undefined inside',
    (draft) => {
      draft.things.b = { c: [undefined] };
    },
    /c\[0\]: undefined/,
  ],
  [
    'NaN',
    (draft) => {
      draft.count = Number.NaN;
    },
    /count.*NaN/,
  ],
  [
    '-0',
    (draft) => {
      draft.count = -0;
    },
    /count.*-0/,
  ],
  [
    'an infinite number',
    (draft) => {
      draft.count = 1 / 0;
    },
    /Infinity/,
  ],
  [
    'a Map',
    (draft) => {
      draft.things.m = new Map();
    },
    /things\.m.*Map/,
  ],
  [
    'a Set',
    (draft) => {
      draft.things.m = new Set();
    },
    /Set/,
  ],
  [
    'a Date',
    (draft) => {
      draft.things.m = new Date(0);
    },
    /Date/,
  ],
  [
    'a class instance',
    (draft) => {
      draft.things.m = new Point();
    },
    /Point/,
  ],
  [
    'a function',
    (draft) => {
      draft.things.m = () => 1;
    },
    /function/,
  ],
  [
    'a symbol',
    (draft) => {
      draft.things.m = Symbol('s');
    },
    /symbol/,
  ],
  [
    'a bigint',
    (draft) => {
      draft.things.m = 1n;
    },
    /bigint/,
  ],
  [
    'a false flag',
    (draft) => {
      (draft.flags as Record<string, unknown>).f = false;
    },
    /flag/,
  ],
  [
    'a queue that is none',
    (draft) => {
      (draft.queues as Record<string, unknown>).q = 1;
    },
    /queue/,
  ],
  [
    'bad values pushed',
    (draft) => {
      draft.queues.q!.push(undefined);
    },
    /undefined/,
  ],
  [
    'a key that is no slot',
    (draft) => {
      Object.assign(draft, { more: 1 });
    },
    /more.*slots/,
  ],
];
