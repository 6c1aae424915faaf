import { takePart, threadData } from '../../checker/index.ts';
import { authoredModel } from '../../run/authored/authored.ts';
import type { ThreadModule } from '../../run/search-threads.ts';
import { loadModule } from '../modules.ts';

// A thread of the search of a model that a module exports.
const { file } = threadData() as ThreadModule;
const { model, properties, within } = authoredModel(await loadModule(file));
takePart({ model, properties, ...(within === null ? {} : { within }) });
