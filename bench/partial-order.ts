import { check, enqueue, type Model, type Property } from '../checker/index.ts';
import { deletionProperties } from '../properties/index.ts';
import { deletion } from './models/deletion.ts';
import { deploymentModel, deploymentSetup } from './models/deployment.ts';
import { type Mail, mail } from './models/mail.ts';
import { exclusive, philosophers } from './models/philosophers.ts';
import { consistent, twoPhaseCommit } from './models/two-phase-commit.ts';

/**
 * `node partial-order.js` prints a table of what partial-order reduction saves: states and CPU
 * seconds without it and with it, both without symmetry.
 */
async function row<State>(
  name: string,
  model: Model<State>,
  properties: readonly Property<State>[],
): Promise<string> {
  const cells = [name];
  for (const reductions of [[], ['partial-order']] as const) {
    const before = process.cpuUsage();
    const { statistics, properties: judged } = await check({
      ...{ model, properties, reductions, limits: {} },
    });
    if (judged.some(({ verdict }) => verdict === 'inconclusive'))
      throw new Error(`${name} is open`);
    const { user, system } = process.cpuUsage(before);
    cells.push(statistics.states.toLocaleString('en-US'), ((user + system) / 1e6).toFixed(2));
  }
  return `| ${cells.join(' | ')} |\n`;
}

const ends = { kind: 'settled', name: 'ends', settled: () => true } as const;
const print = (line: string): void => {
  process.stdout.write(line);
};

print('| model | states | CPU s | with it: states | CPU s |\n| --- | --- | --- | --- | --- |\n');
// The first check of a process compiles the code of the checker.
await row('warm-up', philosophers(6), [ends]);
for (const count of [6, 8, 10]) {
  print(await row(`${count} philosophers, ends`, philosophers(count), [ends]));
}
print(await row('8 philosophers, all steps visible', philosophers(8), [exclusive(8)]));
for (const pairs of [3, 5]) {
  const arrives: Property<Mail> = {
    kind: 'eventually',
    name: 'arrives',
    goal: ({ got }) => got.pair0 === 3,
  };
  print(await row(`${pairs} pairs with mailboxes`, mail(pairs, enqueue), [ends, arrives]));
}
print(
  await row(
    'the same, with push',
    mail(5, (box, letter) => box.push(letter)),
    [ends],
  ),
);
print(await row('two-phase commit, 6 managers', twoPhaseCommit(6), [consistent(6)]));
const tree = deletion({ objects: 4, workers: 1, shape: 'tree' });
print(await row('deletion of a tree of 4, ends', tree, [ends]));
for (const pods of [1, 2]) {
  const size = { pods, deleteWorkers: 1, caches: 'synced' } as const;
  const name = `Deployment of ${pods}, foreground`;
  print(await row(`${name}, ends`, deploymentModel(size), [ends]));
  const all = deletionProperties(deploymentSetup(size));
  print(await row(`${name}, all properties`, deploymentModel(size), all));
}
