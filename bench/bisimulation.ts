import { instancesOf } from '../checker/instances.ts';
import { compileProperties } from '../checker/judgements.ts';
import { decideSymmetry } from '../checker/symmetry.ts';
import { TrackedEngine } from '../checker/tracked.ts';
import { emptyTransitionBuffer } from '../checker/transition-buffer.ts';
import { type DeploymentSize, deploymentModel } from './models/deployment.ts';

/**
 * `node bisimulation.js PODS WORKERS cold|synced`: how far could a better canonical form get? Counts the
 * classes of strong bisimulation of the foreground deletion of a Deployment. Two states of one
 * class can do the same for ever, by the names of the actions alone (pods and workers count as alike);
 * no form of the state that keeps them apart any less is sound, whatever the properties look at.
 */
const [pods, workers, caches] = process.argv.slice(2);
if (caches !== 'cold' && caches !== 'synced') {
  throw new Error('usage: bisimulation.js PODS WORKERS cold|synced');
}

interface Edges {
  /** By state: where its edges begin in the other two; one more at the end. */
  readonly starts: Uint32Array;
  readonly labels: Uint8Array;
  readonly targets: Int32Array;
}

/** All states, pods and workers taken for one another, and what leads from one to the next. */
function explore(size: DeploymentSize): Edges {
  const model = deploymentModel(size);
  const instances = instancesOf(model);
  const compiled = compileProperties([], instances);
  const { applied } = decideSymmetry(model, instances, compiled, true);
  const engine = new TrackedEngine({
    model,
    instances,
    ...compiled,
    symmetry: applied,
    confluence: null,
  });
  const unwatched = { watched: new Uint8Array(instances.length), transition: () => undefined };
  let transitions = 0;
  for (let state = 0; state < engine.stateCount; state++) {
    engine.load(state);
    transitions += engine.expand(unwatched);
  }
  const names = [...new Set(instances.map(({ identity }) => labelText(identity)))];
  const labelOf = instances.map(({ identity }) => names.indexOf(labelText(identity)));
  const starts = new Uint32Array(engine.stateCount + 1);
  const labels = new Uint8Array(transitions);
  const targets = new Int32Array(transitions);
  const buffer = emptyTransitionBuffer();
  let edge = 0;
  for (let state = 0; state < engine.stateCount; state++) {
    const count = engine.successors(state, buffer);
    for (let index = 0; index < count; index++, edge++) {
      labels[edge] = labelOf[buffer.actions[index]!]!;
      targets[edge] = buffer.targets[index]!;
    }
    starts[state + 1] = edge;
  }
  return { starts, labels, targets };
}

function labelText({ name, parameters }: { name: string; parameters: object }): string {
  const values = Object.values(parameters).map((value) => String(value).replace(/-\d+\b/g, '-N'));
  return [name, ...values].join(' ');
}

/** One round of refinement: states stay together that step with equal labels into equal classes. */
function refine({ starts, labels, targets }: Edges, classes: Int32Array): number {
  const known = new Map<number, number>();
  const before = classes.slice();
  const steps = new Float64Array(256);
  for (let state = 0; state < classes.length; state++) {
    let count = 0;
    for (let edge = starts[state]!; edge < starts[state + 1]!; edge++) {
      steps[count++] = labels[edge]! * 2 ** 32 + before[targets[edge]!]!;
    }
    const signature = signatureOf(before[state]!, steps.subarray(0, count).sort());
    let found = known.get(signature);
    if (found === undefined) {
      found = known.size;
      known.set(signature, found);
    }
    classes[state] = found;
  }
  return known.size;
}

/** 53 bits of a set of steps; a collision would only make the number of classes too small. */
function signatureOf(own: number, steps: Float64Array): number {
  let high = own ^ 0x9e3779b9;
  let low = Math.imul(own + 1, 0x85ebca6b);
  let last = -1;
  for (const step of steps) {
    if (step === last) continue;
    last = step;
    const label = Math.floor(step / 2 ** 32);
    high = mixed(high ^ (step >>> 0), 0x01000193) ^ mixed(label + 1, 0x2c1b3c6d);
    low = mixed(low ^ ((step + 0x7f4a7c15) >>> 0), 0x297a2d39) ^ mixed(label + 77, 0x5bd1e995);
    high = mixed(high, 0x2c1b3c6d);
    low = mixed(low, 0x5bd1e995);
  }
  return (high >>> 0) * 2 ** 21 + ((low >>> 0) & 0x1fffff);
}

function mixed(value: number, factor: number): number {
  const product = Math.imul(value, factor);
  return product ^ (product >>> 15);
}

const edges = explore({ pods: Number(pods), deleteWorkers: Number(workers), caches });
const states = edges.starts.length - 1;
const classes = new Int32Array(states);
let count = 1;
for (;;) {
  const refined = refine(edges, classes);
  if (refined === count) break;
  count = refined;
}
const measured = { states, transitions: edges.targets.length, classes: count };
process.stdout.write(`${JSON.stringify(measured)}\n`);
