import {
  deliverListed,
  loseEvent,
  lossKey,
  nextEvent,
  relist,
  relistAfterLoss,
} from '../../collector/watch.ts';
import { instancesOf } from '../../state/instances.ts';
import { kindOf } from '../../state/keys.ts';
import { isWatched } from '../../state/kinds.ts';
import type { ObjectKey } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { describeEvent } from '../../words/events.ts';
import { type Actor, action, orNone } from '../actor.ts';
import { observedBeliefs } from './beliefs.ts';

/** The lists of the collector's reflectors: after a monitor starts, and after a watch breaks. */
export const LISTS: Actor = {
  actions: {
    deliverListed: action<{ kind: string; key: ObjectKey }>({
      fairness: 'weak',
      about: 'Any object of a first list after a restart reaches the graph builder.',
      parameters: (setup) =>
        mayListAgain(setup)
          ? instancesOf(setup).keys.flatMap((key) =>
              isWatched(setup, kindOf(key)) ? [{ kind: kindOf(key), key }] : [],
            )
          : null,
      candidates: (_setup, _world, { listing, watch }) =>
        Object.entries(listing).flatMap(([kind, count]) =>
          (watch[kind] ?? []).slice(0, count).map(({ key }) => ({ kind, key })),
        ),
      reducer:
        (_setup, world) =>
        (cluster, { kind, key }) =>
          deliverListed(cluster, world, kind, key),
      describe: ({ names }, { kind, key }, before) => {
        const listed = before.watch[kind]?.find((event) => event.key === key);
        return `graph builder: sees ${describeEvent(names, listed)}, from the first list`;
      },
      beliefs: observedBeliefs,
    }),
    loseEvent: action<{ kind: string }>({
      fairness: 'none',
      about: 'The watch of a kind loses an event and goes on.',
      parameters: ({ lostEvents = {} }) =>
        orNone(Object.keys(lostEvents).map((kind) => ({ kind }))),
      reducer:
        () =>
        (cluster, { kind }) =>
          loseEvent(cluster, kind),
      describe: ({ names }, { kind }, before) => {
        const event = nextEvent(before.watch[kind] ?? [])?.event ?? undefined;
        return `watch of ${kind}: loses ${describeEvent(names, event)}`;
      },
    }),
    relistAfterLoss: action<{ kind: string }>({
      fairness: 'weak',
      about: 'A watch that has lost an event ends; the list that follows shows the difference.',
      parameters: ({ lostEvents = {} }) =>
        orNone(Object.keys(lostEvents).map((kind) => ({ kind }))),
      reducer:
        (_setup, world) =>
        (cluster, { kind }) =>
          relistAfterLoss(cluster, world, kind),
      describe: (_context, { kind }) =>
        `watch of ${kind}: ends, the collector lists anew and compares`,
    }),
    relist: action<{ kind: string }>({
      fairness: 'none',
      about: 'A watch breaks; the list that follows shows only the difference.',
      parameters: ({ relists }) => Object.keys(relists).map((kind) => ({ kind })),
      reducer:
        (_setup, world) =>
        (cluster, { kind }) =>
          relist(cluster, world, kind),
      describe: (_context, { kind }) =>
        `watch of ${kind}: breaks, the collector lists anew and compares`,
    }),
  },
  budget: ({ relists, lostEvents = {} }) =>
    Object.fromEntries(
      [
        ...Object.entries(relists).map(([kind, times]) => [`relist ${kind}`, times] as const),
        ...Object.entries(lostEvents).map(([kind, times]) => [lossKey(kind), times] as const),
      ].filter(([, times]) => times > 0),
    ),
  isIdle: () => true,
};

/** Whether a monitor may list while the model runs. */
function mayListAgain({ users, discovery, syncsLate }: Setup): boolean {
  return (
    (discovery ?? syncsLate) !== undefined ||
    Object.values(users).some((steps) =>
      steps.some(({ request }) => ['startControllers', 'serveVersion'].includes(request.do)),
    )
  );
}
