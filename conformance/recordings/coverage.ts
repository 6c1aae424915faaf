import {
  type DeleteWorker,
  type OrphanWorker,
  RULES,
  type RuleName,
  type Rules,
  type WatchEvent,
} from '../../model/index.ts';
import type { Coverage } from '../../report/document/conformance-documents.ts';
import type { Judged } from './judge.ts';
import { steps } from './search/history.ts';

/**
 * The steps of the model that a log can show, by action. `serve` has the steps of the API server's
 * handlers; `request` is what a client asks for. Relists are missing because a log does not show
 * them.
 */
export const STEPS = {
  request: ['create', 'update', 'patch', 'delete', 'deletecollection'],
  serve: [
    'create admit',
    'create write',
    'delete get',
    'delete terminate',
    'delete update',
    'delete remove',
    'delete removeMarked',
    'deleteCollection list',
    'deleteCollection items',
    'update update',
    'update remove',
  ],
  deliver: ['add', 'update', 'delete'] satisfies readonly WatchEvent['type'][],
  deliverVirtualDelete: [''],
  takeForDelete: [''],
  attemptToDelete: [
    'getItem',
    'getOwner',
    'readDependents',
    'readBlockingDependents',
    'patchOwners',
    'unblockOwners',
    'delete',
    'getForFinalizer',
    'patchFinalizer',
  ] satisfies readonly DeleteWorker['at'][],
  takeForOrphan: [''],
  orphanDependent: [''],
  attemptToOrphan: ['getForFinalizer', 'patchFinalizer'] satisfies readonly OrphanWorker['at'][],
  restart: [''],
} as const;

/** @param judged judged with `readRules`. */
export function coverageOf(judged: readonly Judged[], rules: Rules): Coverage {
  const times = new Map<string, number>();
  const traces = new Map<string, Set<string>>();
  const readers = new Map<RuleName, Set<string>>();
  for (const { validation, context } of judged) {
    if (validation.verdict !== 'accepted') continue;
    const { name } = context.trace;
    for (const step of steps(validation.run.at(-1)?.state.history ?? null)) {
      const key = `${step.action}/${step.step}`;
      times.set(key, (times.get(key) ?? 0) + 1);
      note(traces, key, name);
      for (const rule of step.rules) note(readers, rule, name);
    }
  }
  return {
    steps: Object.entries(STEPS).flatMap(([action, names]) =>
      names.map((step) => {
        const key = `${action}/${step}`;
        return { action, step, times: times.get(key) ?? 0, traces: [...(traces.get(key) ?? [])] };
      }),
    ),
    rules: (Object.keys(RULES) as RuleName[]).map((rule) => ({
      rule,
      value: rules[rule],
      traces: [...(readers.get(rule) ?? [])],
    })),
  };
}

function note<Key>(map: Map<Key, Set<string>>, key: Key, name: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([name]));
  else set.add(name);
}
