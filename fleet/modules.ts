import { isModule } from '../input/options/input-options.ts';
import { FLEET_ERRORS } from './errors.ts';

/** Refuses what is code: only data is sent to a fleet. Throws `InputError`. */
export function refuseModules(inputs: readonly string[]): void {
  const module = inputs.find(isModule);
  if (module !== undefined) throw FLEET_ERRORS.modules(module);
}
