import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckResult, Model, Property, Trace } from '../../checker/index.ts';
import { isModule } from '../../input/options/input-options.ts';
import { tokensByTrace } from '../../report/document/replay.ts';
import { tokensOf } from '../assemble.ts';
import { fileSubject } from '../tokens/subject.ts';
import { initialDigest, tokenWriter } from '../tokens/token.ts';

/** What was checked, and the module from which `reapcheck replay` can load it again. */
export interface Exported<State> {
  /**
   * The file that exports `model` and `properties`: a path that begins in the working directory, or
   * a URL, such as `new URL('./plane.ts', import.meta.url)`.
   */
  readonly module: string | URL;
  readonly model: Model<State>;
  readonly properties: readonly Property<State>[];
}

/** The tokens that replay the traces of a result. Throws `TypeError` if no module is named. */
export function replayTokens<State>(
  result: CheckResult,
  { module, model, properties }: Exported<State>,
): ReadonlyMap<Trace, string> {
  const write = tokenWriter(
    model,
    initialDigest(model as Model<unknown>),
    fileSubject(moduleFile(module)),
    () => false,
  );
  const tokens = tokensOf(write, properties, result.properties);
  return tokensByTrace({ tokens, result, fates: [] });
}

/** The path of a module from the working directory. Throws `TypeError` if it is no module. */
export function moduleFile(module: string | URL): string {
  const text = String(module);
  const file = text.startsWith('file:') ? relative(process.cwd(), fileURLToPath(text)) : text;
  if (isModule(file)) return file;
  throw new TypeError(
    `module must be a file of JavaScript or TypeScript that exports model and properties, but is ${text}`,
  );
}
