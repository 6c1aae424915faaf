import { ACTOR_NAMES, type ActorName } from '../../input/cluster/actors.ts';
import type { Part } from '../../input/cluster/worlds.ts';
import { CASCADES, type Overrides, type Subject } from '../../input/plan.ts';
import { VARIANTS, WORKERS_HIGHEST } from '../../input/scenarios/terms.ts';
import { TOKEN_ERRORS } from './errors.ts';

/** A file as it is, with nothing asked of it or changed in it. */
export function fileSubject(file: string): Subject {
  return {
    inputs: [file],
    museum: false,
    variant: null,
    deletions: [],
    cascade: 'background',
    namespace: null,
    overrides: { rules: [], stuckFinalizers: [] },
  };
}

/** The first input, then `option=value`, separated by commas. */
export function writeSubject(subject: Subject): string {
  const { inputs, museum, variant, deletions, cascade, namespace, overrides } = subject;
  const { initial = 0, grace, expected } = subject;
  const { protocol, rules, stuckFinalizers, deleteWorkers, relists } = overrides;
  const { around, world, finalizerTable } = overrides;
  const [first = '', ...more] = inputs;
  const options: readonly (readonly [string, string])[] = [
    ...more.map((input) => ['input', input] as const),
    ...(initial === 0 ? [] : [['initial', String(initial)] as const]),
    ...(variant === null ? [] : [[museum ? 'museum' : 'variant', variant] as const]),
    ...deletions.map((target) => ['delete', target] as const),
    ...(deletions.length === 0 || cascade === 'background' ? [] : [['cascade', cascade] as const]),
    ...(grace === undefined ? [] : [['grace', String(grace)] as const]),
    ...(namespace === null ? [] : [['namespace', namespace] as const]),
    ...(expected === undefined ? [] : [['expect', expected] as const]),
    ...(protocol === undefined ? [] : [['protocol', protocol] as const]),
    ...rules.map(({ name, value }) => ['rule', `${name}=${value}`] as const),
    ...stuckFinalizers.map((name) => ['stuck', name] as const),
    ...(deleteWorkers === undefined ? [] : [['workers', String(deleteWorkers)] as const]),
    ...(relists === undefined ? [] : [['relists', String(relists)] as const]),
    ...(finalizerTable === undefined ? [] : [['table', finalizerTable] as const]),
    ...(around?.with ?? []).map((name) => ['with', name] as const),
    ...(around?.without ?? []).map((name) => ['without', name] as const),
    ...(around?.lostNodes ?? []).map((name) => ['lost', name] as const),
    ...(around?.cooperative ?? []).map((name) => ['acts', name] as const),
    ...(around?.admitted ?? []).map((name) => ['admitted', name] as const),
    ...(world === undefined
      ? []
      : [
          [
            'world',
            [world.finalizers, world.owners, world.alike ?? 'all', writtenPart(world.part)].join(
              '.',
            ),
          ] as const,
        ]),
  ];
  return [written(first), ...options.map(([name, value]) => `${name}=${written(value)}`)].join(',');
}

/** Throws `InputError`. */
export function readSubject(text: string): Subject {
  const [first = '', ...options] = text.split(',');
  const given = options.map((option) => {
    const equals = option.indexOf('=');
    return {
      name: option.slice(0, Math.max(0, equals)),
      value: readBack(option.slice(equals + 1)),
    };
  });
  for (const { name } of given) if (!OPTIONS.has(name)) throw badOptions();
  const names = given.map(({ name }) => name);
  demandOnce(names.filter((name) => !REPEATED.has(name)));
  const all = (name: string): readonly string[] =>
    given.flatMap((option) => (option.name === name ? [option.value] : []));
  const one = (name: string): string | null => all(name)[0] ?? null;
  const protocol = one('protocol');
  const deleteWorkers = wholeOrNull(one('workers'));
  const relists = wholeOrNull(one('relists'));
  const table = one('table');
  const initial = wholeOrNull(one('initial'));
  const grace = wholeOrNull(one('grace'));
  const expected = one('expect');
  // The same limits as on the command line.
  if (deleteWorkers === 0 || (deleteWorkers ?? 0) > WORKERS_HIGHEST) throw badOptions();
  // `museum` and `variant` both name a variant: of a built-in entry, or of a file with one.
  demandOnce(names.flatMap((name) => (['museum', 'variant'].includes(name) ? ['variant'] : [])));
  const rules = all('rule').map((rule) => {
    const equals = rule.indexOf('=');
    if (equals <= 0) throw badOptions();
    return { name: rule.slice(0, equals), value: rule.slice(equals + 1) };
  });
  demandOnce(rules.map(({ name }) => `rule ${name}`));
  const museum = one('museum') !== null;
  const variant = one('museum') ?? one('variant');
  const cascade = one('cascade') ?? 'background';
  return {
    inputs: [readBack(first), ...all('input')],
    ...(initial === null ? {} : { initial }),
    museum,
    variant: variant === null ? null : knownOf(VARIANTS, variant),
    deletions: all('delete'),
    cascade: knownOf(CASCADES, cascade),
    ...(grace === null ? {} : { grace }),
    namespace: one('namespace'),
    ...(expected === null ? {} : { expected }),
    overrides: {
      ...(protocol === null ? {} : { protocol }),
      rules,
      stuckFinalizers: all('stuck'),
      ...(deleteWorkers === null ? {} : { deleteWorkers }),
      ...(relists === null ? {} : { relists }),
      ...(table === null ? {} : { finalizerTable: table }),
      ...aroundOf(all),
      ...worldOf(one('world')),
    },
  };
}

