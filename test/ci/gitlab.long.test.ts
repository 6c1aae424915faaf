import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { installedPackage } from '../installed.ts';
import { type Checkout, checkout, pathWith, withDrift } from './checkout.ts';

const EXAMPLE = join(PACKAGE_FOLDER, 'examples', 'gitlab', '.gitlab-ci.yml');

const INSTALLED = installedPackage();

/** The keywords that the example uses, as GitLab's reference has them; no other is let through. */
const jobSchema = z.strictObject({
  stage: z.string(),
  parallel: z.int().min(2).max(200).optional(),
  when: z.enum(['on_success', 'on_failure', 'always', 'manual']).optional(),
  cache: z.strictObject({ key: z.string(), paths: z.array(z.string()) }).optional(),
  script: z.array(z.string()),
  artifacts: z.strictObject({
    when: z.enum(['on_success', 'on_failure', 'always']).optional(),
    paths: z.array(z.string()),
    expire_in: z.string().optional(),
    reports: z.strictObject({ junit: z.string() }).optional(),
  }),
});

const pipelineSchema = z
  .object({
    variables: z.record(z.string(), z.string()),
    default: z.strictObject({ image: z.string(), before_script: z.array(z.string()) }),
    stages: z.array(z.string()),
  })
  .catchall(jobSchema);

type Pipeline = z.output<typeof pipelineSchema>;

interface JobRun {
  readonly job: string;
  readonly status: number | null;
  readonly log: string;
  /** The test report that GitLab shows. */
  readonly junit: string | null;
}

function pipeline(): Pipeline {
  return pipelineSchema.parse(parse(readFileSync(EXAMPLE, 'utf8')));
}

/** Runs the jobs in order of the stages, each in a checkout of its own. */
function runPipeline(
  { repository, folder, env }: Checkout,
  { variables, default: defaults, stages, ...rest }: Pipeline,
): readonly JobRun[] {
  const jobs = rest as unknown as Readonly<Record<string, z.output<typeof jobSchema>>>;
  const artifacts = join(folder, 'artifacts');
  mkdirSync(artifacts);
  const runs: JobRun[] = [];
  for (const stage of stages) {
    for (const [name, job] of Object.entries(jobs).filter(([, found]) => found.stage === stage)) {
      if (runs.some(({ status }) => status !== 0) && job.when !== 'always') continue;
      const count = job.parallel ?? 1;
      for (let index = 1; index <= count; index += 1) {
        const project = mkdtempSync(join(folder, 'project-'));
        cpSync(repository, project, { recursive: true });
        cpSync(artifacts, project, { recursive: true });
        const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail'], {
          cwd: project,
          encoding: 'utf8',
          input: [...defaults.before_script, ...job.script].join('\n'),
          env: {
            ...env,
            ...variables,
            CI: 'true',
            GITLAB_CI: 'true',
            ...(count > 1 ? { CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(count) } : {}),
          },
        });
        for (const file of filesIn(project, job.artifacts.paths)) {
          if (status === 0 || job.artifacts.when === 'always')
            cpSync(file, join(artifacts, basename(file)));
        }
        const junit = job.artifacts.reports?.junit;
        const report = junit === undefined ? null : join(project, junit);
        runs.push({
          job: name,
          status,
          log: stdout + stderr,
          junit: report !== null && existsSync(report) ? readFileSync(report, 'utf8') : null,
        });
      }
    }
  }
  return runs;
}

function filesIn(project: string, patterns: readonly string[]): readonly string[] {
  const script = `shopt -s nullglob; cd "${project}"; printf '%s\\n' ${patterns.join(' ')}`;
  const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((name) => name !== '')
    .map((name) => join(project, name))
    .filter(existsSync);
}

/** npx, which itself takes as long as a part. */
const NPX = '[ "$1" = --no-install ] || exit 9; shift; exec "node_modules/.bin/$@"';

/** A project for which `npm install` puts our package where it puts packages. */
function project(npx: string | null = NPX): Checkout {
  const given = checkout(INSTALLED);
  const bin = 'node_modules/.bin';
  const npm = `echo npm "$@"
    mkdir -p ${bin} && ln -s "${join(INSTALLED, 'dist', 'cli', 'main.js')}" ${bin}/reapcheck
    chmod +x ${bin}/reapcheck`;
  return { ...given, env: { ...given.env, PATH: pathWith({ npm, ...(npx && { npx }) }) } };
}

describe('the example for GitLab', () => {
  it('runs the parts, joins them, and is green where all is as pinned', () => {
    const runs = runPipeline(project(), pipeline());
    expect(runs.map(({ job, status }) => [job, status])).toEqual([
      ['cells', 0],
      ['cells', 0],
      ['cells', 0],
      ['verdict', 0],
    ]);
    expect(runs[0]!.log).toMatch(/^npm install .*git\+https:\/\/github.com\/OWNER\/reapcheck/);
    const [counts] = runs[3]!.junit!.match(/<testsuites [^>]*>/)!;
    expect(counts).toMatch(/ tests="[1-9]\d*"/);
    expect(counts).toMatch(/ failures="0"/);
  });

  it('fails on drift, with a test report', () => {
    const given = project();
    withDrift(given);
    const { cells, ...rest } = pipeline();
    const inTwo = { ...(cells as z.output<typeof jobSchema>), parallel: 2 };
    const runs = runPipeline(given, { ...rest, cells: inTwo } as unknown as Pipeline);
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 1]);
    expect(runs[2]!.junit).toMatch(/<failure [^>]*shrank/);
  });

  it('fails where a part is missing', () => {
    const { cells, ...rest } = pipeline();
    const broken = { ...(cells as z.output<typeof jobSchema>), script: ['exit 9'] };
    const runs = runPipeline(project(null), { ...rest, cells: broken } as unknown as Pipeline);
    expect(runs.map(({ status }) => status)).toEqual([9, 9, 9, 2]);
    expect(runs[3]!.log).toMatch(/there is no file shard-\*\.json/);
  });
});
