/** No busy machine needs so many seconds for what an idle one decides within the defaults. */
const SECONDS = 1800;

const QUESTIONS = new Set(['delete', 'compare', 'collect', 'explain', 'uninstall']);

/**
 * The words of a command line. A question gets so much time that the machine makes no difference.
 */
export function withPatience(words: readonly string[]): readonly string[] {
  const [command = ''] = words;
  if (words.includes('--timeout')) return words;
  if (QUESTIONS.has(command)) return [...words, '--timeout', `${SECONDS}`];
  if (command !== 'survey') return words;
  // Each row has its whole time, so that a fleet is asked the same questions again.
  const row = words.includes('--row-timeout') ? [] : ['--row-timeout', `${SECONDS}`];
  return [...words, '--timeout', `${10 * SECONDS}`, ...row];
}
