/** The commands of the explorer: how they are written and what they do. */

export interface CommandWord {
  readonly name: string;
  /** Shorter ways to write it. */
  readonly aliases: readonly string[];
  readonly usage: string;
  readonly about: string;
}

export const VOCABULARY = [
  {
    name: 'step',
    aliases: ['s'],
    usage: 'N | step ACTION',
    about: 'Take the enabled action with this number, or the one that these words mean',
  },
  {
    name: 'actions',
    aliases: ['a', 'list'],
    usage: 'actions',
    about: 'What is enabled here',
  },
  {
    name: 'why',
    aliases: ['w'],
    usage: 'why [ACTION|all]',
    about: 'Why something cannot be done; without words, some of each action; all: everything',
  },
  {
    name: 'back',
    aliases: ['b'],
    usage: 'back [N]',
    about: 'Take back the last step, or the last N steps',
  },
  {
    name: 'undo',
    aliases: ['u'],
    usage: 'undo N',
    about: 'Go back to where step N has just been taken; 0 is the start',
  },
  {
    name: 'state',
    aliases: ['st'],
    usage: 'state [full]',
    about:
      "Objects, where the collector's graph differs, queues and workers; full: all that there is",
  },
  { name: 'trace', aliases: ['t'], usage: 'trace [full]', about: 'The steps so far' },
  {
    name: 'properties',
    aliases: ['p'],
    usage: 'properties',
    about: 'How the properties stand after the steps so far',
  },
  {
    name: 'until',
    aliases: [],
    usage: 'until WHAT',
    about: 'Run on, by a shortest way, until something is so; help until lists what',
  },
  {
    name: 'jump',
    aliases: ['j'],
    usage: 'jump PROPERTY',
    about: 'Check a property from here on, and run its counterexample',
  },
  {
    name: 'save',
    aliases: [],
    usage: 'save',
    about: 'Print a token of the steps so far, for explore and replay',
  },
  { name: 'help', aliases: ['h', '?'], usage: 'help [until]', about: 'This list' },
  { name: 'quit', aliases: ['q', 'exit'], usage: 'quit', about: 'Leave' },
] as const satisfies readonly CommandWord[];

export type CommandName = (typeof VOCABULARY)[number]['name'];

export interface GoalWord {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
}

/** What `until` can wait for. */
export const GOALS = [
  { name: 'gone', usage: 'gone OBJECT', about: 'it is removed' },
  { name: 'stored', usage: 'stored OBJECT', about: 'it is stored' },
  { name: 'deleting', usage: 'deleting OBJECT', about: 'it has a deletionTimestamp' },
  { name: 'queued', usage: 'queued OBJECT', about: 'it waits in a queue of the collector' },
  { name: 'enabled', usage: 'enabled ACTION', about: 'this can be done' },
  { name: 'quiet', usage: 'quiet', about: 'no request, event or item is under way' },
  { name: 'end', usage: 'end', about: 'nothing can be done' },
  {
    name: 'property',
    usage: 'property NAME broken|triggered',
    about: 'it is false for the first time, or there is something to judge',
  },
] as const satisfies readonly GoalWord[];

export type GoalName = (typeof GOALS)[number]['name'];
