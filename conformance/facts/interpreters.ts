import { COLLECTOR_INTERPRETERS } from './collector/index.ts';
import type { Interpreter } from './fact.ts';
import { NAMESPACE_INTERPRETERS } from './namespace/index.ts';
import { interpretScenario } from './scenario/scenario.ts';
import { STORE_INTERPRETERS } from './store/index.ts';

/** Which interpreter reads which kind of case. */
export const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  ...COLLECTOR_INTERPRETERS,
  ...STORE_INTERPRETERS,
  ...NAMESPACE_INTERPRETERS,
  scenario: interpretScenario,
};
