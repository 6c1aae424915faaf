import { readFile } from 'node:fs/promises';
import { readCollection } from '../input/collections/collection.ts';
import type { SourceDocument } from '../input/documents/document.ts';
import { documents } from '../input/documents/documents.ts';
import type { Bytes } from '../input/documents/source.ts';
import { gatherPlans, isFile } from '../input/gather.ts';
import type { InputOptions } from '../input/options/input-options.ts';
import { builtInScenarios } from '../input/package-files.ts';
import { CLUSTER_PROTOCOL, overridesAnything } from '../input/plan.ts';
import { readProtocol, withRule } from '../input/scenarios/protocol.ts';
import { isScenario } from '../input/scenarios/scenario.ts';
import { deletionModel } from '../model/index.ts';
import type { LoadModule } from '../run/authored/authored.ts';
import { clusterRunOf } from '../run/authored/cluster-runs.ts';
import { moduleOf } from '../run/authored/tokens.ts';
import { TOKEN_ERRORS } from '../run/tokens/errors.ts';
import { planOfToken } from '../run/tokens/plan.ts';
import { runOfToken, type Token } from '../run/tokens/token.ts';
import { MESSAGES } from '../text/messages.ts';
import { ControllerAudit } from './audit/controllers.ts';
import { AuditLog, type AuditSink } from './audit/events.ts';
import { type Body, isBody } from './cluster/body.ts';
import { ServedCluster } from './cluster/cluster.ts';
import type { Naming } from './http/context.ts';
import { namingOf } from './http/naming.ts';
import { type ServerOptions, serverOf } from './http/server.ts';
import { type PlayedArguments, playedByClient } from './played.ts';
import { Recording } from './record/record.ts';
import { type ScheduleName, scheduleOf } from './schedule/choose.ts';
import { ReplaySchedule } from './schedule/replay.ts';
import type { KnownRun } from './schedule/run-calls.ts';
import type { Schedule } from './schedule/schedule.ts';
import { dumpStart, emptyStart, runStart, type Start, scenarioStart } from './start.ts';

export interface Beginning extends PlayedArguments {
  /** At most one input: a dump, or a scenario by name or file. */
  readonly options: InputOptions;
  readonly schedule: ScheduleName;
  readonly address: string;
  /** Gets the lines of an audit log. Null: there is none. */
  readonly auditSink: AuditSink | null;
  /** Gets sentences on the run of a token: where it waits, where a client leaves it. */
  readonly say: (text: string) => void;
  readonly onDefect: ServerOptions['onDefect'];
  /** File that keeps the run as a scenario. Absent: none. */
  readonly record?: string;
  /** Loads the module that a token names. */
  readonly load: LoadModule;
}

/** Reads the input and makes the server, which does not listen yet. Throws `InputError`. */
export async function beginServing(given: Beginning, stdin: Bytes) {
  const { start, run } = await startOf(given, stdin);
  const audit = given.auditSink === null ? null : new AuditLog(given.auditSink);
  const controllers = audit === null ? null : new ControllerAudit(audit);
  const { setup, objects, bodies } = start;
  const record = recordOf(given, start);
  const observer = record?.recorder ?? null;
  const cluster = new ServedCluster(setup, objects, bodies, Date.now, controllers, observer);
  record?.begin(cluster);
  const { schedule, naming } = conducted(given, cluster, run);
  const app = serverOf({
    cluster,
    schedule,
    protocol: start.protocol,
    address: given.address,
    naming,
    audit,
    onDefect: given.onDefect,
  });
  schedule.wake();
  return { app, schedule, record, protocol: start.protocol, warnings: start.warnings };
}

/** Throws `InputError` for a schedule that is a record itself. */
function recordOf(given: Beginning, { protocol, scenario }: Start): Recording | null {
  const { record, options, schedule } = given;
  if (record === undefined) return null;
  if (schedule.is === 'token') {
    throw MESSAGES.usage('--record has no effect with a token, which is a record of a run itself');
  }
  const { rules } = options.overrides;
  const seed = schedule.is === 'seed' ? `:${schedule.seed}` : '';
  const isOfFile = options.overrides.protocol === undefined;
  return new Recording(record, {
    scenario,
    protocol,
    rules: {
      ...(isOfFile ? (scenario?.rules as Readonly<Record<string, string>> | undefined) : {}),
      ...Object.fromEntries(rules.map(({ name, value }) => [name, value])),
    },
    words: `reapcheck serve with the schedule ${schedule.is}${seed}`,
  });
}

