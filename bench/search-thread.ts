import { takePart, threadData } from '../checker/index.ts';
import { type CaseName, withCase } from './cases.ts';

/** A thread of the search of a case: see `measure.ts`. */
withCase(threadData() as CaseName, takePart);
