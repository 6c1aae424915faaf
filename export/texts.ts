import { escaped } from '../text/escape.ts';
import type { Json, Target, TestCase } from './test-case.ts';

/** What the tests in all languages have in common. Names in a trace are not trusted. */

/** The path of an object, or of its collection, without its name. */
export function collectionPath({ apiVersion, plural, namespace }: Target): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const place = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${apiVersion.split('/').map(encodeURIComponent).join('/')}${place}/${encodeURIComponent(plural)}`;
}

export function pathOf(target: Target): string {
  const { name } = target;
  return name === ''
    ? collectionPath(target)
    : `${collectionPath(target)}/${encodeURIComponent(name)}`;
}

const WIDTH = 100;

/** The comment at the top, in lines without a mark. */
export function headLines(test: TestCase, howToRun: readonly string[]): readonly string[] {
  const { title, about, property, actors, controllers, otherSteps, customKinds, requests } = test;
  const played =
    actors.length === 0
      ? []
      : [
          '',
          `The run has ${actors.join(', ')}. With the token, the server plays them as the model does.`,
          ...(controllers.length === 0
            ? ['If your operator acts too (OPERATOR),']
            : [
                `With OPERATOR, your operator plays ${controllers[0]} (PLAYS names another controller): the`,
                'server waits for its requests, as the run has them. If it sends others,',
              ]),
          'the run is left where it does something else, and goes on with its requests and a fair schedule.',
        ];
  const hidden =
    otherSteps === 0
      ? []
      : [
          '',
          `${otherSteps} steps of the run are not among the ${requests.length} requests below: which worker acts, and`,
          'how late a cache is. reapcheck serve forces their order. On a real cluster nothing can: there the',
          'test passes if the order is another one, and a pass proves little.',
        ];
  const kinds =
    customKinds.length === 0
      ? []
      : ['', `Another cluster must know these kinds: ${customKinds.join(', ')}.`];
  return [
    `A counterexample of reapcheck as a regression test: ${title}.`,
    ...(about === null ? [] : [about]),
    '',
    `The run violates: ${property}.`,
    'The test says how it should be. So it FAILS while the defect is there, and passes once the',
    'operator (or the order of its requests) is right. Keep it then.',
    '',
    ...howToRun,
    ...played,
    ...hidden,
    ...kinds,
  ].flatMap(wrapped);
}

function wrapped(line: string): readonly string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of escaped(line.replaceAll(/\s+/g, ' ')).split(' ')) {
    if (current !== '' && current.length + word.length >= WIDTH) {
      lines.push(current);
      current = '';
    }
    current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** A text on one line, for a comment or a message. */
export function oneLine(text: string): string {
  return escaped(text.replaceAll(/\s+/g, ' ').trim());
}

/** JSON without line breaks. Uids in it are written as `"uid":"..."`, which tests replace. */
export function compact(value: Json | readonly unknown[]): string {
  return JSON.stringify(value);
}
