import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { judge } from '../../conformance/recordings/judge.ts';
import { tracesIn } from '../../conformance/recordings/logs/read.ts';
import { traceReport } from '../../conformance/recordings/report.ts';
import { isQuiet } from '../../model/index.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { ControllerAudit } from '../../serve/audit/controllers.ts';
import { AuditLog } from '../../serve/audit/events.ts';
import { ServedCluster } from '../../serve/cluster/cluster.ts';
import { namingOf } from '../../serve/http/naming.ts';
import { serverOf } from '../../serve/http/server.ts';
import { readSchedule, scheduleOf } from '../../serve/schedule/choose.ts';
import { emptyStart } from '../../serve/start.ts';
import { UNTIMED } from '../conformance/recorded-traces.ts';
import { Draws } from '../conformance/simulated-setups.ts';
import { RandomClient } from './random-requests.ts';

/**
 * What a random client does to the server, told by the audit log alone, is a behaviour of the
 * model. `REAPCHECK_RUNS=500 npx vitest run test/serve/logs.long.test.ts` judges 500 runs.
 */
const RUNS = Number(process.env.REAPCHECK_RUNS ?? 12);
const POLLS = 200;

/** The audit log of a run, with all that the controllers do about it. */
async function logOf(seed: number, schedule: string, protocol: string): Promise<string> {
  const name = readSchedule(schedule);
  if (name.is === 'token') throw new Error('a token has requests of its own');
  const lines: string[] = [];
  const audit = new AuditLog((line) => void lines.push(line));
  const { setup, objects, bodies } = emptyStart(protocol, PROTOCOLS[protocol]!, name.is === 'seed');
  const controllers = new ControllerAudit(audit);
  const cluster = new ServedCluster(setup, objects, bodies, Date.now, controllers);
  const app = serverOf({
    cluster,
    schedule: scheduleOf(name, cluster),
    protocol,
    address: '127.0.0.1',
    naming: namingOf(seed),
    audit,
    onDefect: (error) => {
      throw error;
    },
  });
  try {
    await new RandomClient(app, new Draws(seed)).run(12);
    // Some runs never come to rest: the collector looks for an absent owner again and again.
    for (let polls = 0; polls < POLLS && !isQuiet(cluster.setup, cluster.state); polls++) {
      await pause(2);
    }
  } finally {
    await app.close();
  }
  return lines.join('');
}

it(`the logs of ${RUNS} random clients are ones that the model explains`, async () => {
  const complaints: string[] = [];
  let collected = 0;
  for (let seed = 0; seed < RUNS; seed++) {
    const schedule = seed % 2 === 0 ? 'fair' : `seed:${seed}`;
    const protocol = ['v1.20', 'v1.20', 'v1.20', 'v1.14', 'newest'][seed % 5]!;
    const text = await logOf(seed, schedule, protocol);
    const options = { rules: PROTOCOLS[protocol]!, limits: UNTIMED, partial: false };
    for (const trace of tracesIn({ file: 'audit.jsonl', text }, { partial: false })) {
      const { verdict, failure } = traceReport(judge(trace, options));
      collected += trace.requests.filter(({ collector }) => collector).length;
      if (verdict === 'accepted') continue;
      const why = `${failure?.event}: ${failure?.misfits[0]?.sentence}`;
      complaints.push(`${verdict} ${seed} ${schedule} ${protocol}: ${why}`);
    }
  }
  expect(complaints).toEqual([]);
  expect(collected).toBeGreaterThan(4 * RUNS);
}, 3_600_000);
