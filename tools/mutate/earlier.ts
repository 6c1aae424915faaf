import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { codeDigests, GATE_CODE } from '../../gate/run/code-digest.ts';
import { digestOf } from '../../gate/run/digest.ts';
import { allMutants, mutantWords } from './mutants.ts';
import type { Earlier, Trial } from './run.ts';
import { suitePlans } from './suite.ts';

/** Reads the result of an earlier run. */

const DOCUMENT = z.object({
  schema: z.literal('reapcheck.mutants/v1'),
  tried: z.string(),
  trials: z.array(z.object({ words: z.string(), fate: z.looseObject({ fate: z.string() }) })),
});

/**
 * What the process for mutants loads. It loads this late, so that its own text does not show it.
 */
const LOADED = ['suite', 'seen', 'modules'].map((name) => `tools/mutate/${name}.js`);

/** The code and the scenarios that decide about the fate of a mutant, as a digest. */
export async function triedDigest(): Promise<string> {
  const code = codeDigests({ ...GATE_CODE, mains: LOADED });
  const plans = await suitePlans();
  return digestOf([code, plans.map(({ title, setup, properties }) => [title, setup, properties])]);
}

/**
 * Null: the file is no result of this tool.
 *
 * @param tried `triedDigest`.
 */
export function readEarlier(file: string, tried: string): Earlier | null {
  const document = DOCUMENT.safeParse(contentOf(file));
  if (!document.success) return null;
  const trials = document.data.trials as unknown as readonly Pick<Trial, 'words' | 'fate'>[];
  // Two decisions can have the same words: what was found of one says nothing about the other.
  const count = new Map<string, number>();
  for (const mutant of allMutants()) {
    const words = mutantWords(mutant);
    count.set(words, (count.get(words) ?? 0) + 1);
  }
  const single = trials.filter(({ words }) => count.get(words) === 1);
  return {
    isSame: document.data.tried === tried,
    fates: new Map(single.map(({ words, fate }) => [words, fate])),
  };
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
