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
}

/** `node measure.js CASE ENGINE [MOST-STATES]` prints one measurement as JSON. */
const [caseName, engine, mostStates] = process.argv.slice(2);
const name = CASE_NAMES.find((known) => known === caseName);
if (name === undefined || (engine !== 'tracked' && engine !== 'naive')) {
  throw new Error('usage: measure.js CASE tracked|naive [MOST-STATES]');
}
const result = await withCase(name, ({ model, properties }) =>
  check({
    model,
    properties,
    engine,
    ...(mostStates === undefined ? { limits: {} } : { limits: { states: Number(mostStates) } }),
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
};
process.stdout.write(JSON.stringify(measurement));
