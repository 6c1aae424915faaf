import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditTail } from '../../live/recording/audit-tail.ts';
import { type Outcome, runCli } from '../cli/run-cli.ts';
import {
  CONFIG_MAPS,
  configMap,
  family,
  SECRETS,
  serving,
  type TestServer,
} from '../serve/server.ts';
import { clusterAt, frontOf, status, temporary } from './cluster.ts';

const SHOP = 'test/dumps/shop.yaml';

interface Recording extends Outcome {
  readonly folder: string;
  readonly files: readonly string[];
  readonly notes: {
    readonly kinds: readonly string[];
    readonly gaps: readonly string[];
    readonly notRecorded: readonly { readonly what: string }[];
    readonly parts: readonly { readonly changes: number; readonly objectsAtStart: number }[];
  };
}

/** Records while something happens, until Ctrl-C. */
async function recorded(
  server: Pick<TestServer, 'until'>,
  words: readonly string[],
  happening: (folder: string) => Promise<void>,
): Promise<Recording> {
  const folder = join(temporary(), 'recording');
  let interrupt = (): void => undefined;
  const running = runCli(['record', ...words, '--out', folder], {
    onListen: (callback) => {
      interrupt = callback;
    },
  });
  let isOver = false;
  void running.finally(() => {
    isOver = true;
  });
  // All that was there at the start is written at once when the watches begin.
  await server.until(async () => isOver || begunIn(folder) > 0);
  if (!isOver) await happening(folder);
  interrupt();
  const outcome = await running;
  const notes = JSON.parse(readFileSync(join(folder, 'recording.txt'), 'utf8'));
  return { ...outcome, folder, files: readdirSync(folder).sort(), notes };
}

/** Parts that have begun. */
function begunIn(folder: string): number {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith('part-'))
      .filter((name) => statSync(join(folder, name)).size > 0).length;
  } catch {
    return 0;
  }
}

/** Deletes things in several ways. */
async function deletions(server: TestServer): Promise<void> {
  const web = '/apis/apps/v1/namespaces/shop/deployments/web';
  await server.send('DELETE', web, { propagationPolicy: 'Foreground' });
  await server.gone(web);
  await family(server, 'one', 'kept');
  await server.send('DELETE', `${CONFIG_MAPS}/one`, { propagationPolicy: 'Orphan' });
  await server.gone(`${CONFIG_MAPS}/one`);
  await family(server, 'two', 'collected');
  await server.send('DELETE', `${CONFIG_MAPS}/two`);
  await server.gone(`${SECRETS}/collected`);
}

