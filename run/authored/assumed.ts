import type { Model } from '../../checker/index.ts';
import { equalJson, PROTOCOLS, type Setup } from '../../model/index.ts';
import { assumptionsOf } from '../assumptions.ts';

/** What the verdicts on a model of `clusterModel` depend on. Other models say nothing. */
export function assumedIn(model: Model<unknown>): readonly string[] {
  const { setup } = model as { readonly setup?: unknown };
  return isSetup(setup) ? assumptionsOf(setup, versionOf(setup)) : [];
}

/** The model has its set-up in a field of its own, which only `clusterModel` makes. */
function isSetup(value: unknown): value is Setup {
  return typeof value === 'object' && value !== null && 'rules' in value && 'programs' in value;
}

function versionOf({ rules }: Setup): string {
  const known = Object.entries(PROTOCOLS).find(([, one]) => equalJson(one, rules));
  return known === undefined ? 'with rules of its own' : known[0];
}
