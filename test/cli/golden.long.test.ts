import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderText } from '../../report/text/text.ts';
import { PLAIN, WIDTH } from '../../text/layout.ts';
import { STORED } from '../report/stored-result.ts';
import { dump, golden, runCli } from './run-cli.ts';

/**
 * Transcripts: what is printed, to the letter, but for times and the folder of the files. With
 * UPDATE_GOLDEN=1 they are written anew; commit only changes that you can explain.
 */
function expectGolden(name: string, text: string): void {
  const file = golden(name);
  if (process.env.UPDATE_GOLDEN === '1' || !existsSync(file)) {
    expect(process.env.UPDATE_GOLDEN, `${file} is missing`).toBe('1');
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}

/** Only what is there to be copied may be longer than a line. */
function expectNarrow(text: string): void {
  const wide = text
    .split('\n')
    .filter((line) => line.length > WIDTH && !/^ {2}(Again|replay:)/.test(line));
  expect(wide).toEqual([]);
}

describe('stored results, rendered without any search', () => {
  for (const [name, document] of Object.entries(STORED)) {
    it(name, () => {
      const options = { traces: name.includes('traces'), full: name.includes('full') };
      const text = renderText(document, { colors: PLAIN, ...options });
      expectNarrow(text);
      expectGolden(`stored-${name}.txt`, text);
    });
  }
});

/** Relative, so that no line breaks elsewhere in a checkout with a longer path. */
const fromHere = (name: string) => relative(process.cwd(), dump(name));

const FOLDER = `${fromHere('.')}/`;

function transcript(
  words: readonly string[],
  outcome: { stdout: string; stderr: string; code: number },
) {
  const text = `$ reapcheck ${words.join(' ')}\n${outcome.stderr}${outcome.stdout}[exit code ${outcome.code}]\n`;
  return text.replaceAll(FOLDER, '').replaceAll(/\b\d+\.\d s\b/g, 'T s');
}

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  help: ['--help'],
  'help-check': ['check', '--help'],
  'background-chain': ['check', 'background-chain'],
  'late-dependent': ['check', 'late-dependent-orphan'],
  'ledger-foreground': [
    ...['check', fromHere('ledger.yaml'), fromHere('ledger-cluster-scoped.yaml')],
    ...['--delete', 'cm/left', '--cascade', 'foreground'],
  ],
  'shop-foreground': [
    'check',
    fromHere('shop.json'),
    '--delete',
    'deploy/web',
    '--cascade',
    ...['foreground', '--timeout', '600'],
  ],
  'several-scenarios': ['check', 'background-chain', 'foreground-chain', 'orphan-chain'],
  'own-properties': [
    ...['check', fromHere('disk.yaml'), '--property', 'the disk does not outlive its database'],
  ],
  'property-of-one-object': [
    ...[
      'check',
      fromHere('disk.yaml'),
      '--property',
      'every-deletion-finishes for Database/orders',
    ],
  ],
  outcomes: ['check', fromHere('disk.yaml'), '--property', 'outcome: the disk is left'],
  'limit-hit': ['check', 'foreground-chain', '--max-states', '20'],
  'wrong-name': ['check', 'foregrond-chain'],
};

describe('transcripts', () => {
  for (const [name, words] of Object.entries(COMMANDS)) {
    it(name, async () => {
      const outcome = await runCli(words);
      expect(outcome.code, outcome.stderr).not.toBe(70);
      const text = transcript(words, outcome);
      expectNarrow(text);
      expectGolden(`${name}.txt`, text);
    });
  }
});
