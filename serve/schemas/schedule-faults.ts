import { type Body, textIn } from '../cluster/body.ts';
import type { Fault } from '../requests/status.ts';
import { invalid, required } from './field-faults.ts';

/** What is wrong with the times of a CronJob. Mirrors the parts of `validateCronJobSpec`. */
export function scheduleFaults(spec: Body): readonly Fault[] {
  const schedule = textIn(spec, 'schedule');
  if (schedule === '') return required(spec, 'schedule', 'spec');
  const words = [
    parseFault(schedule),
    schedule.includes('TZ')
      ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
      : null,
  ];
  return [
    ...words.flatMap((why) => (why === null ? [] : [invalid('spec.schedule', schedule, why)])),
    ...zoneFaults(spec.timeZone),
    ...['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].flatMap(
      (field) =>
        Number(spec[field] ?? 0) < 0
          ? [invalid(`spec.${field}`, spec[field], 'must be greater than or equal to 0')]
          : [],
    ),
  ];
}

/** Mirrors `validateTimeZone`, with the zones that this process knows. */
function zoneFaults(zone: unknown): readonly Fault[] {
  if (typeof zone !== 'string') return [];
  const wrong = (why: string): readonly Fault[] => [invalid('spec.timeZone', zone, why)];
  if (zone === '') return wrong('timeZone must be nil or non-empty string');
  if (zone.toLowerCase() === 'local') {
    return wrong(
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    );
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return [];
  } catch {
    return wrong(`unknown time zone ${zone}`);
  }
}

const DESCRIPTORS = ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'];
/** `time.ParseDuration`. */
const DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;

/** Mirrors `cron.ParseStandard` of robfig/cron. */
function parseFault(schedule: string): string | null {
  const spec = schedule.replace(/^(?:CRON_)?TZ=\S* +/, '');
  if (spec.startsWith('@')) {
    const every = /^@every (.*)$/.exec(spec)?.[1];
    if (every !== undefined) {
      const why = `time: invalid duration ${JSON.stringify(every)}`;
      return DURATION.test(every) ? null : `failed to parse duration ${spec}: ${why}`;
    }
    return DESCRIPTORS.includes(spec.slice(1)) ? null : `unrecognized descriptor: ${spec}`;
  }
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== BOUNDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bounds] of BOUNDS.entries()) {
    for (const range of (fields[index] ?? '').split(',')) {
      const fault = range === '' ? null : rangeFault(range, bounds);
      if (fault !== null) return fault;
    }
  }
  return null;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** The first one is `least`. */
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Minutes, hours, days of the month, months, days of the week. */
const BOUNDS: readonly Bounds[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

function rangeFault(range: string, { least, most, names }: Bounds): string | null {
  const [ends = '', step, ...tooMany] = range.split('/');
  const [low = '', high, ...others] = ends.split('-');
  const isAny = low === '*' || low === '?';
  const number = (text: string): number => {
    const named = names.indexOf(text.toLowerCase());
    return named === -1 ? (/^\d+$/.test(text) ? Number(text) : Number.NaN) : least + named;
  };
  const notNumber = (text: string) =>
    `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  const [start, end] = isAny ? [least, most] : [number(low), number(high ?? low)];
  if (Number.isNaN(start)) return notNumber(low);
  if (others.length > 0 && !isAny) return `too many hyphens: ${range}`;
  if (Number.isNaN(end)) return notNumber(high ?? low);
  if (tooMany.length > 0) return `too many slashes: ${range}`;
  if (step !== undefined && !/^\d+$/.test(step)) return notNumber(step);
  const last = step !== undefined && high === undefined ? most : end;
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (last > most) return `end of range (${last}) above maximum (${most}): ${range}`;
  if (start > last) return `beginning of range (${start}) beyond end of range (${last}): ${range}`;
  return Number(step ?? 1) === 0 ? `step of range should be a positive number: ${range}` : null;
}
