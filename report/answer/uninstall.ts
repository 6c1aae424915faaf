import type { Answer } from '../document/answer.ts';
import { admissionItems } from './explain.ts';
import type { AnswerSection } from './section.ts';

/** An order of deletions: the steps as commands, the orders that get stuck, what is assumed. */
export function uninstallSections({ steps = [], stuckOrders = [] }: Answer): AnswerSection[] {
  return [
    ...steps.map(
      ({ text, commands, on = [] }, index): AnswerSection => ({
        kind: 'step',
        head: `Step ${index + 1}`,
        items: [{ text, commands }, ...admissionItems(on)],
      }),
    ),
    {
      kind: 'stuck-orders',
      head: 'Not first',
      items: stuckOrders.map((order) => ({ text: stuckOrderWords(order), tone: 'warn' })),
    },
    {
      kind: 'premise',
      head: 'Assumed',
      items: [
        {
          text: 'the workloads of the release remove the finalizers of its instances while they and the rest of it are there',
          tone: 'dim',
        },
      ],
    },
  ];
}

export function stuckOrderWords({
  first,
  verdict,
  text,
}: NonNullable<Answer['stuckOrders']>[number]): string {
  return `${first}: ${verdict === 'stuck' ? 'it gets stuck' : 'it is not certain to end'}; ${text}`;
}
