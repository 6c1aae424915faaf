import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutcomeWord } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { dump, runCli, temporaryFolder } from '../cli/run-cli.ts';

/**
 * What is true of a dump: see the comments of the dumps. A prefix of a name stands for all such.
 */
export interface TruthRow {
  /** The name of a file, or the objects. */
  readonly dump: string | readonly object[];
  /** `delete` if absent. */
  readonly command?: 'collect' | 'explain';
  readonly words: readonly string[];
  /** The fates by the beginning of the name, without the groups of kinds. */
  readonly fates: Readonly<Record<string, OutcomeWord>>;
  readonly code: number;
  /** What the text has to say. */
  readonly says?: RegExp;
}

/** A test for each row, which reads the fates as JSON and the words as text. */
export function describeTruth(about: string, rows: readonly TruthRow[]): void {
  describe(about, () => {
    it.each(
      rows.map(
        (row) =>
          [[row.command ?? 'delete', nameOf(row.dump), ...row.words].join(' '), row] as const,
      ),
    )('%s', async (_, row) => {
      const isFile = typeof row.dump === 'string';
      const place = typeof row.dump === 'string' ? dump(row.dump) : '-';
      const words = [row.command ?? 'delete', place, ...row.words];
      const items = { apiVersion: 'v1', kind: 'List', items: row.dump };
      const stdin = isFile ? '' : JSON.stringify(items);
      const { code, text, named } = await answerTo(words, stdin);
      expect(code).toBe(row.code);
      expect(text).toMatch(row.says ?? /./);
      for (const [prefix, fate] of Object.entries(row.fates)) {
        const found = named.filter(({ name }) => name.startsWith(prefix));
        expect(found.length, prefix).toBeGreaterThan(0);
        expect(new Set(found.map((one) => one.fate)), prefix).toEqual(new Set([fate]));
      }
    });
  });
}

/** The answer as text, and the fate of each object by its name without the group of its kind. */
export async function answerTo(words: readonly string[], stdin: string) {
  const file = join(temporaryFolder(), 'answer.txt');
  const json = await runCli([...words, '--format', 'json', '--report', `text=${file}`], { stdin });
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const { answer } = JSON.parse(json.stdout) as ResultDocument;
  const fates = answer?.outcomes[0]?.fates ?? [];
  const named = (answer?.objects ?? []).map(({ name }, index) => ({
    name: name.replace(/^(\w+)\.[^/]*\//, '$1/'),
    fate: fates[index]?.fate,
  }));
  return { code: json.code, stderr: json.stderr, text, named };
}

function nameOf(dumped: TruthRow['dump']): string {
  return typeof dumped === 'string' ? dumped : '-';
}

/** Matches a text that matches all of these. */
export function everyOne(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(
    patterns
      .map(({ source }) => (source.startsWith('^') ? source : `(?=[\\s\\S]*${source})`))
      .join(''),
  );
}
