import { isModule } from '../../input/options/input-options.ts';
import { TOKEN_ERRORS } from '../tokens/errors.ts';
import { judgedByToken, type TokenQuestion } from '../tokens/replay.ts';
import { initialDigest, type Token } from '../tokens/token.ts';
import type { AuthoredModel } from './authored.ts';

/** The module that a token names; null for a token of a scenario or a dump. */
export function moduleOf({ subject }: Token): string | null {
  const [input = '', ...more] = subject.inputs;
  return more.length === 0 && isModule(input) ? input : null;
}

/** What the token of a run of this model asks. Throws `InputError`. */
export function questionOfModel(token: Token, authored: AuthoredModel): TokenQuestion<unknown> {
  const { file, model, words, properties } = authored;
  if (token.setup !== initialDigest(model)) {
    throw TOKEN_ERRORS.tokenOfOther(file, 'the initial states of its model have changed');
  }
  return { token, model, words, property: judgedByToken(token, properties, file) };
}
