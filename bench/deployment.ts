import { check } from '../checker/index.ts';
import { deletionProperties } from '../properties/index.ts';
import { type DeploymentSize, deploymentModel, deploymentSetup } from './models/deployment.ts';

/**
 * `node deployment.js PODS WORKERS cold|synced on|off SECONDS MEGABYTES` explores the foreground
 * deletion of a Deployment as far as it gets, with symmetry or without, and prints how far that is.
 */
const [pods, workers, caches, symmetry, seconds, megabytes] = process.argv.slice(2);
if ((caches !== 'cold' && caches !== 'synced') || (symmetry !== 'on' && symmetry !== 'off')) {
  throw new Error('usage: deployment.js PODS WORKERS cold|synced on|off SECONDS MEGABYTES');
}
const size: DeploymentSize = { pods: Number(pods), deleteWorkers: Number(workers), caches };
const { outcome, limit, statistics, ...result } = await check({
  model: deploymentModel(size),
  properties: deletionProperties(deploymentSetup(size)).filter(({ kind }) => kind !== 'eventually'),
  symmetry: symmetry === 'on',
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
  cpuSeconds: (user + system) / 1e6,
  wallSeconds: statistics.wallSeconds,
  peakMegabytes: process.resourceUsage().maxRSS / 1000,
  bytesPerState: statistics.bytesPerState,
  reducerRuns: statistics.reducerRuns,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
