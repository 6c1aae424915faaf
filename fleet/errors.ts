import { escaped } from '../text/escape.ts';
import { InputError } from '../text/input-error.ts';
import { plural } from '../text/layout.ts';

const LATER =
  'the same command finds what is finished in Redis; a search that was divided begins anew';
const CHECK = 'check the address, the network and TLS';

/** What to do about a certificate, by the code of Node.js; the first row that fits. */
const CERTIFICATES: readonly (readonly [RegExp, string])[] = [
  [/ALTNAME/, 'the certificate is for other names: give a host name that it has'],
  [/REVOKED/, 'the certificate is revoked: renew it'],
  [/EXPIRED|NOT_YET_VALID/, 'renew the certificate of Redis, or set the clock here'],
  [
    /CERT|SIGNATURE/,
    'for a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file',
  ],
];

function toCheck(why: string | null): string {
  return CERTIFICATES.find(([code]) => code.test(why ?? ''))?.[1] ?? CHECK;
}

/** What Redis means, by the first word that it says. Its own sentences are for programmers. */
const SAID: ReadonlyMap<string, string> = new Map([
  ['NOAUTH', 'it asks for a password'],
  ['WRONGPASS', 'user or password is wrong'],
  ['MISCONF', 'it cannot save'],
  ['READONLY', 'it is a replica'],
]);

function saidBy(why: string): string {
  const [word = ''] = why.split(' ', 1);
  const meant = SAID.get(word);
  return meant === undefined ? why : `${meant} (${word})`;
}

function silence(shown: string, seconds: number, why: string | null): string {
  const because = why === null ? '' : ` (${why})`;
  return `Redis at ${shown} has not answered for ${plural(seconds, 'second')}${because}`;
}

/** What a worker or a client says at once when Redis does not answer. */
export function awayNote(shown: string, seconds: number, why: string): string {
  return `Redis at ${shown} does not answer (${escaped(why)}); trying for ${seconds} s`;
}

export const BACK_NOTE = 'Redis is back';

function ofOthers(workers: number): readonly string[] {
  if (workers === 0) return [];
  return [
    workers === 1
      ? 'there is 1 worker of another version'
      : `there are ${workers} workers of other versions`,
  ];
}

/** Input errors about fleets. None of them shows a password. */
export const FLEET_ERRORS = {
  wrongUrl: (option: string): InputError =>
    new InputError({
      what: `--${option} takes the URL of a Redis`,
      expected: 'redis://[[USER]:PASSWORD@]HOST[:PORT][/DB], or rediss:// for TLS',
      next: 'a password with other than letters and digits is written with percent signs',
    }),

  notInstalled: (missing: string): InputError =>
    new InputError({
      what: `a fleet needs the package ${missing}, which is not installed`,
      next: [
        'npm install bullmq@6 ioredis@6                 beside reapcheck, or',
        'npm install --global reapcheck bullmq@6 ioredis@6',
      ],
    }),

  /** Nothing was asked yet, or a worker says so. */
  notThere: (shown: string, seconds: number, why: string | null): InputError =>
    new InputError({ what: silence(shown, seconds, why), next: toCheck(why) }),

  away: (shown: string, seconds: number, why: string | null): InputError =>
    new InputError({ what: silence(shown, seconds, why), next: [toCheck(why), LATER] }),

  refused: (shown: string, why: string): InputError =>
    new InputError({
      what: `Redis at ${shown} refuses reapcheck: ${saidBy(why)}`,
      next: [
        'check user, password and database in the URL: docs/fleet.md',
        'without a password there, REAPCHECK_REDIS_PASSWORD counts',
        'the user needs all commands, and keys bull:reapcheck*',
      ],
    }),

  full: (shown: string, seconds: number): InputError =>
    new InputError({
      what: `Redis at ${shown} is full, and has been so for ${plural(seconds, 'second')}`,
      next: ['give it more maxmemory, with the policy noeviction: docs/fleet.md', LATER],
    }),

  notWriting: (shown: string, seconds: number, why: string): InputError =>
    new InputError({
      what: `Redis at ${shown} has not written for ${seconds} s: ${saidBy(why)}`,
      next: LATER,
    }),

  noWorker: (shown: string, seconds: number, version: string, others: number): InputError =>
    new InputError({
      what: `no worker of this version has been at ${shown} for ${plural(seconds, 'second')}`,
      expected: `reapcheck ${version}, the same code on the same major version of Node`,
      next: [...ofOthers(others), 'on any machine: reapcheck fleet worker --redis URL', LATER],
    }),

  lost: (shown: string, times: number): InputError =>
    new InputError({
      what: `Redis at ${shown} lost a job ${plural(times, 'time')}`,
      next: 'switch eviction off (maxmemory-policy noeviction), and appendonly on: docs/fleet.md',
    }),

  stepFailed: (shown: string, why: string): InputError =>
    new InputError({
      what: `the workers at ${shown} could not go on with the search: ${why}`,
      next: ['see what the workers and Redis say', 'a search begins anew with the same command'],
    }),

  tooLarge: (kind: string, megabytes: number, most: number): InputError =>
    new InputError({
      what: `a job (${kind}) has ${megabytes} MB, and at most ${most} go to a fleet`,
      next: 'run it without --fleet, or narrow the input',
    }),

  modules: (input: string): InputError =>
    new InputError({
      what: `--fleet does not take ${input}: a module is code, and only data is sent to a fleet`,
      next: 'run it without --fleet, or write the model as a scenario: docs/scenarios.md',
    }),

  late: (): InputError =>
    new InputError({
      what: 'the time was up before the fleet answered',
      next: ['give it more --timeout or more workers', LATER],
    }),

  codeChanged: (): InputError =>
    new InputError({
      what: 'the code of reapcheck changed while this worker ran',
      next: 'start the worker again: it then takes the jobs of the new version',
    }),
} as const;

/** What Redis says if it has taken no writes for so long. */
export function refusedWrites(shown: string, seconds: number, why: string): InputError {
  if (why.startsWith('OOM')) return FLEET_ERRORS.full(shown, seconds);
  return why.startsWith('NOPERM')
    ? FLEET_ERRORS.refused(shown, why)
    : FLEET_ERRORS.notWriting(shown, seconds, why);
}
