import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { kubeconfigFor } from '../../serve/kubeconfig.ts';

/** A folder that is removed after the test. */
export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The options that read the cluster at this address. */
export function clusterAt(url: string): readonly string[] {
  const kubeconfig = join(temporary(), 'kubeconfig.yaml');
  writeFileSync(kubeconfig, kubeconfigFor(url));
  return ['--context', 'reapcheck', '--kubeconfig', kubeconfig];
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A whole answer in the place of that of the server; null: the server answers. */
export type Meddling = (asked: Asked) => { readonly code: number; readonly body: object } | null;

export interface Front {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Everything that has been answered. */
  readonly answered: () => string;
}

/**
 * A server in front of another one that answers some requests itself.
 *
 * @param rewrite changes the query before it goes on.
 */
export async function frontOf(
  url: string,
  meddle: Meddling,
  rewrite: (query: URLSearchParams) => void = () => undefined,
): Promise<Front> {
  const asked: Asked[] = [];
  let answered = '';
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const one = { method: request.method ?? '', path: pathname, query: searchParams };
    asked.push(one);
    const own = meddle(one);
    if (own !== null) {
      response.writeHead(own.code, { 'content-type': 'application/json' });
      response.end(JSON.stringify(own.body));
      return;
    }
    const query = new URLSearchParams(searchParams);
    rewrite(query);
    const headers = { accept: request.headers.accept ?? '' };
    const behind = ask(`${url}${pathname}?${query}`, { headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      response.flushHeaders();
      answer.on('data', (chunk) => {
        answered += String(chunk);
        response.write(chunk);
      });
      answer.on('close', () => response.end());
    });
    behind.on('error', () => response.destroy());
    behind.end();
    response.on('close', () => behind.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, answered: () => answered };
}

export function status(code: number, reason: string): ReturnType<Meddling> {
  return { code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason } };
}
