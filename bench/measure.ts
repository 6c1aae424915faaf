import { readFileSync } from 'node:fs';
import { check } from '../checker/index.ts';
import { CASE_NAMES, withCase } from './cases.ts';

/** What one process has done and used. */
export interface Measurement {
  readonly states: number;
  readonly transitions: number;
  /** User and system time of the whole process, start of Node included. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes: number;
  readonly bytesPerState: number;
  readonly reducerRuns: number;
  readonly verdicts: readonly string[];
  /** Of the thread that decides when the search ends. The others work beside it. Linux only. */
  readonly ownThreadSeconds: number;
}

/** `node measure.js CASE ENGINE [MOST-STATES|all [THREADS]]` prints one measurement as JSON. */
const [caseName, engine, mostStates = 'all', threads = '1'] = process.argv.slice(2);
const name = CASE_NAMES.find((known) => known === caseName);
if (name === undefined || (engine !== 'tracked' && engine !== 'naive')) {
  throw new Error('usage: measure.js CASE tracked|naive [MOST-STATES|all [THREADS]]');
}
const result = await withCase(name, ({ model, properties }) =>
  check({
    model,
    properties,
    engine,
    limits: mostStates === 'all' ? {} : { states: Number(mostStates) },
    ...(threads === '1'
      ? {}
      : {
          threads: {
            count: Number(threads),
            module: new URL('search-thread.js', import.meta.url),
            data: name,
          },
        }),
  }),
);
const { statistics } = result;
const { user, system } = process.cpuUsage();
const measurement: Measurement = {
  states: statistics.states,
  transitions: statistics.transitions,
  cpuSeconds: (user + system) / 1e6,
  wallSeconds: performance.now() / 1000,
  peakMegabytes: process.resourceUsage().maxRSS / 1000,
  bytesPerState: statistics.bytesPerState,
  reducerRuns: statistics.reducerRuns,
  verdicts: result.properties.map(({ verdict }) => verdict),
  ownThreadSeconds: Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e9,
};
process.stdout.write(JSON.stringify(measurement));
