import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

/**
 * `node dist/bench/serve.js`: what one core of `reapcheck serve` answers, and the memory that
 * 10,000 objects take. CPU time is that of the server alone. It needs Linux, for /proc.
 */

const RATE_TARGET = 1_000;
const MEGABYTES_TARGET = 500;
const GROWTH_TARGET = 1.5;
const ROUNDS = 2_000;
const OBJECTS = 10_000;
const AT_ONCE = 16;
/** Of the clock in /proc. */
const TICKS_PER_SECOND = 100;

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const bin = fileURLToPath(new URL('../cli/main.js', import.meta.url));
/** Kinds that controllers look after. */
const WATCHED = [
  ['pods', { containers: [{ name: 'main', image: 'pause' }] }],
  [
    'persistentvolumeclaims',
    { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  ],
] as const;

const server = spawn(process.execPath, [bin, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  let kubeconfig = '';
  while (!kubeconfig.includes('server:')) {
    const [data] = await once(server.stdout, 'data');
    kubeconfig += String(data);
  }
  const url = kubeconfig.match(/server: (\S+)/)?.[1] ?? '';
  await measureRate(url);
  await measureMemory(url);
  await measureRate(url, ` with ${OBJECTS} objects`);
  for (const [plural, spec] of WATCHED) await measureGrowth(url, plural, spec);
} finally {
  server.kill();
  agent.destroy();
}

/** A round is create, read, patch and delete of one small object. */
async function measureRate(url: string, when = ''): Promise<void> {
  const round = async (index: number): Promise<void> => {
    const at = `${CONFIG_MAPS}/c${index}`;
    await send(url, 'POST', CONFIG_MAPS, configMap(`c${index}`));
    await send(url, 'GET', at);
    await send(url, 'PATCH', at, { data: { key: 'other' } });
    await send(url, 'DELETE', at);
  };
  await inParallel(200, round);
  const before = cpuSeconds();
  await inParallel(ROUNDS, round);
  const rate = (4 * ROUNDS) / (cpuSeconds() - before);
  say(
    `${rate.toFixed(0)} requests per CPU second${when}`,
    rate >= RATE_TARGET,
    `>= ${RATE_TARGET}`,
  );
}

async function measureMemory(url: string): Promise<void> {
  const before = cpuSeconds();
  await inParallel(OBJECTS, (index) =>
    send(url, 'POST', CONFIG_MAPS, configMap(`m${index}`)).then(() => {}),
  );
  const spent = cpuSeconds() - before;
  const list = await send(url, 'GET', CONFIG_MAPS);
  const { items } = JSON.parse(list) as { items: readonly unknown[] };
  if (items.length !== OBJECTS) throw new Error(`${items.length} objects`);
  const peak = Number(
    readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/)?.[1],
  );
  const megabytes = peak / 1_000;
  say(
    `${OBJECTS} objects: at most ${megabytes.toFixed(0)} MB, created in ${spent.toFixed(1)} CPU seconds`,
    megabytes <= MEGABYTES_TARGET,
    `<= ${MEGABYTES_TARGET} MB`,
  );
}

/** A create of one of these must not take longer the more of them there are. */
async function measureGrowth(url: string, plural: string, spec: object): Promise<void> {
  const spent: number[] = [];
  for (let thousand = 0; thousand < 4; thousand++) {
    const before = cpuSeconds();
    await inParallel(1_000, async (index) => {
      const name = `n${thousand}-${index}`;
      await send(url, 'POST', `/api/v1/namespaces/default/${plural}`, {
        metadata: { name },
        spec,
      });
    });
    spent.push(cpuSeconds() - before);
  }
  const [, second = 0, , last = 0] = spent;
  const figures = spent.map((seconds) => seconds.toFixed(2)).join(', ');
  say(
    `1,000 ${plural}, four times: ${figures} CPU seconds`,
    last <= GROWTH_TARGET * second,
    `the last at most ${GROWTH_TARGET} times the second`,
  );
}

function configMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { key: 'value' } };
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function send(url: string, method: string, path: string, body?: object): Promise<string> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { method, agent, ...(body === undefined ? {} : { headers: { 'content-type': type } }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          if ((response.statusCode ?? 500) < 300) resolve(text);
          else reject(new Error(`${method} ${path}: ${text}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** User and system time of the server. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function say(figure: string, met: boolean, target: string): void {
  process.stdout.write(`${figure}; target ${target}: ${met ? 'met' : 'MISSED'}\n`);
}
