/** No busy machine needs so many seconds for what an idle one decides within the defaults. */
const SECONDS = '1800';

const QUESTIONS = new Set(['delete', 'compare', 'collect', 'explain', 'uninstall', 'survey']);

/** The words of a command line. A question gets so much time that the machine makes no difference. */
export function withPatience(words: readonly string[]): readonly string[] {
  const [command = ''] = words;
  if (!QUESTIONS.has(command) || words.includes('--timeout')) return words;
  const rows = command === 'survey' && !words.includes('--row-timeout');
  return [...words, '--timeout', SECONDS, ...(rows ? ['--row-timeout', SECONDS] : [])];
}
