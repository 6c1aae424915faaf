import { escaped } from '../../text/escape.ts';
import { type Colors, plural, wrapped } from '../../text/layout.ts';
import type { Answer, Remedy } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import {
  aroundLines,
  basisLines,
  commandLines,
  footLines,
  HEAD,
  headLines,
  missingLines,
  riskLines,
  section,
  type TextOptions,
  treeLines,
} from './text.ts';

/** What a step at worst does, by its harm. */
export const HARMS: readonly string[] = [
  'harms nothing',
  'little harm',
  'deletes or detaches more',
  'can leave containers running',
  'skips the cleanup of a controller',
  'can leave contents behind',
];

const SHOWN = 6;

/** Why objects are not gone: the sentence, the tree, the reasons, the remedies, what is not known. */
export function explainText(
  document: ResultDocument,
  answer: Answer,
  options: TextOptions,
): string {
  const { colors } = options;
  const lines = [
    ...headLines(answer, colors),
    ...(answer.objects.length === 0 ? [] : ['', ...treeLines(answer, colors)]),
    '',
    ...reportedLines(answer),
    ...whyLines(answer, colors),
    ...sinceLines(answer, colors),
    ...(answer.remedies ?? []).flatMap((remedy, index) =>
      remedyLines(remedy, index, answer, colors),
    ),
    ...lookLines(answer, colors),
    ...missingLines(answer, colors),
    ...answer.outcomes.flatMap((outcome) => riskLines(outcome, answer, document, options)),
    ...aroundLines(answer, colors),
    ...(answer.objects.length === 0 ? [] : basisLines(answer, colors)),
    ...footLines(document, answer, colors),
  ];
  return `${lines.join('\n')}\n`;
}

function reportedLines({ reported = [] }: Answer): string[] {
  return section(
    'Reported',
    reported.map(
      ({ object, type, message, meaning }) => `${object} ${type}: "${message}" (${meaning})`,
    ),
  );
}

function whyLines({ stuck = [], outcomes }: Answer, colors: Colors): string[] {
  const chains = [...new Set(stuck.flatMap(({ chain }) => chain))];
  const more = chains.length - SHOWN;
  const open = (outcomes[0]?.fates ?? []).flatMap(({ fate, on }) =>
    fate === 'unknown' ? on.map(({ text }) => text) : [],
  );
  return [
    ...section('Why', [
      ...chains.slice(0, SHOWN),
      ...(more > 0 ? [`and ${plural(more, 'reason')} more (--format json has all)`] : []),
    ]),
    ...section('Not known', [...new Set(open)].slice(0, SHOWN)).map(colors.yellow),
  ];
}

const UNITS: readonly (readonly [seconds: number, noun: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** `3 hours`, rounded down to the largest unit. */
export function durationWords(seconds: number): string {
  const [size, noun] = UNITS.find(([unit]) => seconds >= unit) ?? [1, 'second'];
  return plural(Math.max(0, Math.floor(seconds / size)), noun);
}

function sinceLines({ stuck = [], objects }: Answer, colors: Colors): string[] {
  const longest = stuck
    .filter(({ fate, since }) => fate !== 'goes' && since !== null)
    .sort((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0))[0];
  const late = longest ?? stuck.find(({ since }) => since !== null);
  if (late === undefined) return [];
  const { seconds } = late;
  const name = objects[late.object]?.name ?? '';
  const length =
    seconds === null || seconds < 1
      ? 'the dump has no later time'
      : `${durationWords(seconds)} before the newest time in the dump`;
  return section('Waiting since', [`${name}: ${late.since}, ${length}`]).map(colors.dim);
}

function remedyLines(
  { steps, harm, along, basis, objects }: Remedy,
  index: number,
  answer: Answer,
  colors: Colors,
): string[] {
  const names = objects.map((place) => answer.objects[place]?.name ?? '');
  const gone = names.length <= 2 ? names.join(' and ') : `all ${plural(names.length, 'object')}`;
  const goes = names.length === 1 ? 'goes' : 'go';
  const sure = basis.kind === 'search' ? 'every order was tried' : basis.text;
  const more = steps.length - SHOWN;
  return [
    ...section(`Remedy ${index + 1}`, [
      `${HARMS[harm] ?? ''}; then ${gone} ${goes} (model: ${sure})`,
    ]).map(colors.bold),
    ...steps
      .slice(0, SHOWN)
      .flatMap(({ text, command, leaves }, place) => [
        ...wrapped(
          escaped(`${place + 1}. ${text}${leaves === null ? '' : `; leaves: ${leaves}`}`),
          ' '.repeat(HEAD + 2),
          ' '.repeat(HEAD + 5),
        ),
        ...commandLines([command], colors),
      ]),
    ...(more > 0 ? section('', [`and ${plural(more, 'step')} more (--format json has all)`]) : []),
    ...(along.length === 0
      ? []
      : section('', [
          `go as well: ${along.slice(0, SHOWN).join(', ')}${along.length > SHOWN ? ' …' : ''}`,
        ])),
  ];
}

function lookLines({ look = [] }: Answer, colors: Colors): string[] {
  return look.flatMap(({ text, command }, index) => [
    ...section(index === 0 ? 'Look at' : '', [text]),
    ...commandLines([command], colors),
  ]);
}
