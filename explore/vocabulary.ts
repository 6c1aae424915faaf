/** The commands of the explorer. */

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
    about: 'Take the enabled action with this number, or the one that the words select',
  },
  {
    name: 'actions',
    aliases: ['a', 'list'],
    usage: 'actions',
    about: 'List the enabled actions',
  },
  {
    name: 'why',
    aliases: ['w'],
    usage: 'why [ACTION|all]',
    about: 'Why an action is not enabled; without words, some of each action; all: everything',
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
    about: 'Go back to the state after step N; 0 is the start',
  },
  {
    name: 'state',
    aliases: ['st'],
    usage: 'state [full]',
    about: "Objects, differences in the collector's graph, queues and workers; full: everything",
  },
  { name: 'trace', aliases: ['t'], usage: 'trace [full]', about: 'The steps so far' },
  {
    name: 'properties',
    aliases: ['p'],
    usage: 'properties',
    about: 'The status of the properties after the steps so far',
  },
  {
    name: 'until',
    aliases: [],
    usage: 'until WHAT',
    about: 'Take a shortest way to a goal; help until lists the goals',
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

/** The goals of `until`. */
export const GOALS = [
  { name: 'gone', usage: 'gone OBJECT', about: 'the object is removed' },
  { name: 'stored', usage: 'stored OBJECT', about: 'the object is stored' },
  { name: 'deleting', usage: 'deleting OBJECT', about: 'the object has a deletionTimestamp' },
  { name: 'queued', usage: 'queued OBJECT', about: 'the object is in a queue of the collector' },
  { name: 'enabled', usage: 'enabled ACTION', about: 'the action is enabled' },
  { name: 'quiet', usage: 'quiet', about: 'no request, event or queued item is pending' },
  { name: 'end', usage: 'end', about: 'no action is enabled' },
  {
    name: 'property',
    usage: 'property NAME broken|triggered',
    about: 'the property is broken or triggered for the first time',
  },
] as const satisfies readonly GoalWord[];

/** The goals that a model has: one without a cluster has no objects. */
export function goalsOf({ cluster }: { readonly cluster: unknown }): readonly Goal[] {
  return cluster === null ? GOALS.filter(({ name }) => !ABOUT_CLUSTERS.includes(name)) : GOALS;
}

const ABOUT_CLUSTERS: readonly GoalName[] = ['gone', 'stored', 'deleting', 'queued', 'quiet'];

type Goal = (typeof GOALS)[number];

export type GoalName = (typeof GOALS)[number]['name'];
