import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { temporaryFile } from '../cli/run-cli.ts';
import { installedPackage } from '../installed.ts';
import { checkout, program, withDrift } from './checkout.ts';
import { type Runner, runWorkflow, workflowWith } from './github-runner.ts';

interface Validator {
  validateAction(text: string): { readonly errors: readonly unknown[] };
  validateWorkflow(text: string): { readonly errors: readonly unknown[] };
}

const validator = createRequire(import.meta.url)('@action-validator/core') as Validator;

const ACTION = join(PACKAGE_FOLDER, 'action.yml');
const OWN = join(PACKAGE_FOLDER, '.github', 'workflows', 'ci.yml');
const EXAMPLE = join(PACKAGE_FOLDER, 'examples', 'github', 'reapcheck.yml');

const INSTALLED = installedPackage();

function runner(actions: Runner['actions']): Runner {
  return { ...checkout(INSTALLED), actions };
}

const exampleRunner = () => runner({ 'OWNER/reapcheck@REF': INSTALLED });

describe('the files for GitHub', () => {
  it('are what GitHub takes', () => {
    expect(validator.validateAction(readFileSync(ACTION, 'utf8')).errors).toEqual([]);
    for (const file of [OWN, EXAMPLE, workflowWith({})]) {
      expect(validator.validateWorkflow(readFileSync(file, 'utf8')).errors).toEqual([]);
    }
  });

  it('use every input of the action, and no other; none of them in a script', () => {
    const text = readFileSync(ACTION, 'utf8');
    const declared = text.slice(text.indexOf('inputs:'), text.indexOf('outputs:'));
    const names = [...declared.matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name);
    const used = [...text.matchAll(/\binputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(names));
    const page = readFileSync(join(PACKAGE_FOLDER, 'docs', 'ci.md'), 'utf8');
    const table = page.slice(page.indexOf('| input |'), page.indexOf('| output |'));
    expect([...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name)).toEqual(names);
    for (const [script] of text.matchAll(/run: \|\n(?: {8}.*\n|\n)+/g)) {
      expect(script).not.toContain('${{');
    }
  });
});

describe('the example', () => {
  it('runs the parts, joins them, and is green where all is as pinned', () => {
    const runs = runWorkflow(EXAMPLE, exampleRunner());
    expect(runs.map(({ job, failed }) => [job, failed])).toEqual([
      ['cells', false],
      ['cells', false],
      ['cells', false],
      ['verdict', false],
    ]);
    const verdict = runs[3]!;
    expect(verdict.summary).toMatch(/reapcheck/);
    expect(verdict.scans).toHaveLength(1);
    expect(JSON.parse(verdict.scans[0]!)).toMatchObject({ version: '2.1.0' });
  });

  it('fails on drift, with an annotation, a summary and a scan', () => {
    const given = exampleRunner();
    withDrift(given);
    const inOne = readFileSync(EXAMPLE, 'utf8').replace(/shard: \[.*\]/, "shard: ['1/1']");
    const runs = runWorkflow(temporaryFile('in-one.yml', inOne), given);
    expect(runs.map(({ failed }) => failed)).toEqual([false, true]);
    const { log, summary, scans } = runs[1]!;
    expect(log).toMatch(/^::error file=models\/chain\.yaml,line=\d+,title=.*states/m);
    expect(summary).toMatch(/shrank/);
    expect(scans).toHaveLength(1);
  });
});

describe("the project's own workflow", () => {
  it('runs the tests and the gate', () => {
    const runs = runWorkflow(OWN, runner({ './': INSTALLED }));
    expect(runs.map(({ job, failed }) => [job, failed])).toEqual([
      ['tests', false],
      ['tests', false],
      ['tests', false],
      ['gate', false],
    ]);
    expect(runs[0]!.log).toBe('the tests of the repository\n');
    expect(runs[3]!.log).toMatch(/3 cells/);
  });
});

describe('the action', () => {
  it('takes suite, reports and further options as they are given', () => {
    const given = runner({ './': INSTALLED });
    const suite = 'my models/$(touch here).suite.yaml';
    mkdirSync(join(given.repository, 'my models'));
    writeFileSync(join(given.repository, suite), 'groups: [{scenarios: [dangling-owner]}]');
    const report = 'junit=gate.xml\nitf=not made.itf.json\n';
    const [run] = runWorkflow(workflowWith({ suite, report, args: '--processes\n1' }), given);
    expect(run!.failed).toBe(true);
    expect(run!.log).toMatch(/new cell/);
    expect(existsSync(join(run!.workspace, 'here'))).toBe(false);
    expect(readFileSync(join(run!.workspace, 'gate.xml'), 'utf8')).toMatch(/<testsuites/);
  });

  it('takes another reapcheck, and says so where it is not built', () => {
    const given = runner({ './': INSTALLED });
    const [wrong] = runWorkflow(workflowWith({ path: 'nowhere' }), given);
    expect(wrong).toMatchObject({ failed: true });
    expect(wrong!.log).toMatch(/^::error::there is no dist\/cli\/main\.js in nowhere/m);
    program(join(given.repository, 'other', 'dist', 'cli', 'main.js'), '');
    writeFileSync(
      join(given.repository, 'other', 'dist', 'cli', 'main.js'),
      'console.log("other", ...process.argv.slice(2))',
    );
    const [other] = runWorkflow(workflowWith({ path: 'other', shard: '1/2' }), given);
    expect(other!.log).toMatch(/^other gate --shard 1\/2 --output reapcheck-shard-1-of-2\.json/m);
  });
});
