import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { fleetCode } from '../../fleet/code.ts';
import { FLEET_ERRORS, refusedWrites } from '../../fleet/errors.ts';
import { packedAnswer, packedQuestion, readJob, readResult } from '../../fleet/jobs/job.ts';
import { redisAddress, withoutPassword } from '../../fleet/redis/address.ts';
import { Slots } from '../../fleet/slots.ts';
import { askedWalks } from '../../fleet/walks.ts';
import { gatherPlans } from '../../input/gather.ts';
import { gatherSurvey } from '../../input/gather-questions.ts';
import { inputOptions } from '../../input/options/input-options.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { CASCADES, type Plan } from '../../input/plan.ts';
import type { WalksQuestion } from '../../run/walks.ts';
import type { Workplace } from '../../run/workplace.ts';
import { errorLines, InputError } from '../../text/input-error.ts';
import { dump, expectError, runCli, temporaryFile } from '../cli/run-cli.ts';

const nothing = (): AsyncGenerator<Uint8Array> => (async function* () {})();

async function allPlans(): Promise<readonly Plan[]> {
  const scenarios = await gatherPlans(inputOptions({}), nothing());
  const museum = await gatherPlans(inputOptions({ museum: true }), nothing());
  const given = inputOptions({ input: [dump('survey.yaml')], rule: ['cycleBreaking=none'] });
  const roots = [...(await gatherSurvey(given, CASCADES, null, nothing()))];
  for (const name of ['gitops-waves.yaml', 'gitops-flux.yaml']) {
    const tools = inputOptions({ input: [dump(name)] });
    roots.push(...(await gatherSurvey(tools, ['background'], null, nothing())));
  }
  return [...scenarios, ...museum, ...roots.flatMap(({ plans }) => plans)];
}

it('every plan arrives as it was sent', async () => {
  for (const plan of await allPlans()) {
    const question = { plan, limits: { states: 5 }, reductions: [], again: 'again' };
    const { id, question: packed } = await packedQuestion('cell', question);
    const read = await readJob('cell', id, { seconds: null, question: packed });
    expect(read).toEqual({ kind: 'cell', question, seconds: null });
    expect(JSON.stringify(read.question)).toBe(JSON.stringify(question));
  }
});

it('a job with a field more, or of another digest, is refused', async () => {
  const [plan] = await gatherPlans(inputOptions({ input: ['background-chain'] }), nothing());
  const question = { plan, limits: {}, reductions: [], again: '' };
  const read = async (changed: object, other?: string) => {
    const { id, question: packed } = await packedQuestion('cell', changed);
    return readJob('cell', other ?? id, { seconds: null, question: packed });
  };
  await expect(read(question)).resolves.toBeDefined();
  await expect(read({ ...question, module: './evil.js' })).rejects.toThrow(/schema/);
  await expect(read({ ...question, plan: { ...plan, load: 'x' } })).rejects.toThrow(/at plan/);
  await expect(read({ ...question, limits: { states: -1 } })).rejects.toThrow(/at limits.states/);
  await expect(read(question, 'cell-00')).rejects.toThrow(/digest/);
});

it('a question that is nested too deeply is refused before it is parsed', async () => {
  const read = async (json: string) => {
    const id = `cell-${createHash('sha256').update(json).digest('hex')}`;
    return readJob('cell', id, { seconds: null, question: gzipSync(json).toString('base64') });
  };
  await expect(read('['.repeat(300))).rejects.toThrow('its question is nested too deeply');
  await expect(read(`{"plan":${'{"a":'.repeat(300)}`)).rejects.toThrow(/nested too deeply/);
  // Brackets in texts are no levels.
  await expect(read(JSON.stringify(`\\"${'[{"'.repeat(300)}`))).rejects.toThrow(/schema/);
  await expect(read('{')).rejects.toThrow('its question is no JSON');
});

it('an answer to another question is refused', async () => {
  const answer = { kind: 'failed', message: 'no' };
  const result = await packedAnswer('cell', 'cell-1', answer);
  await expect(readResult('cell', 'cell-1', result)).resolves.toMatchObject({ answer });
  await expect(readResult('cell', 'cell-2', result)).rejects.toThrow(/another job/);
  await expect(readResult('survey', 'cell-1', result)).rejects.toThrow(/schema/);
  await expect(readResult('cell', 'cell-1', { ...result, extra: 1 })).rejects.toThrow(/schema/);
});

it('a worker that is ending starts no process for a job that still arrives', async () => {
  const redis = redisAddress('redis', 'redis://localhost', {});
  const facts = { slots: 1, redis, silentSeconds: 30, awaySeconds: 300 };
  const slots = new Slots(facts, fleetCode(), null);
  slots.stop();
  const told = await slots.answer({ kind: 'cell', question: {}, seconds: null });
  expect(told).toEqual({ reply: 'died', why: 'its worker is ending' });
});

