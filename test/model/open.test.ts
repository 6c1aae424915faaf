import { expect, it } from 'vitest';
import { apply, enabled } from '../../checker/index.ts';
import {
  type ApiObject,
  deletionModel,
  openModel,
  type Setup,
  worldOf,
} from '../../model/index.ts';
import { scenarios } from '../scenarios/read.ts';

const STEPS = 20;

/** Requests come from outside in a model of an open setup. */
const OF_USERS = ['request', 'startControllers'];

/** A search of an open setup is not possible, so the list of its steps is compared where one is. */
it('the candidates of a state are all steps that are possible in it', () => {
  let compared = 0;
  const hasVolumes = ({ objects }: Setup) =>
    objects.some(({ kind }) => kind === 'PersistentVolume');
  const some = scenarios().filter(({ setup }, index) => index % 4 === 0 || hasVolumes(setup));
  for (const { name, setup } of some) {
    const model = deletionModel(setup);
    const open = openModel(setup, worldOf(setup));
    let state = model.initial[0]!;
    for (let step = 0; step < STEPS; step++) {
      const current = state;
      const { store } = current;
      const stored = (kind: string, isChosen: (object: ApiObject) => boolean) =>
        Object.entries(store).flatMap(([key, object]) =>
          key.startsWith(`${kind}/`) && isChosen(object) ? [key] : [],
        );
      const queued = (queue: 'attemptToDelete' | 'attemptToOrphan') => Object.keys(current[queue]);
      const candidates = new Set(
        open.actions
          .flatMap((action) => [...action.candidates(current, { stored, queued })])
          .map(({ name: action, parameters }) => JSON.stringify([action, parameters])),
      );
      const possible = enabled(model, state);
      const missing = possible
        .filter((action) => !OF_USERS.includes(action.name))
        .map((action) => JSON.stringify([action.name, action.parameters]))
        .filter((action) => !candidates.has(action));
      expect(missing, `${name}, step ${step}`).toEqual([]);
      compared += possible.length;
      const next = possible[(step * 7) % Math.max(1, possible.length)];
      if (next === undefined) break;
      state = apply(model, state, next);
    }
  }
  expect(compared).toBeGreaterThan(1_000);
});
