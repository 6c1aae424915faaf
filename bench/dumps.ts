import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResultDocument } from '../report/document/result-document.ts';
import { DUMPS, type DumpCase } from './models/dumps.ts';

/**
 * `node dumps.js [WORDS]` asks what each deletion of a made-up dump does, with default options, and
 * prints a table: the verdict word (`search` or `bounded`, and how many of how many alike objects),
 * the states of all searches, CPU seconds and peak memory of the process. WORDS: only the rows that
 * contain them.
 */
const MAIN = join(import.meta.dirname, '..', 'cli', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'reapcheck-dumps-'));

function row({ name, objects, words, seconds }: DumpCase): string {
  const dump = join(folder, 'dump.json');
  const result = join(folder, 'result.json');
  const usage = join(folder, 'usage.json');
  writeFileSync(dump, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  // The process itself says what it has used.
  const script = `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(usage)},
    JSON.stringify([process.cpuUsage(), process.resourceUsage().maxRSS])))`;
  const preload = join(folder, 'usage.cjs');
  writeFileSync(preload, script);
  const [target = '', ...options] = words;
  const given = ['delete', dump, target, ...options, '--format', 'json', '-q', '-o', result];
  const { status } = spawnSync(process.execPath, ['--require', preload, MAIN, ...given]);
  const [{ user, system }, kilobytes] = JSON.parse(readFileSync(usage, 'utf8')) as [
    { readonly user: number; readonly system: number },
    number,
  ];
  const { answer, checks } = JSON.parse(readFileSync(result, 'utf8')) as ResultDocument;
  const basis = answer?.outcomes[0]?.basis;
  const states = checks.reduce((sum, check) => sum + check.result.statistics.states, 0);
  const verdict =
    basis?.kind === 'bounded'
      ? `bounded: ${basis.most} of ${basis.of}${basis.nothingNew ? ', nothing new' : ''}`
      : (basis?.kind ?? '');
  const cells = [
    ...[name, options.at(-1) ?? '', verdict, String(status)],
    states.toLocaleString('en-US'),
    ((user + system) / 1e6).toFixed(1),
    String(seconds),
    (kilobytes / 1000).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

const wanted = process.argv.slice(2).join(' ');
const head = ['dump', 'cascade', 'verdict', 'exit', 'states', 'CPU s', 'bar, s', 'MB'];
process.stdout.write(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}\n`);
try {
  for (const dumpCase of DUMPS) {
    const text = `${dumpCase.name} ${dumpCase.words.join(' ')}`;
    if (text.includes(wanted)) process.stdout.write(`${row(dumpCase)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