describe('a recording', () => {
  it.each(['fair', 'seed:7'])(
    'of the schedule %s is judged, and its corruption is found',
    async (schedule) => {
      const log = join(temporary(), 'audit.log');
      writeFileSync(log, '{"a line": "that has begun');
      const sink = (line: string): void => appendFileSync(log, `${line}\n`);
      const server = await serving(schedule, [SHOP], {}, sink);
      const words = [...clusterAt(server.url), '--audit-log', log];
      const { folder, code, files, notes, stdout } = await recorded(server, words, () =>
        deletions(server),
      );
      expect({ code, gaps: notes.gaps }).toEqual({ code: 0, gaps: [] });
      expect(files).toEqual(['part-1.jsonl', 'recording.txt']);
      expect(stdout).toContain('changes in 1 file');
      const judged = await runCli(['conform', 'trace', folder, '--protocol', 'newest']);
      expect(judged).toMatchObject({ code: 0, stderr: '' });
      expect(judged.stdout).toContain('2 of 2 traces accepted');
      const part = join(folder, 'part-1.jsonl');
      const text = readFileSync(part, 'utf8');
      // Without the bodies of the audit log, there is no data in it.
      const watched = text.split('\n').filter((line) => line.startsWith('{"type"'));
      expect(watched.join('')).not.toContain('"data"');
      // The orphaned object is collected, which only a DELETE of the collector could do.
      const kept = watched.findLast((line) => line.includes('"name":"kept"')) ?? '';
      const gone = kept.replace('"MODIFIED"', '"DELETED"');
      const changed = gone.replace(
        '"metadata":{',
        '"metadata":{"finalizers":["example.test/held"],',
      );
      writeFileSync(part, text.replace(kept, changed));
      const corrupt = await runCli(['conform', 'trace', folder, '--protocol', 'newest']);
      expect(corrupt.code).toBe(1);
    },
  );

  it('takes what was there as it was: also in a namespace that was terminating', async () => {
    const server = await serving('fair', [SHOP]);
    const held = { ...configMap('held'), metadata: { name: 'held', finalizers: ['e.test/held'] } };
    await server.send('POST', '/api/v1/namespaces/shop/configmaps', held);
    await server.send('DELETE', '/api/v1/namespaces/shop');
    const path = '/api/v1/namespaces/shop/configmaps/held';
    await server.until(
      async () => (await server.get(path)).body.metadata.deletionTimestamp !== undefined,
    );
    const { folder } = await recorded(server, clusterAt(server.url), async () => {
      const body = { metadata: { finalizers: [] } };
      await server.send('PATCH', path, body, 'application/merge-patch+json');
      await server.gone(path);
    });
    const judged = await runCli(['conform', 'trace', folder, '--protocol', 'newest']);
    expect(judged.stdout).toContain('1 of 1 trace accepted');
  });

  it('begins a new part where a watch has lost something, and says so', async () => {
    const server = await serving('fair', [SHOP]);
    let expires = false;
    const front = await frontOf(
      server.url,
      ({ path, query }) => {
        if (!expires || !path.endsWith('/secrets') || !query.has('watch')) return null;
        expires = false;
        return status(410, 'Expired');
      },
      (query) => query.has('watch') && query.set('timeoutSeconds', '1'),
    );
    const { files, notes, code } = await recorded(server, clusterAt(front.url), async (folder) => {
      await family(server, 'one', 'first');
      await server.until(async () => front.answered().includes('"name":"first"'));
      expires = true;
      await server.until(async () => begunIn(folder) === 2);
      await family(server, 'two', 'second');
    });
    expect(code).toBe(3);
    expect(files).toEqual(['part-1.jsonl', 'part-2.jsonl', 'recording.txt']);
    expect(notes.gaps[0]).toContain('the server had forgotten the next changes (410) of secrets');
    expect(notes.parts.map(({ changes }) => changes)).toEqual([2, 2]);
    expect(notes.parts[1]?.objectsAtStart).toBe((notes.parts[0]?.objectsAtStart ?? 0) + 2);
  });

  it('says which kinds it does not have, and does not judge requests without them', async () => {
    const log = join(temporary(), 'audit.log');
    writeFileSync(log, '');
    const sink = (line: string): void => appendFileSync(log, `${line}\n`);
    const server = await serving('fair', [], {}, sink);
    const front = await frontOf(server.url, ({ path }) =>
      path.endsWith('/secrets') ? status(403, 'Forbidden') : null,
    );
    const words = [...clusterAt(front.url), '--audit-log', log];
    const { notes, code, stderr, folder } = await recorded(server, words, async () => {
      await family(server);
    });
    expect(code).toBe(3);
    expect(notes.kinds).not.toContain('secrets');
    expect(notes.notRecorded).toContainEqual({ what: 'secrets', why: '403 Forbidden' });
    expect(stderr).toContain('part 1 is without the audit log: some kinds are not recorded');
    expect(readFileSync(join(folder, 'part-1.jsonl'), 'utf8')).not.toContain('auditID');
  });

  it('only lists and watches', async () => {
    const server = await serving('fair', [SHOP]);
    const front = await frontOf(server.url, () => null);
    const words = [...clusterAt(front.url), '--kinds', 'configmaps,Secret', '-n', 'default'];
    const { notes } = await recorded(server, words, async () => {
      await family(server);
    });
    expect(notes.kinds).toEqual(['configmaps', 'secrets']);
    expect(notes.parts[0]?.changes).toBe(2);
    expect(new Set(front.asked.map(({ method }) => method))).toEqual(new Set(['GET']));
    const objects = front.asked.filter(({ query }) => [...query].length > 0);
    expect(objects.some(({ query }) => query.get('watch') === '1')).toBe(true);
    // Collections, so that the verb is list or watch.
    const collections = ['configmaps', 'secrets'].map(
      (name) => `/api/v1/namespaces/default/${name}`,
    );
    expect(new Set(objects.map(({ path }) => path))).toEqual(new Set(collections));
  });

  it.each([
    [['--context', 'c'], 'record needs --out'],
    [['--out', 'o'], 'record needs --context'],
    [['--context', 'c', '--out', 'o', '--for', '5'], '--for does not take "5"'],
    [['--context', 'c', '--out', 'o', '-n', 'A B'], '--namespace does not take "A B"'],
    [['--context', 'c', '--out', 'o', '--kinds', 'po', '--audit-log', 'a'], 'needs all kinds'],
  ])('refuses %j: %s', async (words, message) => {
    const { code, stderr } = await runCli(['record', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('does not mix with another one, and suggests kinds', async () => {
    const { url } = await serving('fair');
    const folder = temporary();
    const unknown = ['record', ...clusterAt(url), '--out', folder, '--kinds', 'secretz'];
    expect((await runCli(unknown)).stderr).toContain('did you mean "secrets"?');
    const again = await runCli(unknown);
    expect(again.stderr).toContain(`the folder ${folder} is not empty`);
  });
});

describe('the audit log of a recording', () => {
  it('has the whole lines that are written meanwhile, also across a rotation', () => {
    const log = join(temporary(), 'audit.log');
    const lines: string[] = [];
    const gaps: string[] = [];
    writeFileSync(log, 'before\nhalf');
    const tail = new AuditTail(
      log,
      (line) => void lines.push(line),
      (what) => void gaps.push(what),
    );
    appendFileSync(log, ' a line\none\ntw');
    tail.poll();
    expect(lines).toEqual(['one']);
    appendFileSync(log, 'o\nthree\n');
    renameSync(log, `${log}.1`);
    writeFileSync(log, 'four\n');
    tail.poll();
    expect(lines).toEqual(['one', 'two', 'three', 'four']);
    expect(gaps).toEqual([]);
    writeFileSync(log, '5\nun');
    tail.close();
    expect(lines.at(-1)).toBe('5');
    expect(gaps).toEqual(['the audit log was cut: requests are missing']);
  });
});