function aroundOf(all: (name: string) => readonly string[]): Pick<Overrides, 'around'> {
  const actor = (name: string): ActorName => knownOf(ACTOR_NAMES, name);
  const around = {
    with: all('with').map(actor),
    without: all('without').map(actor),
    lostNodes: all('lost'),
    cooperative: all('acts'),
    admitted: all('admitted'),
  };
  return Object.values(around).some((names) => names.length > 0) ? { around } : {};
}

function worldOf(text: string | null): Pick<Overrides, 'world'> {
  if (text === null) return {};
  const [finalizers = '', owners = '', alike = '', part = ''] = text.split('.');
  return {
    world: {
      finalizers: knownOf(['act', 'may', 'never'] as const, finalizers),
      owners: knownOf(['there', 'gone'] as const, owners),
      alike: alike === 'all' ? null : wholeOrNull(alike),
      part: part === 'all' ? null : partOf(part),
    },
  };
}

function writtenPart(part: Part | null): string {
  if (part === null) return 'all';
  const { division, number } = part;
  if (part.division !== 'pieces') {
    return [`${division}${number}`, ...(part.beside ?? [])].join('+beside');
  }
  const shown = SHOWN.flatMap((word) =>
    (part.shown[word] ?? []).map((place) => `+${word}${place}`),
  );
  const holders = (part.holders ?? []).map((place) => `+holders${place}`);
  const operators = OF_OPERATORS.flatMap((word) =>
    (part.operators?.[word] ?? []).map((place) => `+${word}${place}`),
  );
  return `${division}${number}${[...shown, ...holders, ...operators].join('')}`;
}

const SHOWN = ['deleted', 'waiting', 'left', 'kept', 'released', 'used', 'unsent'] as const;
const OF_OPERATORS = ['stops', 'starts', 'ends'] as const;
const OF_PIECES = [...SHOWN, 'holders', ...OF_OPERATORS] as const;

function partOf(text: string): Part {
  const [, name = '', digits = '', more = ''] =
    /^([a-z]+)(\d{1,6})((?:\+[a-z]+\d{1,6})*)$/.exec(text) ?? [];
  const division = knownOf(['trees', 'chains', 'pieces'] as const, name);
  const number = Number(digits);
  const known = division === 'pieces' ? OF_PIECES : (['beside'] as const);
  const shown = more
    .split('+')
    .slice(1)
    .map((word) => ({
      word: knownOf(known, word.replace(/\d+$/, '')),
      place: Number(/\d+$/.exec(word)?.[0]),
    }));
  const places = (asked: (typeof OF_PIECES)[number] | 'beside'): readonly number[] =>
    shown.filter(({ word }) => word === asked).map(({ place }) => place);
  if (division !== 'pieces') {
    const beside = places('beside');
    return { division, number, ...(beside.length === 0 ? {} : { beside }) };
  }
  const [holders, unsent] = [places('holders'), places('unsent')];
  const operators = {
    ...{ stops: places('stops'), starts: places('starts'), ends: places('ends') },
  };
  const isEnding = operators.stops.length + operators.ends.length > 0;
  return {
    ...{ division, number },
    ...(holders.length === 0 ? {} : { holders }),
    ...(isEnding ? { operators } : {}),
    shown: {
      ...{ deleted: places('deleted'), waiting: places('waiting') },
      ...{ left: places('left'), kept: places('kept') },
      ...{ released: places('released'), used: places('used') },
      ...(unsent.length === 0 ? {} : { unsent }),
    },
  };
}

const OPTIONS: ReadonlySet<string> = new Set([
  ...['input', 'initial', 'museum', 'variant', 'delete', 'cascade', 'grace'],
  ...['namespace', 'expect', 'protocol', 'rule', 'stuck', 'workers', 'relists'],
  ...['with', 'without', 'lost', 'acts', 'admitted', 'world', 'table'],
]);

/** Options that may occur several times. */
const REPEATED: ReadonlySet<string> = new Set([
  ...['input', 'delete', 'rule', 'stuck'],
  ...['with', 'without', 'lost', 'acts', 'admitted'],
]);

function demandOnce(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw TOKEN_ERRORS.badToken(`it has ${twice} twice`);
}

function badOptions() {
  return TOKEN_ERRORS.badToken('its options are not valid');
}

function knownOf<Known extends string>(known: readonly Known[], given: string): Known {
  const found = known.find((candidate) => candidate === given);
  if (found === undefined) throw badOptions();
  return found;
}

function wholeOrNull(given: string | null): number | null {
  if (given === null) return null;
  if (!/^\d{1,6}$/.test(given)) throw badOptions();
  return Number(given);
}

/** Escapes all characters that are special to shells or that separate fields. */
function written(text: string): string {
  return text.replaceAll(/[^\w./=+-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

function readBack(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badOptions();
  }
}