/** The schedule, and the names that go with it. */
function conducted(
  { schedule: name, say }: Beginning,
  cluster: ServedCluster,
  run: KnownRun | null,
): { readonly schedule: Schedule; readonly naming: Naming } {
  if (name.is !== 'token') {
    const naming = namingOf(name.is === 'seed' ? name.seed : null);
    return { schedule: scheduleOf(name, cluster), naming };
  }
  if (run === null) throw new Error('a token has a run');
  const schedule = new ReplaySchedule(cluster, run, say);
  const naming = namingOf(null);
  const newUid: Naming['newUid'] = (kind, body) =>
    schedule.uidFor(kind, body) ?? naming.newUid(kind, body);
  return { schedule, naming: { ...naming, newUid } };
}

interface Beginnings {
  readonly start: Start;
  /** The run that the schedule repeats. Null: none. */
  readonly run: KnownRun | null;
}

async function startOf(given: Beginning, stdin: Bytes): Promise<Beginnings> {
  const { options, schedule } = given;
  if (schedule.is !== 'token') {
    if (given.plays !== undefined) {
      throw MESSAGES.usage('--plays has no effect without --schedule TOKEN');
    }
    return { start: await inputOf(given, stdin), run: null };
  }
  if (options.inputs.length > 0 || overridesAnything(options.overrides)) {
    throw MESSAGES.usage(
      'a token already determines the model',
      'remove the input and the options that change the model',
    );
  }
  const { setup, protocol, warnings, ...run } = await runOf(given, schedule.token, stdin);
  const played = given.plays === undefined ? setup : playedByClient(setup, given.plays.controller);
  return {
    start: runStart(played, protocol, warnings),
    run: { setup, ...run, ...(given.plays === undefined ? {} : { played: given.plays }) },
  };
}

async function runOf({ options, load }: Beginning, token: Token, stdin: Bytes) {
  const file = moduleOf(token);
  if (file !== null) {
    const { setup, protocol, states, actions } = await clusterRunOf(token, file, load);
    return { setup, protocol, warnings: [], states, actions };
  }
  const { setup, protocol, warnings } = await planOfToken(token, options, stdin);
  const { states, actions, stopped } = runOfToken(deletionModel(setup), token);
  if (stopped !== null) throw TOKEN_ERRORS.tokenStops(actions.length + 1, stopped);
  return { setup, protocol, warnings, states, actions };
}

async function inputOf({ options, schedule }: Beginning, stdin: Bytes): Promise<Start> {
  const [input, ...more] = options.inputs;
  if (more.length > 0) throw MESSAGES.usage('serve takes one dump or one scenario');
  const { overrides } = options;
  const protocol = overrides.protocol ?? CLUSTER_PROTOCOL;
  let rules = readProtocol(protocol);
  for (const { name, value } of overrides.rules) rules = withRule(rules, name, value);
  const isAdverse = schedule.is === 'seed';
  if (input === undefined) return emptyStart(protocol, rules, isAdverse);
  if (!isFile(input)) return scenarioOf(options, stdin, null);
  const collection = await readCollection(options.inputs, stdin, options);
  const [first] = collection.sources.flatMap((source) => [...documents(source)]);
  if (first === undefined || !isScenario(first)) {
    return dumpStart(collection, protocol, rules, isAdverse);
  }
  return scenarioOf(options, stdin, bodyOf(first));
}

/** @param given the scenario in its file. Null: it is built in. */
async function scenarioOf(options: InputOptions, stdin: Bytes, given: Body | null): Promise<Start> {
  const [plan] = await gatherPlans(options, stdin);
  if (plan === undefined) throw MESSAGES.usage('the scenario has nothing to serve');
  const [input = ''] = options.inputs;
  return scenarioStart(plan.setup, plan.protocol, plan.warnings, given ?? (await builtIn(input)));
}

async function builtIn(name: string): Promise<Body> {
  const file = (await builtInScenarios()).get(name);
  if (file === undefined) throw MESSAGES.usage(`${name} is no scenario that can be served`);
  const [document] = documents({ file, text: await readFile(file, 'utf8') });
  return bodyOf(document);
}

function bodyOf(document: SourceDocument | undefined): Body {
  if (!isBody(document?.value)) throw new Error('a scenario is a mapping');
  return document.value;
}
