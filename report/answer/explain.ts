import { plural } from '../../text/layout.ts';
import type { Answer, Remedy } from '../document/answer.ts';
import { type AnswerItem, type AnswerSection, foldedAfter } from './section.ts';

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

/** Why objects are not gone: what is reported, the chains, the remedies, what to look at. */
export function explainSections(answer: Answer): readonly AnswerSection[] {
  const { reported = [], remedies = [], look = [] } = answer;
  return [
    {
      kind: 'reported',
      head: 'Reported',
      items: reported.map(({ object, type, message, meaning }) => ({
        text: `${object} ${type}: "${message}" (${meaning})`,
      })),
    },
    ...whySections(answer),
    sinceSection(answer),
    ...remedies.map((remedy, index) => remedySection(remedy, index, answer)),
    {
      kind: 'look',
      head: 'Look at',
      items: look.map(({ text, command }) => ({ text, commands: [command] })),
    },
  ];
}

function whySections({ stuck = [], outcomes }: Answer): readonly AnswerSection[] {
  const chains = [...new Set(stuck.flatMap(({ chain }) => chain))];
  const open = (outcomes[0]?.fates ?? []).flatMap(({ fate, on }) =>
    fate === 'unknown' ? on.map(({ text }) => text) : [],
  );
  const section = (head: string, items: readonly AnswerItem[]): AnswerSection => ({
    ...{ kind: 'why', head, noun: 'reason', items: foldedAfter(items, SHOWN) },
  });
  return [
    section(
      'Why',
      chains.map((text) => ({ text })),
    ),
    section(
      'Not known',
      [...new Set(open)].map((text) => ({ text, tone: 'warn' })),
    ),
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

function sinceSection({ stuck = [], objects }: Answer): AnswerSection {
  const longest = stuck
    .filter(({ fate, since }) => fate !== 'goes' && since !== null)
    .sort((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0))[0];
  const late = longest ?? stuck.find(({ since }) => since !== null);
  const words = (): string => {
    if (late === undefined) return '';
    const { seconds } = late;
    const name = objects[late.object]?.name ?? '';
    const length =
      seconds === null || seconds < 1
        ? 'the dump has no later time'
        : `${durationWords(seconds)} before the newest time in the dump`;
    return `${name}: ${late.since}, ${length}`;
  };
  return {
    kind: 'since',
    head: 'Waiting since',
    items: late === undefined ? [] : [{ text: words(), tone: 'dim' }],
  };
}

/** What may refuse steps, with the commands that ask. */
export function admissionItems(on: NonNullable<Remedy['on']>): readonly AnswerItem[] {
  return on.map((condition) => ({
    text: condition.text,
    tone: 'warn',
    ...('settle' in condition ? { commands: [condition.settle] } : {}),
  }));
}

function remedySection(
  { steps, harm, along, basis, objects, on = [] }: Remedy,
  index: number,
  answer: Answer,
): AnswerSection {
  const names = objects.map((place) => answer.objects[place]?.name ?? '');
  const gone = names.length <= 2 ? names.join(' and ') : `all ${plural(names.length, 'object')}`;
  const goes = names.length === 1 ? 'goes' : 'go';
  const model = answer.missing.length === 0 ? 'model' : 'model of what the dump shows';
  const sure = basis.kind === 'search' ? 'every order was tried' : basis.text;
  const items = steps.map((step, place) => ({
    ...{ text: remedyStepWords(step), number: place + 1, commands: [step.command] },
  }));
  const more = along.length > SHOWN ? ' …' : '';
  return {
    kind: 'remedy',
    head: `Remedy ${index + 1}`,
    items: [
      { text: `${HARMS[harm] ?? ''}; then ${gone} ${goes} (${model}: ${sure})`, tone: 'strong' },
      ...foldedAfter(items, SHOWN),
      ...(along.length === 0
        ? []
        : [{ text: `go as well: ${along.slice(0, SHOWN).join(', ')}${more}` }]),
      ...foldedAfter(admissionItems(on), SHOWN),
    ],
    noun: 'step',
  };
}

export function remedyStepWords({ text, leaves }: Remedy['steps'][number]): string {
  return `${text}${leaves === null ? '' : `; leaves: ${leaves}`}`;
}