it('reads the URL of a Redis, and never shows its password', () => {
  const address = redisAddress('fleet', 'rediss://me:p%40ss@queue.example/3', {});
  expect(address).toEqual({
    ...{ host: 'queue.example', port: 6379, db: 3, username: 'me', password: 'p@ss', tls: true },
    shown: 'rediss://queue.example:6379/3',
  });
  expect(withoutPassword('WRONG p@ss', address)).toBe('WRONG ***');
  const env = { REAPCHECK_REDIS_PASSWORD: 'other' };
  expect(redisAddress('fleet', 'redis://[::1]:1', env)).toMatchObject({
    ...{ host: '::1', password: 'other', shown: 'redis://[::1]:1' },
  });
  for (const wrong of [
    's3cret',
    'http://s3cret@x',
    'redis://:s3cret@',
    'redis://h/s3cret?x=s3cret',
  ]) {
    try {
      redisAddress('fleet', wrong, {});
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      expect(JSON.stringify((error as InputError).text)).not.toContain('s3cret');
    }
  }
});

it.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'give a host name that it has'],
  ['CERT_HAS_EXPIRED', 'renew the certificate'],
  ['ECONNREFUSED', 'check the address'],
])('says what to do about %s', (code, next) => {
  const { text } = FLEET_ERRORS.notThere('rediss://queue.example:6379', 2, code);
  expect(text.next).toContain(next);
});

it('what Redis says is in plain words and fits into a line', () => {
  const at = 'redis://queue.example:6379';
  const help = 'HELLO must be called with the client already authenticated, otherwise not at all';
  const errors = [
    FLEET_ERRORS.refused(at, `NOAUTH ${help}`),
    refusedWrites(at, 60, `MISCONF ${help}`),
    refusedWrites(at, 60, `READONLY ${help}`),
    FLEET_ERRORS.noWorker(at, 60, '0.1.0', 4),
  ];
  const lines = errors.flatMap(({ text }) => errorLines(text));
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(lines).toContain(
    `error: Redis at ${at} refuses reapcheck: it asks for a password (NOAUTH)`,
  );
  expect(lines).toContain('  there are 4 workers of other versions');
});

it('user modules are refused: they are code', async () => {
  const words = ['simulate', './model.ts', '--fleet', 'redis://queue.example'];
  expectError(await runCli(words), /--fleet does not take .\/model.ts: a module is code/);
});

it('who waits for walks learns how many questions have their answers', async () => {
  const answers: ((json: string) => void)[] = [];
  const answerer = {
    ask: () =>
      new Promise((resolve) => {
        answers.push((json) => resolve({ reply: 'answer', answer: { json } }));
      }),
    stop: () => undefined,
  };
  const place = { megabytes: null, answerers: () => [answerer, answerer] } as unknown as Workplace;
  const question = {} as WalksQuestion;
  const [first, second] = askedWalks(place, [question, question]);
  const seen: number[] = [];
  const report = first?.(
    () => false,
    (answered) => {
      seen.push(answered);
      answers[seen.length === 1 ? 1 : 0]?.(`${seen.length}`);
    },
  );
  await expect(report).resolves.toBe(2);
  expect(seen).toEqual([0, 1]);
  await expect(second?.(() => false, seen.push)).resolves.toBe(1);
});

it('options that contradict a fleet are refused', async () => {
  const fleet = ['--fleet', 'redis://queue.example'];
  expectError(await runCli(['gate', '--processes', '2', ...fleet]), /--processes says nothing/);
  expectError(await runCli(['survey', dump('survey.yaml'), '--fleet-wait', '3']), /--fleet-wait/);
  expectError(await runCli(['fleet', 'worker']), /needs --redis/);
  expectError(await runCli(['fleet', 'worker', '--redis', 'nowhere']), /takes the URL of a Redis/);
});

it('without its packages, a fleet says how to install them', () => {
  const hook = temporaryFile(
    'hook.cjs',
    `const modules = require('node:module');
     const resolve = modules._resolveFilename;
     modules._resolveFilename = (name, ...more) => {
       if (name !== 'bullmq') return resolve(name, ...more);
       throw Object.assign(new Error("Cannot find module 'bullmq'"), { code: 'MODULE_NOT_FOUND' });
     };`,
  );
  const main = join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js');
  const words = [main, 'fleet', 'worker', '--redis', 'redis://queue.example'];
  const found = spawnSync(process.execPath, ['--require', hook, ...words], { encoding: 'utf8' });
  expect(found.stderr).toMatch(
    /^error: a fleet needs the package bullmq, which is not installed\n/,
  );
  expect(found.stderr).toContain('npm install bullmq@6 ioredis@6');
  expect(found.status).toBe(2);
});
