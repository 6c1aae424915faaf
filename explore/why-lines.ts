import { plural } from '../text/layout.ts';
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
  const enabled =
    asked === null
      ? []
      : instances.filter(
          (instance) => !obstacles.some((obstacle) => obstacle.instance === instance),
        );
  const only = obstacles.length === 1 && asked !== null ? obstacles[0] : undefined;
  return [
    ...enabled.flatMap((instance) => enabledLine(explorer, state, instance)),
    ...groups(obstacles).flatMap((group) => groupLines(explorer, group, inFull)),
    ...(only === undefined ? [] : readLines(explorer, only)),
  ];
}

function enabledLine(
  explorer: Explorer,
  state: unknown,
  { action, label }: NamedInstance,
): string[] {
  const wanted = JSON.stringify(action);
  const index = explorer
    .enabled(state)
    .findIndex((enabled) => JSON.stringify(enabled.action) === wanted);
  return textLines(`${label}: enabled, number ${index + 1}`, '  ', '    ');
}

/** By action, in the order of the model. */
function groups(obstacles: readonly Obstacle[]): readonly (readonly Obstacle[])[] {
  const found = new Map<string, Obstacle[]>();
  for (const obstacle of obstacles) {
    const { name } = obstacle.instance.action;
    found.set(name, [...(found.get(name) ?? []), obstacle]);
  }
  return [...found.values()];
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
