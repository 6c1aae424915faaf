import { readCollection } from '../input/collections/collection.ts';
import { documents } from '../input/documents/documents.ts';
import type { Bytes } from '../input/documents/source.ts';
import { gatherPlans, isFile } from '../input/gather.ts';
import type { InputOptions } from '../input/options/input-options.ts';
import { readProtocol, withRule } from '../input/scenarios/protocol.ts';
import { isScenario } from '../input/scenarios/scenario.ts';
import { DEFAULT_PROTOCOL } from '../model/index.ts';
import { MESSAGES } from '../text/messages.ts';
import { ControllerAudit } from './audit/controllers.ts';
import { AuditLog, type AuditSink } from './audit/events.ts';
import { ServedCluster } from './cluster/cluster.ts';
import { namingOf } from './http/naming.ts';
import { type ServerOptions, serverOf } from './http/server.ts';
import { type ScheduleName, scheduleOf } from './schedule/choose.ts';
import { dumpStart, emptyStart, type Start, scenarioStart } from './start.ts';

export interface Beginning {
  /** At most one input: a dump, or a scenario by name or file. */
  readonly options: InputOptions;
  readonly schedule: ScheduleName;
  readonly address: string;
  /** Gets the lines of an audit log. Null: there is none. */
  readonly auditSink: AuditSink | null;
  readonly onDefect: ServerOptions['onDefect'];
}

/** Reads the input and makes the server, which does not listen yet. Throws `InputError`. */
export async function beginServing(given: Beginning, stdin: Bytes) {
  const start = await startOf(given, stdin);
  const audit = given.auditSink === null ? null : new AuditLog(given.auditSink);
  const controllers = audit === null ? null : new ControllerAudit(audit);
  const { setup, objects, bodies } = start;
  const cluster = new ServedCluster(setup, objects, bodies, Date.now, controllers);
  const schedule = scheduleOf(given.schedule, cluster);
  const app = serverOf({
    cluster,
    schedule,
    protocol: start.protocol,
    address: given.address,
    naming: namingOf(given.schedule.is === 'seed' ? given.schedule.seed : null),
    audit,
    onDefect: given.onDefect,
  });
  schedule.wake();
  return { app, schedule, warnings: start.warnings };
}

async function startOf({ options, schedule }: Beginning, stdin: Bytes): Promise<Start> {
  const [input, ...more] = options.inputs;
  if (more.length > 0) throw MESSAGES.usage('serve takes one dump or one scenario');
  const { overrides } = options;
  const protocol = overrides.protocol ?? DEFAULT_PROTOCOL;
  let rules = readProtocol(protocol);
  for (const { name, value } of overrides.rules) rules = withRule(rules, name, value);
  const isAdverse = schedule.is === 'seed';
  if (input === undefined) return emptyStart(protocol, rules, isAdverse);
  if (!isFile(input)) return scenarioOf(options, stdin);
  const collection = await readCollection(options.inputs, stdin, options);
  const [first] = collection.sources.flatMap((source) => [...documents(source)]);
  if (first === undefined || !isScenario(first)) {
    return dumpStart(collection, protocol, rules, isAdverse);
  }
  return scenarioOf(options, stdin);
}

async function scenarioOf(options: InputOptions, stdin: Bytes): Promise<Start> {
  const [plan] = await gatherPlans(options, stdin);
  if (plan === undefined) throw MESSAGES.usage('the scenario has nothing to serve');
  return scenarioStart(plan);
}
