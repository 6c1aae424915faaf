import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { progressBar } from '../../cli/commands/survey.ts';
import { mergedRows } from '../../report/answer/survey-words.ts';
import {
  type ResultDocument,
  resultDocumentSchema,
} from '../../report/document/result-document.ts';
import type { SurveyRow } from '../../report/document/survey.ts';
import { dump, runCli, temporaryFolder } from '../cli/run-cli.ts';
import { countingWork } from '../clock.ts';
import { expectGoldenFile } from '../report/golden-file.ts';

const DUMP = dump('survey.yaml');

/** Long enough on any machine, so that only the model decides. */
const PATIENT = ['--row-timeout', '3600', '--timeout', '3600'];

/** To start a process takes longer than its rows. */
const ONE_PROCESS = ['--processes', '1'];

async function survey(...words: readonly string[]) {
  const times = words.includes('--timeout') ? [] : PATIENT;
  const processes = words.includes('--processes') ? [] : ONE_PROCESS;
  const line = ['survey', DUMP, ...times, ...processes, ...words, '--format', 'json'];
  const { code, stdout, stderr } = await runCli(line);
  expect(stderr).toBe('');
  const document: ResultDocument = JSON.parse(stdout);
  expect(resultDocumentSchema.safeParse(document).error).toBeUndefined();
  return { code, document, rows: document.answer?.survey ?? [] };
}

function verdicts(rows: readonly SurveyRow[]) {
  return rows.map(({ object, cascade, verdict }) => `${object} ${cascade} ${verdict}`);
}

describe('surveying root objects', () => {
  it('judges each root and policy, whatever the number of processes, and prints what is not plain', async () => {
    const text = join(temporaryFolder(), 'survey.txt');
    const { rows, code } = await survey('--processes', '1', '--report', `text=${text}`);
    // What has something to say, worst first; the rest is counted.
    const told = readFileSync(text, 'utf8').replaceAll(text, 'survey.txt');
    expectGoldenFile('survey.txt', told.replaceAll(DUMP, 'dump.yaml'));
    expect(code).toBe(1);
    expect(verdicts(rows)).toEqual([
      ...['plain-1', 'plain-2'].flatMap((name) =>
        ['background', 'foreground', 'orphan'].map((one) => `ConfigMap/${name}.shop ${one} plain`),
      ),
      'ConfigMap/settings.infra background plain',
      'ConfigMap/settings.infra foreground hangs',
      'ConfigMap/settings.infra orphan plain',
      'StatefulSet.apps/db.shop background unexpected',
      'StatefulSet.apps/db.shop foreground unexpected',
      'StatefulSet.apps/db.shop orphan plain',
      'Secret/held.shop background open',
      'Secret/held.shop foreground open',
      'Secret/held.shop orphan open',
    ]);
    const { rows: again } = await survey('--processes', '2');
    expect(again).toEqual(rows);
  });

  it('knows of controllers that delete what an orphaning deletion leaves', async () => {
    const file = dump('owners-of-finalizers.yaml');
    const words = ['survey', file, '--namespace', 'fleet', '--cascade', 'orphan', ...PATIENT];
    const { stdout } = await runCli([...words, ...ONE_PROCESS, '--format', 'json']);
    const { answer } = JSON.parse(stdout) as ResultDocument;
    const row = answer?.survey?.find(
      ({ object, cascade }) => object.endsWith('/md-1.fleet') && cascade === 'orphan',
    );
    expect(row?.open).toContain('AWSMachine.infrastructure.cluster.x-k8s.io/md-1.fleet');
    expect(row?.why.join()).toMatch(/also if the DELETE says orphan/);
  });

  it('looks anew at what is around what a policy leaves', async () => {
    const words = ['survey', dump('adopted.yaml'), '--namespace', 'shop', ...PATIENT];
    const cascades = [...ONE_PROCESS, '--cascade', 'background', '--cascade', 'orphan'];
    const { stdout } = await runCli([...words, ...cascades, '--format', 'json']);
    const { answer } = JSON.parse(stdout) as ResultDocument;
    expect(verdicts(answer?.survey ?? [])).toEqual([
      'ReplicaSet.apps/old.shop background plain',
      'ReplicaSet.apps/old.shop orphan open',
      'ReplicaSet.apps/new.shop background plain',
      'ReplicaSet.apps/new.shop orphan plain',
      'Deployment.apps/api.shop background plain',
      'Deployment.apps/api.shop orphan open',
      'Deployment.apps/api-next.shop background plain',
      'Deployment.apps/api-next.shop orphan plain',
      'ReplicationController/shrinking.shop background plain',
      'ReplicationController/shrinking.shop orphan plain',
    ]);
  });

  it('names a command that gives the exit code of the row, and replays a risk of it', async () => {
    const { rows } = await survey('--cascade', 'foreground', '--namespace', 'infra');
    expect(rows).toHaveLength(1);
    const [row] = rows;
    const [program, ...words] = row?.command.split(' ') ?? [];
    expect(program).toBe('reapcheck');
    const { code } = await runCli(words);
    expect(code).toBe(row?.exitCode);
    expect(code).toBe(1);
    const token = row?.risks.find((risk) => risk.token !== null)?.token ?? '';
    const replayed = await runCli(['replay', token]);
    expect(replayed).toMatchObject({ stderr: '', code: 0 });
  });

  it('hands over what the options say of the cluster', async () => {
    const { rows, code } = await survey(
      ...['--namespace', 'shop', '--cascade', 'background'],
      ...['--cooperative-finalizer', 'example.com/hold'],
    );
    const held = rows.find(({ object }) => object === 'Secret/held.shop');
    expect(held?.verdict).toBe('plain');
    expect(held?.command).toContain('--cooperative-finalizer example.com/hold');
    expect(code).toBe(0);
  });

  it('is never green for what it had no time for', async () => {
    countingWork(0.01);
    const { rows, code } = await survey('--timeout', '0.001', '--cascade', 'background');
    expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(['open']));
    expect(code).toBe(3);
    // One row for all that it did not come to.
    const merged = mergedRows(rows).flatMap((row) => [row.object, ...row.why]);
    expect(merged.filter((words) => words.includes('--timeout'))).toHaveLength(1);
    expect(merged.filter((words) => /^\d+ root objects: /.test(words))).toHaveLength(1);
  });

  it('has a test case for each row in JUnit and Markdown', async () => {
    const page = join(temporaryFolder(), 'survey.md');
    const words = ['survey', DUMP, '-n', 'infra', ...ONE_PROCESS, '--format', 'junit'];
    const { stdout } = await runCli([...words, '--report', `markdown=${page}`]);
    expect(stdout.match(/<testcase /g)).toHaveLength(3);
    expect(stdout.match(/<failure /g)).toHaveLength(1);
    const markdown = readFileSync(page, 'utf8');
    expect(markdown).toContain('ConfigMap/settings.infra');
    expect(markdown).toContain('reapcheck delete');
  });

  it('rejects a policy that does not exist', async () => {
    const { code, stderr } = await runCli(['survey', DUMP, '--cascade', 'none']);
    expect(stderr).toContain('--cascade');
    expect(code).toBe(2);
  });

  it('shows how far it is', () => {
    expect(progressBar(12, 40)).toBe('[#########---------------------] 12 of 40 objects');
    expect(progressBar(1, 1)).toBe(`[${'#'.repeat(30)}] 1 of 1 object`);
  });
});
