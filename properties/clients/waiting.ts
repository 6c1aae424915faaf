import type { ActionInstance } from '../../checker/index.ts';
import { type Cluster, formatKey, waiterOf, waitingUsers } from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';

export const CLIENT_WAIT_ENDS = defineProperty({
  id: 'client-wait-ends',
  group: 'clients',
  name: 'a client that waits for a deletion is done',
  kind: 'eventually',
  about:
    'A client that has deleted an object and waits until it is gone stops waiting once the ' +
    'object is gone, even if another object has its name by then.',
  trigger: 'a client waits for an object that is no longer stored',
  source:
    'Synchronous Garbage Collection (proposal): "*kubectl delete* needs to poll on the removal of ' +
    'the owner object"; https://github.com/kubernetes/kubernetes/pull/66136',
  build: (setup) => {
    const waitsInVain = (cluster: Cluster, user: unknown): boolean => {
      const waiter = waiterOf(cluster, String(user));
      return waiter !== null && cluster.store[waiter.key]?.uid !== waiter.uid;
    };
    return {
      parameters: waitingUsers(setup).map((user) => ({ user })),
      trigger: (cluster, { user }) => waitsInVain(cluster, user),
      goal: (cluster, { user }) => !waitsInVain(cluster, user),
      explain: (cluster, { user }) => {
        const waiter = waiterOf(cluster, String(user));
        if (waiter === null) return [];
        const present = cluster.store[waiter.key];
        const now = present === undefined ? 'is gone' : `has uid ${present.uid} by now`;
        return [`${user} waits for uid ${waiter.uid}: ${formatKey(waiter.key)} ${now}`];
      },
    };
  },
});

export const CLIENT_WAITS_UNTIL_GONE = defineProperty({
  id: 'client-waits-until-gone',
  group: 'clients',
  name: 'a client waits for a deletion until it is over',
  kind: 'step',
  about:
    'A client that waits for the deletion of an object does not stop while the object is ' +
    'stored, and does nothing else in the meantime.',
  trigger: 'a client stops waiting for a deletion',
  source:
    'Synchronous Garbage Collection (proposal): "Currently `kubectl delete` blocks until all ' +
    'dependents and the owner are deleted"',
  build: (setup) => {
    const goesOn = (action: ActionInstance, user: unknown): boolean =>
      action.name === 'request' && action.parameters.user === user;
    return {
      parameters: waitingUsers(setup).map((user) => ({ user })),
      trigger: (before, action, after, { user }) =>
        waiterOf(before, String(user)) !== null &&
        (goesOn(action, user) || waiterOf(after, String(user)) === null),
      holds: (before, action, after, { user }) => {
        const waiter = waiterOf(before, String(user));
        if (waiter === null) return true;
        if (goesOn(action, user)) return false;
        if (waiterOf(after, String(user)) !== null) return true;
        return before.store[waiter.key]?.uid !== waiter.uid;
      },
      explain: (before, action, _after, { user }) => {
        const waiter = waiterOf(before, String(user));
        if (waiter === null) return [];
        return goesOn(action, user)
          ? [`${user} waits for ${formatKey(waiter.key)}, and sends another request`]
          : [`${user} waits no longer, and ${formatKey(waiter.key)} is still there`];
      },
    };
  },
});
