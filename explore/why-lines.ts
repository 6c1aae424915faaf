import { groupedBy, plural } from '../text/layout.ts';
import { type Explorer, type NamedInstance, type Obstacle, obstacleTo } from './explorer.ts';
import { textLines } from './lines.ts';

/** How many instances of each action to show, unless all are requested. */
const SHOWN = 2;
const LONGEST_VALUE = 60;

/** Why the given instances, or all instances, are not enabled. */
export function whyLines(
  explorer: Explorer,
  state: unknown,
  asked: readonly NamedInstance[] | null,
  inFull: boolean,
): string[] {
  const instances = asked ?? explorer.instances;
  const obstacles = instances.flatMap((instance) => obstacleTo(explorer, state, instance) ?? []);
  const disabled = new Set(obstacles.map(({ instance }) => instance));
  const enabled = asked === null ? [] : instances.filter((instance) => !disabled.has(instance));
  const numbers = enabled.length === 0 ? NO_NUMBERS : numbersIn(explorer, state);
  const only = obstacles.length === 1 && asked !== null ? obstacles[0] : undefined;
  return [
    ...enabled.flatMap((instance) => enabledLine(numbers, instance)),
    ...groups(obstacles).flatMap((group) => groupLines(explorer, group, inFull)),
    ...(only === undefined ? [] : readLines(explorer, only)),
  ];
}

const NO_NUMBERS: ReadonlyMap<string, number> = new Map();

/** The numbers of the enabled actions, by their JSON text. */
function numbersIn(explorer: Explorer, state: unknown): ReadonlyMap<string, number> {
  const enabled = explorer.enabled(state);
  return new Map(enabled.map(({ action }, index) => [JSON.stringify(action), index + 1]));
}

function enabledLine(
  numbers: ReadonlyMap<string, number>,
  { action, label }: NamedInstance,
): string[] {
  const number = numbers.get(JSON.stringify(action)) ?? 0;
  return textLines(`${label}: enabled, number ${number}`, '  ', '    ');
}

/** By action, in the order of the model. */
function groups(obstacles: readonly Obstacle[]): readonly (readonly Obstacle[])[] {
  return [...groupedBy(obstacles, ({ instance }) => instance.action.name).values()];
}

function groupLines(
  explorer: Explorer,
  group: readonly Obstacle[],
  inFull: boolean,
): readonly string[] {
  const shown = inFull ? group : group.slice(0, SHOWN);
  const name = group[0]!.instance.action.name;
  return [
    ...shown.flatMap(({ instance, reason }) =>
      textLines(`${instance.label}: ${reason}`, '  ', '    '),
    ),
    ...(shown.length === group.length
      ? []
      : [
          explorer.colors.dim(
            `    ${plural(group.length - shown.length, 'other')} like that: why ${name}`,
          ),
        ]),
  ];
}

/** The part of the state that decided. */
function readLines({ colors }: Explorer, { read }: Obstacle): string[] {
  if (read === null) return [];
  const text = JSON.stringify(read.value);
  const value =
    text === undefined
      ? 'absent'
      : text.length > LONGEST_VALUE
        ? `${text.slice(0, LONGEST_VALUE)}...`
        : text;
  const path = read.path.map((key) =>
    /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return textLines(`read last: state${path.join('')} is ${value}`, '    ', '      ').map(
    colors.dim,
  );
}
