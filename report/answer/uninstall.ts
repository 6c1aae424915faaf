import { escaped } from '../../text/escape.ts';
import { wrapped } from '../../text/layout.ts';
import type { Answer } from '../document/answer.ts';
import type { ResultDocument } from '../document/result-document.ts';
import {
  commandLines,
  footLines,
  HEAD,
  headLines,
  missingLines,
  section,
  type TextOptions,
} from './text.ts';

/** An order of deletions: the sentence, the steps as commands, the orders that get stuck. */
export function uninstallText(
  document: ResultDocument,
  answer: Answer,
  { colors }: TextOptions,
): string {
  const { steps = [], stuckOrders = [] } = answer;
  const lines = [
    ...headLines(answer, colors),
    '',
    ...steps.flatMap(({ text, commands }, index) => [
      ...wrapped(escaped(text), `  ${`Step ${index + 1}`.padEnd(HEAD)}`),
      ...commandLines(commands, colors),
    ]),
    ...section(
      'Not first',
      stuckOrders.map(
        ({ first, verdict, text }) =>
          `${first}: ${verdict === 'stuck' ? 'it gets stuck' : 'it is not certain to end'}; ${text}`,
      ),
    ).map(colors.yellow),
    ...section('Assumed', [
      'the workloads of the release remove the finalizers of its instances while they and the rest of it are there; admission webhooks are not part of the model',
    ]).map(colors.dim),
    ...missingLines(answer, colors),
    ...section(
      'How sure',
      answer.outcomes.map(({ basis }) => basis.text),
    ).map(colors.dim),
    ...footLines(document, answer, colors),
  ];
  return `${lines.join('\n')}\n`;
}
