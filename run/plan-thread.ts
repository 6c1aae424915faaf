import { takePart, threadData } from '../checker/index.ts';
import { judgedBy, modelOf } from './assemble.ts';
import type { ThreadPlan } from './search-threads.ts';

// A thread of the search of a plan.
const plan = threadData() as ThreadPlan;
takePart({ model: modelOf(plan.setup), properties: judgedBy(plan) });
