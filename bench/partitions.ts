import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import {
  type Blocks,
  type CheckOptions,
  checkPartitioned,
  type ExpandAt,
  type FirstLayers,
  type FoldAt,
  PartitionHolder,
  type PartitionLog,
  type PartitionTeam,
  type Way,
} from '../checker/index.ts';
import { JOB_KINDS } from '../fleet/jobs/kinds.ts';
import { gatherPlans } from '../input/gather.ts';
import { inputOptions } from '../input/options/input-options.ts';
import { judgedBy, modelOf } from '../run/assemble.ts';
import { DIVIDED_FROM, DIVIDED_LATEST } from '../run/fleet-search.ts';
import { CASE_NAMES, type CaseUser, withCase } from './cases.ts';

/**
 * `node dist/bench/partitions.js [MODEL [PARTITIONS [STATES]]]` measures one search that is divided
 * among processes, without Redis: blocks are files in memory. Seconds are those of CPU, of steps
 * only. The critical path is the sum, over all steps, of what the partition took that took most.
 * The client chooses the owners beside the first layers. What its choice takes longer than these is
 * the wait, which is in the path.
 *
 * MODEL is a case of the bench or a file for `reapcheck check`. `FILE:PROPERTY` asks for one
 * property.
 */
const [model = 'deletion6', count = '2', most = 'all'] = process.argv.slice(2);

type Request =
  | { readonly kind: 'first'; readonly step: FirstLayers }
  | { readonly kind: 'expand'; readonly step: ExpandAt }
  | { readonly kind: 'fold'; readonly step: FoldAt };

interface Answered {
  readonly tally: unknown;
  readonly cpu: number;
}

async function withModel<Result>(use: CaseUser<Promise<Result>>): Promise<Result> {
  const known = CASE_NAMES.find((name) => name === model);
  if (known !== undefined) return withCase(known, use);
  const [file = '', property] = model.split(':');
  const given = inputOptions({
    input: [file],
    ...(property === undefined ? {} : { property: [property] }),
  });
  const [plan] = await gatherPlans(given, (async function* () {})());
  return use({ model: modelOf(plan!.setup), properties: judgedBy(plan!), states: 0 });
}

class FileLog implements PartitionLog {
  private readonly folder: string;
  bytes = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  async append(way: Way, layer: number, number: number, bytes: Uint8Array): Promise<void> {
    writeFileSync(this.file(way, layer, number), bytes);
  }

  async *read(way: Way, layer: number): Blocks {
    for (let number = 0; ; number++) {
      let block: Uint8Array;
      try {
        block = readFileSync(this.file(way, layer, number));
      } catch {
        return;
      }
      this.bytes += block.length;
      yield block;
    }
  }

  private file({ from, to }: Way, layer: number, number: number): string {
    return join(this.folder, `${from}-${to}-${layer}-${number}`);
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** A partition, in a process of its own. */
async function partition(folder: string, index: number): Promise<void> {
  await withModel(async ({ model: searched, properties }) => {
    const place = { index, count: Number(count) };
    const options = { model: searched, properties };
    const holder = new PartitionHolder(options, place, {}, new FileLog(folder));
    process.on('message', async (request: Request) => {
      const before = cpuSeconds();
      const tally = await (request.kind === 'first'
        ? holder.first(request.step)
        : request.kind === 'expand'
          ? holder.expand(request.step)
          : holder.fold(request.step));
      const answer: Answered = { tally, cpu: cpuSeconds() - before };
      process.send!(answer);
    });
  });
  process.on('disconnect', () => process.exit());
  process.send!('ready');
}

async function measure(): Promise<void> {
  const folder = mkdtempSync('/dev/shm/reapcheck-partitions-');
  const children = Array.from({ length: Number(count) }, (_, index) =>
    fork(import.meta.filename, [...process.argv.slice(2, 5), ...defaults(), folder, `${index}`], {
      execArgv: [...JOB_KINDS.hold.module.options],
    }),
  );
  await Promise.all(children.map((child) => new Promise((ready) => child.once('message', ready))));
  const spent = { first: [0, 0], expand: [0, 0], fold: [0, 0] };
  let rows = 0;
  let unequal = 0;
  let divided = 0;
  const ask = async (kind: Request['kind'], steps: readonly object[]): Promise<never> => {
    const answers = await Promise.all(
      children.map((child, index) => {
        const answered = new Promise<Answered>((resolve) =>
          child.once('message', resolve as never),
        );
        child.send({ kind, step: steps[index]! });
        return answered;
      }),
    );
    const cpu = answers.map((answer) => answer.cpu);
    spent[kind][0]! += cpu.reduce((sum, one) => sum + one, 0);
    spent[kind][1]! += Math.max(...cpu);
    return answers.map(({ tally }) => tally) as never;
  };
  const log = new FileLog(folder);
  let began = 0;
  let choice = 0;
  const team: PartitionTeam = {
    count: children.length,
    dividedFrom: DIVIDED_FROM,
    dividedLatest: DIVIDED_LATEST,
    first: (layers) =>
      ask(
        'first',
        children.map(() => layers),
      ),
    expand: async (steps) => {
      if (choice === 0) choice = cpuSeconds() - began;
      const tallies: Awaited<ReturnType<PartitionTeam['expand']>> = await ask('expand', steps);
      for (const tally of tallies) rows += tally.rows;
      return tallies;
    },
    fold: async (steps) => {
      const tallies: Awaited<ReturnType<PartitionTeam['fold']>> = await ask('fold', steps);
      const sizes = tallies.map(({ states }) => states);
      divided += sizes.reduce((sum, one) => sum + one, 0);
      unequal += Math.max(...sizes) * sizes.length;
      return tallies;
    },
    keys: (from, layer) => log.read({ from, to: null }, layer),
    gathers: () => undefined,
  };
  const found = await withModel(({ model: searched, properties }) => {
    const options: CheckOptions<never> = { model: searched, properties } as never;
    const limits = most === 'all' ? {} : { states: Number(most) };
    began = cpuSeconds();
    return checkPartitioned({ ...options, limits }, team);
  });
  for (const child of children) child.disconnect();
  rmSync(folder, { recursive: true });
  const { states } = found.statistics;
  const all = Object.values(spent);
  const [sum, steps] = [0, 1].map((at) => all.reduce((total, one) => total + one[at]!, 0));
  const wait = Math.max(0, choice - spent.first[1]!);
  const path = steps! + wait;
  const parts = Object.entries(spent).map(([kind, [, one]]) => `${kind} ${one!.toFixed(2)}`);
  process.stdout.write(
    `${model}, ${count}: ${states} states, all ${sum!.toFixed(2)} s, path ${path.toFixed(2)} s ` +
      `(${parts.join(', ')}, wait ${wait.toFixed(2)}), ${(rows / states).toFixed(3)} rows a state, ` +
      `unequal ${(unequal / divided).toFixed(2)}, reducers ${found.statistics.reducerRuns}, ` +
      `choice ${choice.toFixed(2)} s, client ${cpuSeconds().toFixed(2)} s, load ${loadavg()[0]!.toFixed(0)}\n`,
  );
}

/** All words have to be there for a process of a partition. */
function defaults(): readonly string[] {
  return [model, count, most].slice(process.argv.length - 2);
}

const [folder, index] = process.argv.slice(5);
if (folder === undefined) await measure();
else await partition(folder, Number(index));
