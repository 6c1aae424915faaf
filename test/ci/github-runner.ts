import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import picomatch from 'picomatch';
import { parse } from 'yaml';
import { temporaryFolder } from '../cli/run-cli.ts';
import { type Context, filledIn, isToRun } from './github-expressions.ts';

/** As much of GitHub's runner as our workflows need: it executes their steps on this machine. */

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface Runner {
  /** What is checked out. */
  readonly repository: string;
  /** Below it: of the runner and its artifacts. */
  readonly folder: string;
  /** Folders with an `action.yml`, by what `uses` calls them. */
  readonly actions: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

export interface JobRun {
  readonly job: string;
  readonly failed: boolean;
  readonly log: string;
  readonly summary: string;
  readonly workspace: string;
  /** Files handed to Code scanning. */
  readonly scans: readonly string[];
}

/** Runs the jobs of a workflow one after the other; one that needs a failed one is left out. */
export function runWorkflow(file: string, runner: Runner): readonly JobRun[] {
  const { jobs } = parse(readFileSync(file, 'utf8')) as { readonly jobs: Record<string, Job> };
  const runs: JobRun[] = [];
  for (const [name, job] of Object.entries(jobs)) {
    const needed = [job.needs ?? []].flat();
    const failed = needed.some((other) => runs.every((run) => run.job !== other || run.failed));
    if (!isToRun(job.if, {}, failed)) continue;
    const rows = matrixRows(job.strategy?.matrix ?? {});
    for (const [index, matrix] of rows.entries()) {
      const strategy = { 'job-index': index, 'job-total': rows.length };
      runs.push(new JobRunner(name, runner).run(job.steps, { matrix, strategy }));
    }
  }
  return runs;
}

function matrixRows(matrix: Readonly<Record<string, readonly string[]>>): readonly Context[] {
  return Object.entries(matrix).reduce<readonly Context[]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
}

type Outputs = Readonly<Record<string, string>>;

class JobRunner {
  readonly #job: string;
  readonly #runner: Runner;
  readonly #workspace: string;
  readonly #temp: string;
  readonly #scans: string[] = [];
  #log = '';
  #summary = '';

  constructor(job: string, runner: Runner) {
    this.#job = job;
    this.#runner = runner;
    this.#workspace = mkdtempSync(join(runner.folder, 'workspace-'));
    this.#temp = mkdtempSync(join(runner.folder, 'temp-'));
  }

  run(steps: readonly Step[], context: Context): JobRun {
    const { failed } = this.#steps(steps, {
      ...context,
      github: { sha: 'abc', ref: 'refs/pull/1/merge', run_id: '1', run_attempt: '1' },
      runner: { os: 'Linux', temp: this.#temp },
    });
    return {
      job: this.#job,
      failed,
      log: this.#log,
      summary: this.#summary,
      workspace: this.#workspace,
      scans: this.#scans,
    };
  }

  #steps(steps: readonly Step[], given: Context): { failed: boolean; context: Context } {
    let failed = false;
    const done: Record<string, { readonly outputs: Outputs }> = {};
    const context = { ...given, steps: done };
    for (const step of steps) {
      if (!isToRun(step.if, context, failed)) continue;
      const { ok, outputs } =
        step.run === undefined ? this.#used(step, context) : this.#script(step, context);
      if (step.id !== undefined) done[step.id] = { outputs };
      if (!ok) failed = true;
    }
    return { failed, context };
  }

  #script(step: Step, context: Context): { ok: boolean; outputs: Outputs } {
    const files = mkdtempSync(join(this.#temp, 'step-'));
    const file = (name: string, text = ''): string => {
      writeFileSync(join(files, name), text);
      return join(files, name);
    };
    const script = file('script.sh', filledIn(step.run, context));
    const output = file('output');
    const summary = file('summary');
    const env = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      filledIn(value, context),
    ]);
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', script],
      {
        cwd: this.#workspace,
        encoding: 'utf8',
        env: {
          ...this.#runner.env,
          GITHUB_OUTPUT: output,
          GITHUB_STEP_SUMMARY: summary,
          GITHUB_WORKSPACE: this.#workspace,
          RUNNER_TEMP: this.#temp,
          ...Object.fromEntries(env),
        },
      },
    );
    this.#log += stdout + stderr;
    this.#summary += readFileSync(summary, 'utf8');
    const lines = readFileSync(output, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const outputs = lines.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ]);
    return { ok: status === 0, outputs: Object.fromEntries(outputs) as Outputs };
  }

  #used(step: Step, context: Context): { ok: boolean; outputs: Outputs } {
    const uses = String(step.uses);
    const given = Object.fromEntries(
      Object.entries(step.with ?? {}).map(([name, value]) => [name, filledIn(value, context)]),
    );
    const own = this.#runner.actions[uses];
    if (own !== undefined) return this.#composite(own, given, context);
    const artifacts = join(this.#runner.folder, 'artifacts');
    const path = join(this.#workspace, given.path ?? '');
    switch (uses.replace(/@v\d+$/, '')) {
      case 'actions/checkout':
        cpSync(this.#runner.repository, this.#workspace, { recursive: true });
        return DONE;
      case 'actions/setup-node':
      case 'actions/cache':
        return DONE;
      case 'actions/upload-artifact': {
        if (!existsSync(path)) return { ...DONE, ok: false };
        cpSync(path, join(artifacts, given.name!, basename(path)));
        return DONE;
      }
      case 'actions/download-artifact': {
        const isWanted = picomatch(given.pattern!);
        mkdirSync(artifacts, { recursive: true });
        for (const name of readdirSync(artifacts).filter((found) => isWanted(found))) {
          cpSync(join(artifacts, name), path, { recursive: true });
        }
        return DONE;
      }
      case 'github/codeql-action/upload-sarif':
        this.#scans.push(readFileSync(join(this.#workspace, given.sarif_file!), 'utf8'));
        return DONE;
      default:
        throw new Error(`the workflow uses ${uses}, which nobody has told the runner about`);
    }
  }

  #composite(
    folder: string,
    given: Readonly<Record<string, string>>,
    { github, runner }: Context,
  ): { ok: boolean; outputs: Outputs } {
    const action = parse(readFileSync(join(folder, 'action.yml'), 'utf8')) as ActionFile;
    const unknown = Object.keys(given).filter((name) => !Object.hasOwn(action.inputs, name));
    if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
    const defaults = Object.entries(action.inputs).map(([name, input]) => [
      name,
      input.default ?? '',
    ]);
    const { failed, context } = this.#steps(action.runs.steps, {
      inputs: { ...Object.fromEntries(defaults), ...given },
      github: { ...(github as object), action_path: folder },
      runner,
    });
    const outputs = Object.entries(action.outputs).map(([name, { value }]) => [
      name,
      filledIn(value, context),
    ]);
    return { ok: !failed, outputs: Object.fromEntries(outputs) as Outputs };
  }
}

const DONE = { ok: true, outputs: {} } as const;

/** A workflow of one job with one step, which is our action with these inputs. */
export function workflowWith(inputs: Readonly<Record<string, string>>): string {
  const file = join(temporaryFolder(), 'workflow.yml');
  const steps = [{ uses: 'actions/checkout@v4' }, { id: 'gate', uses: './', with: inputs }];
  const jobs = { gate: { 'runs-on': 'ubuntu-latest', steps } };
  writeFileSync(file, JSON.stringify({ on: 'push', jobs }));
  return file;
}
