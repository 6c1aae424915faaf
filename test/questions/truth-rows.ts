import { describe, expect, it } from 'vitest';
import type { OutcomeWord } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { dump, runCli } from '../cli/run-cli.ts';

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

/** A test for each row. */
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
      const { code, text, named } = await answerTo(words, stdin, Object.keys(row.fates));
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

interface Told {
  readonly code: number;
  readonly stderr: string;
  readonly text: string;
  /** Without the groups of kinds. One that stands for several is named as the first of them. */
  readonly named: readonly { readonly name: string; readonly fate: string | undefined }[];
}

/**
 * The answer as text, and the fates of objects.
 *
 * @param wanted the beginnings of the names of these objects. A document takes as long as a small
 * search, so it is written only where the text cuts or leaves out a name.
 */
export async function answerTo(
  words: readonly string[],
  stdin: string,
  wanted: readonly string[],
): Promise<Told> {
  const { stdout: text, ...rest } = await runCli(words, { stdin });
  const shown = fatesShown(text);
  const isShown = (prefix: string) => shown.some(({ name }) => name.startsWith(prefix));
  const named = wanted.every(isShown) ? shown : await fatesTold(words, stdin);
  return { ...rest, text, named };
}

/** A row of the tree of objects: `  - goes, replaced  │  └─ 2 × Pod: a.shop … b.shop`. */
const SHOWN =
  /^ {2}\S (\w+)(?:, replaced)? +[│├└─ ]*(?:\d+ × )?(\w+)(?:\.[^/: ]*)?(?:\/|: )(\S+)/gm;

/** What the tree of objects in a text says. */
export function fatesShown(text: string): Told['named'] {
  return [...text.matchAll(SHOWN)].map(([, fate, kind, name]) => ({
    ...{ fate, name: `${kind}/${name}` },
  }));
}

async function fatesTold(words: readonly string[], stdin: string): Promise<Told['named']> {
  const { stdout } = await runCli([...words, '--format', 'json'], { stdin });
  const { answer } = JSON.parse(stdout) as ResultDocument;
  const fates = answer?.outcomes[0]?.fates ?? [];
  return (answer?.objects ?? []).map(({ name }, index) => ({
    name: name.replace(/^(\w+)\.[^/]*\//, '$1/'),
    fate: fates[index]?.fate,
  }));
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
