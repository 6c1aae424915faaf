import { expect, it } from 'vitest';
import { whyDisabled } from '../../checker/traces/why-disabled.ts';
import { describer } from '../../model/describe/describer.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { deletionModel } from '../../model/system.ts';
import { successor } from '../../run/execution.ts';
import { scenarios } from '../scenarios/read.ts';

const STEPS = 6;

it('has words for every reason on the way through the built-in scenarios', () => {
  for (const { name, setup } of scenarios()) {
    const model = deletionModel(setup);
    const words = describer(setup);
    let state = model.initial[0]!;
    for (let step = 0; step < STEPS; step++) {
      const next: Cluster[] = [];
      for (const [action, { parameters }] of Object.entries(model.actions)) {
        for (const chosen of parameters) {
          const instance = { name: action, parameters: chosen };
          const disabled = whyDisabled(model, state, instance);
          if (disabled === null) {
            next.push(successor(model, instance, state)!);
            continue;
          }
          // Without words the reason is a path of the state, or JSON.
          const reason = words.obstacle(instance, state, disabled.deciding);
          expect(`${name}: ${reason}`).not.toMatch(/ is absent$|[{}[\]"]|undefined|null/);
        }
      }
      if (next.length === 0) break;
      state = next[(7 * step + name.length) % next.length]!;
    }
  }
});
