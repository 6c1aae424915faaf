import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { PATIENCE } from '../clock.ts';
import { dump, temporaryFile } from './run-cli.ts';

const MAIN = join(PACKAGE_FOLDER, 'dist', 'cli', 'main.js');

/** An owner with so many dependents, and a request that deletes it and orphans them. */
function star(dependents: number): string {
  const object = (name: string, owner: string) =>
    `- {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}${owner}}}\n`;
  const owner = ', ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner}]';
  const others = Array.from({ length: dependents }, (_, index) => object(`c${index}`, owner));
  return `about: a star\nobjects:\n${object('owner', '')}${others.join('')}requests:\n- {delete: ConfigMap/owner, propagationPolicy: Orphan}\n`;
}

interface Measured {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** The highest that was seen, where the system shows it. */
  readonly megabytes: number;
}

function measured(words: readonly string[]): Promise<Measured> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const child = spawn(process.execPath, [MAIN, ...words]);
    const written = { stdout: '', stderr: '' };
    let megabytes = 0;
    const watch = setInterval(() => {
      megabytes = Math.max(megabytes, residentMegabytes(child.pid));
    }, 20);
    child.stdout.on('data', (part) => {
      written.stdout += part;
    });
    child.stderr.on('data', (part) => {
      written.stderr += part;
    });
    child.on('close', (code) => {
      clearInterval(watch);
      resolve({ code, ...written, seconds: (performance.now() - begun) / 1000, megabytes });
    });
  });
}

function residentMegabytes(pid: number | undefined): number {
  try {
    const [, kilobytes] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s*(\d+)/) ?? [];
    return (Number(kilobytes ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** The less it is, the fewer states it takes to fill it; a command begins with about 100. */
const MEGABYTES = 160;

/** Far more than a slow machine needs to print a report, and far less than the work would take. */
const SLACK_SECONDS = 240;

describe('the limits hold', () => {
  const commands = (timeout: string, memory: string) => {
    const limits = ['--timeout', timeout, '--memory', memory];
    const orphan = ['ConfigMap/owner.x', '--cascade', 'orphan', '--reduction', 'none'];
    return [
      ['check', temporaryFile('star.yaml', star(50)), '--reduction', 'none', ...limits],
      ['check', temporaryFile('large-star.yaml', star(200)), ...limits],
      ['simulate', temporaryFile('star.yaml', star(200)), '--seed', '1', ...limits],
      ['delete', dump('fifty-dependents.yaml'), ...orphan, ...limits],
    ];
  };

  it(
    'on time',
    async () => {
      for (const words of commands('0.5', '4000')) {
        const { code, stdout, stderr, seconds } = await measured(words);
        // On a slow machine, the time is up while the input is read.
        expect({ words, code, stderr }).toMatchObject({
          code: 3,
          stderr: expect.stringMatching(/^$|^error: the time of 0\.5 seconds was up /),
        });
        expect(seconds).toBeLessThan(SLACK_SECONDS);
        expect(stdout).not.toMatch(/reducer|worker thread|typed array/);
      }
    },
    5 * PATIENCE,
  );

  it(
    'on memory, up to a fifth',
    async () => {
      for (const words of commands('120', String(MEGABYTES))) {
        const { code, stdout, megabytes } = await measured(words);
        // Some answers need less than the limit.
        expect([0, 3], words.join(' ')).toContain(code);
        expect(megabytes).toBeLessThan(1.2 * MEGABYTES);
        expect(stdout).not.toMatch(/reducer|worker thread|typed array/);
      }
    },
    5 * PATIENCE,
  );
});
