import type { LimitKind, Limits } from '../checker/index.ts';
import { thinned } from '../input/cluster/likeness/alike.ts';
import { displayName } from '../input/manifests/names.ts';
import type { Setup } from '../model/index.ts';
import { plural, secondsWords } from '../text/layout.ts';

/**
 * So many alike objects show nearly all that any number of them does, at a fraction of the cost.
 */
const FEW = 3;
/** With fewer objects, their number is not what makes a search large. */
const MANY = 8;

type Advice = (kind: LimitKind, limits: Limits, growth?: () => string) => string;

/**
 * What the user may do about a limit: more of it, or a smaller question. Names what makes this one
 * large.
 *
 * @param asked what the user gave, where less is left of it. Absent: as the search has it.
 */
export function adviceOn(setup: Setup, how: 'search' | 'walks', asked?: Limits): Advice {
  let smallerOnes: string | null = null;
  return advised(() => {
    // Each property that is open tells it.
    smallerOnes ??= smallerQuestions(setup, how).join('; ');
    return `or ask a smaller question: ${smallerOnes}.`;
  }, asked);
}

/** As `adviceOn`, for a model in a module. */
export function adviceOnModel(how: 'search' | 'walks'): Advice {
  if (how === 'walks') return advised(() => 'or take fewer walks (--walks).');
  const smaller = [
    'bound it',
    'export a constraint (within)',
    'declare its symmetry',
    'or walk at random (reapcheck simulate)',
  ];
  return advised((growth) => `or make the model smaller: ${smaller.join(', ')}. ${growth()}`);
}

function advised(smallerOf: (growth: () => string) => string, asked?: Limits): Advice {
  return (kind, searched, growth = () => '') => {
    const limits = asked ?? searched;
    const smaller = smallerOf(growth).trim();
    switch (kind) {
      case 'states':
        return `Raise the limit of ${limits.states} states (--max-states), ${smaller}`;
      case 'depth':
        return `Raise the limit of ${limits.depth} steps (--max-depth), or remove it: a search without it ends by itself if there are finitely many states.`;
      case 'time':
        return `Give it more than ${secondsWords(limits.seconds ?? 0)} (--timeout), ${smaller}`;
      case 'memory':
        return limits.megabytes === undefined
          ? `The memory of this machine does not suffice: use a larger one, ${smaller}`
          : `Give it more than ${limits.megabytes} MB (--memory), ${smaller}`;
      case 'interrupted':
        return 'Run it again and let it finish, or set a limit on states or time.';
      case 'walks':
        throw new Error('no search is limited by walks');
      default:
        throw new Error(`unknown limit ${kind satisfies never}`);
    }
  };
}

function smallerQuestions(setup: Setup, how: 'search' | 'walks'): readonly string[] {
  const workers = setup.deleteWorkers + setup.orphanWorkers;
  const relists = Object.values(setup.relists).some((count) => count > 0);
  const isLarge = setup.objects.length >= MANY;
  return [
    ...alikeObjects(setup),
    ...(workers > 2 ? [`${workers} workers of the collector (fewer with --workers)`] : []),
    ...(relists ? ['watches that may break (fewer with --relists)'] : []),
    ...(how === 'search' ? ['judge one property only (--property)'] : []),
    ...(how === 'search' && isLarge ? ['or walk at random (reapcheck simulate)'] : []),
  ];
}

/** The objects that make it large. */
function alikeObjects(setup: Setup): readonly string[] {
  const groups = thinned(setup, FEW)?.groups ?? [];
  const [largest] = [...groups].sort((one, other) => other.size - one.size);
  const count = setup.objects.length;
  if (largest === undefined) {
    return count < MANY ? [] : [`${count} objects make it large, so leave some out`];
  }
  const members = setup.objects.filter(({ uid }) => largest.kept.includes(uid));
  const { kind, ownerReferences } = members[0]!;
  const owners = setup.objects.filter(({ uid }) =>
    ownerReferences.some((reference) => reference.uid === uid),
  );
  const of = owners.length === 0 ? '' : ` of ${owners.map(displayName).join(' and ')}`;
  return [
    `${plural(largest.size, `alike ${kind}`)}${of} make it large, so ask with ${FEW} of them first`,
  ];
}
