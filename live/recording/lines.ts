import { BrokenConnection } from '../connection.ts';

/** Characters of one event. etcd holds objects of some megabytes at most. */
const LONGEST = 20_000_000;

/** The lines of an answer that comes bit by bit. A last line without its end is dropped. */
export async function* linesIn(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    if (rest.length > LONGEST) throw new BrokenConnection('an event is too large');
    for (const line of more) {
      if (rest.trim() !== '') yield rest;
      rest = line;
    }
  }
}
