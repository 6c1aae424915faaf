import { check } from '../checker/index.ts';
import { deletionProperties } from '../properties/index.ts';
import { type DeploymentSize, deploymentModel, deploymentSetup } from './models/deployment.ts';

const REDUCTIONS = {
  none: [],
  symmetry: ['symmetry'],
  both: ['symmetry', 'confluence-only'],
} as const;

function isChoice(word = ''): word is keyof typeof REDUCTIONS {
  return Object.hasOwn(REDUCTIONS, word);
}

/**
 * `node deployment.js PODS WORKERS cold|synced none|symmetry|both SECONDS MEGABYTES` explores the
 * foreground deletion of a Deployment up to its limits: with symmetry, with confluence as well, or
 * without both. It prints how far the search got. It judges no leads-to properties, and with
 * confluence none that confluence leaves open.
 */
const [pods, workers, caches, chosen, seconds, megabytes] = process.argv.slice(2);
if ((caches !== 'cold' && caches !== 'synced') || !isChoice(chosen)) {
  const values = Object.keys(REDUCTIONS).join('|');
  throw new Error(`usage: deployment.js PODS WORKERS cold|synced ${values} SECONDS MEGABYTES`);
}
const size: DeploymentSize = { pods: Number(pods), deleteWorkers: Number(workers), caches };
const { outcome, limit, statistics, properties, ...result } = await check({
  model: deploymentModel(size),
  properties: deletionProperties(deploymentSetup(size)).filter(({ kind }) => kind !== 'eventually'),
  reductions: REDUCTIONS[chosen],
  limits: { seconds: Number(seconds), megabytes: Number(megabytes) },
});
const { user, system } = process.cpuUsage();
const measured = {
  outcome,
  limit: limit?.kind ?? null,
  states: statistics.states,
  transitions: statistics.transitions,
  layers: statistics.layers,
  renamings: result.symmetry?.renamings ?? 1,
  open: properties.filter(({ verdict }) => verdict === 'inconclusive').map(({ name }) => name),
  cpuSeconds: (user + system) / 1e6,
  wallSeconds: statistics.wallSeconds,
  peakMegabytes: process.resourceUsage().maxRSS / 1000,
  bytesPerState: statistics.bytesPerState,
  reducerRuns: statistics.reducerRuns,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
