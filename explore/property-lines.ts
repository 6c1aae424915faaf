import { type Parameters, type Property, statusesOf } from '../checker/index.ts';
import { formatKey } from '../model/index.ts';
import { plural } from '../text/layout.ts';
import type { Explorer } from './explorer.ts';
import { textLines } from './lines.ts';
import { hereIn, type Session } from './position.ts';

type Standing = 'broken' | 'pending' | 'reached' | 'met' | 'holds' | 'idle';

/** In order of precedence, for properties with several choices of parameters. */
const ORDER: readonly Standing[] = ['broken', 'pending', 'reached', 'met', 'holds', 'idle'];

interface Standings {
  readonly name: string;
  readonly standing: Standing;
  /** The parameters concerned, and the step that broke the property. */
  readonly details: readonly string[];
}

/** The status of each property after the steps so far. */
export function propertyLines(explorer: Explorer, session: Session): string[] {
  const { colors, properties } = explorer;
  const all = properties.map((property) => standingOf(explorer, session, property));
  const told = ORDER.filter((standing) => standing !== 'idle').flatMap((standing) =>
    all.filter((property) => property.standing === standing),
  );
  const idle = all.length - told.length;
  return [
    ...told.flatMap(({ name, standing, details }) => {
      const text = details.length === 0 ? name : `${name} (${details.join(', ')})`;
      const lines = textLines(text, `  ${standing.padEnd(8)}`);
      if (standing === 'broken') return lines.map(colors.red);
      return standing === 'pending' ? lines.map(colors.yellow) : lines;
    }),
    ...(idle === 0
      ? []
      : [
          colors.dim(
            `  idle    ${plural(idle, 'property').replace(/propertys$/, 'properties')} with nothing to judge so far`,
          ),
        ]),
  ];
}

function standingOf(explorer: Explorer, session: Session, property: Property<unknown>): Standings {
  const choices: readonly Parameters[] = property.parameters ?? [{}];
  const isEnd = explorer.enabled(hereIn(session)).length === 0;
  const found = choices.map((parameters) => ({
    parameters,
    ...standingFor(session, property, parameters, isEnd),
  }));
  const standing = ORDER.find((order) => found.some((one) => one.standing === order)) ?? 'idle';
  const details =
    standing === 'broken' || standing === 'pending'
      ? found
          .filter((one) => one.standing === standing)
          .flatMap(({ parameters, step }) => detail(explorer, parameters, step))
      : [];
  return { name: property.name, standing, details };
}

/**
 * A broken property stays broken. Otherwise the last status counts, or the last one that is not
 * idle.
 */
function standingFor(
  { states, actions }: Session,
  property: Property<unknown>,
  parameters: Parameters,
  isEnd: boolean,
): { readonly standing: Standing; readonly step: number | null } {
  const statuses = statusesOf({ property, parameters, states, actions }, isEnd);
  const step = statuses.indexOf('broken');
  if (step >= 0) return { standing: 'broken', step };
  if (statuses.at(-1) === 'pending') return { standing: 'pending', step: null };
  const past = (['reached', 'met', 'holds'] as const).find((status) => statuses.includes(status));
  return { standing: past ?? 'idle', step: null };
}

function detail(
  explorer: Explorer,
  parameters: Parameters,
  step: number | null,
): readonly string[] {
  const words = Object.entries(parameters).flatMap(([name, value]) => {
    if (name === 'uid' && 'key' in parameters) return [];
    const isKey = explorer.cluster !== null && name === 'key';
    return [isKey ? formatKey(String(value)) : String(value)];
  });
  const when = step === null ? [] : [step === 0 ? 'at the start' : `step ${step}`];
  const text = [...words, ...when].join(' ');
  return text === '' ? [] : [text];
}
