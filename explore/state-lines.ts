import { traceOf } from '../checker/index.ts';
import type { Cluster } from '../model/index.ts';
import { stateLines as wholeStateLines } from '../report/text/state.ts';
import { runLines } from '../report/text/trace.ts';
import { beliefDifferences, type Difference } from '../report/view/belief.ts';
import type { ObjectView } from '../report/view/objects.ts';
import type { Snapshot } from '../report/view/snapshot.ts';
import type { ClusterPart, Explorer } from './explorer.ts';
import { textLines } from './lines.ts';
import type { Session } from './position.ts';

/** A state: stored objects, differences in the collector's graph, queues and workers. */
export function stateLines(
  explorer: Explorer,
  state: unknown,
  step: number,
  full: boolean,
): string[] {
  const { colors } = explorer;
  const head = colors.bold(step === 0 ? 'At the start' : `After step ${step}`);
  if (full) return [head, ...wholeStateLines(state, '  ')];
  const { cluster, words } = explorer;
  if (cluster === null) {
    return [head, ...words.state(state).flatMap((line) => textLines(line, '  ', '    '))];
  }
  const snapshot = cluster.snapshot(state);
  const differences = beliefDifferences(snapshot);
  return [
    head,
    ...Object.entries(snapshot.objects).flatMap(([uid, view]) =>
      objectLines(
        explorer,
        snapshot,
        uid,
        view,
        differences.filter((one) => one.uid === uid),
      ),
    ),
    ...Object.entries(snapshot.waiting).flatMap(([where, items]) =>
      textLines(`${where}: ${items.join(', ')}`, '  ', '    '),
    ),
    ...Object.entries(snapshot.work).flatMap(([who, what]) =>
      textLines(`${who}: ${what}`, '  ', '    '),
    ),
    ...userLines(cluster, state as Cluster),
  ];
}

function objectLines(
  { colors }: Explorer,
  snapshot: Snapshot,
  uid: string,
  { name, stored }: ObjectView,
  differences: readonly Difference[],
): string[] {
  const owners = Object.values(snapshot.owners).flatMap((owner) => {
    if (owner.dependent !== uid || owner.stored === null) return [];
    const ownerName = snapshot.objects[owner.owner]?.name ?? `uid ${owner.owner}`;
    return [`${ownerName}${owner.stored === 'blocking' ? ' (blocking)' : ''}`];
  });
  const text =
    stored === null
      ? null
      : [
          name,
          ...(owners.length > 0 ? [`owned by ${owners.join(', ')}`] : []),
          ...(stored.finalizers.length > 0 ? [`finalizers ${stored.finalizers.join(', ')}`] : []),
          ...(stored.beingDeleted ? ['being deleted'] : []),
          ...stored.notes,
        ].join(', ');
  if (text === null && differences.length === 0) return [];
  return [
    ...(text === null
      ? textLines(`${name}, not stored`, '  ', '    ').map(colors.dim)
      : textLines(text, '  ', '    ')),
    ...differences
      .flatMap(({ believed }) =>
        textLines(`the collector's graph: it ${believed}`, '    ', '      '),
      )
      .map(colors.magenta),
  ];
}

function userLines({ setup }: ClusterPart, { users }: Cluster): string[] {
  return Object.entries(setup.users).flatMap(([user, steps]) => {
    const begun = users[user] ?? 0;
    return textLines(`${user}: has begun ${begun} of ${steps.length} requests`, '  ', '    ');
  });
}

/** The steps so far, as check prints them. */
export function traceLines(explorer: Explorer, session: Session, full: boolean): string[] {
  const { model, words, properties, colors } = explorer;
  const { states, actions, found } = session;
  const property = properties.find(({ name }) => name === found?.property);
  const loopStart = found?.loopStart ?? null;
  const trace = traceOf(
    model,
    {
      property: property ?? { kind: 'witness', name: 'none', reached: () => false },
      parameters: found?.parameters ?? {},
      states,
      actions,
      shape: loopStart === null ? 'path' : 'lasso',
      loopStart,
    },
    words,
  );
  return [...runLines(trace, colors, full), ...endLines(explorer, session)];
}

/** How an endless run continues. */
export function endLines({ colors }: Explorer, { found }: Session): string[] {
  if (found === null || !found.endless) return [];
  const { loopStart } = found;
  const text =
    loopStart === null
      ? 'Stays like this for ever: nothing that is bound to happen changes it.'
      : `Back to the state before step ${loopStart + 1}, and so on for ever.`;
  return textLines(text, '  ').map(colors.cyan);
}
