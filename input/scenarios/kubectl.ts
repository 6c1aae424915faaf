import { CASCADES, type KubectlFlags } from '../../model/index.ts';
import { InputError, type Place } from '../../text/input-error.ts';

/** Reads the `kubectl delete` command lines of a scenario. */
export interface KubectlCommand {
  /** `KIND/NAME` or `KIND/NAME.NAMESPACE`. */
  readonly target: string;
  readonly flags: KubectlFlags;
}

const FLAGS = '--cascade, --wait, --grace-period, --now, --force, --dry-run, --namespace';

/** Reads `delete KIND/NAME [flags]` as kubectl does. Throws an `InputError`. */
export function readKubectl(command: string, where: Place): KubectlCommand {
  const refuse = (what: string, expected?: string): never => {
    throw new InputError({ what, where, ...(expected === undefined ? {} : { expected }) });
  };
  const words = command.trim().split(/\s+/);
  if (words[0] === 'kubectl') words.shift();
  if (words.shift() !== 'delete')
    refuse(`"${command}" is not a kubectl delete command`, 'delete KIND/NAME');
  const named: string[] = [];
  const given = new Map<string, string>();
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name = '', value] = word.match(/^--?([a-z-]+)(?:=(.*))?$/) ?? [];
    if (name === '') named.push(word);
    else if (value !== undefined || OPTIONAL[name] !== undefined) {
      given.set(name, value ?? OPTIONAL[name] ?? '');
    } else given.set(name === 'n' ? 'namespace' : name, words.shift() ?? '');
  }
  const unknown = [...given.keys()].find((name) => !FLAGS.includes(`--${name}`));
  if (unknown !== undefined) refuse(`--${unknown} is not supported here`, FLAGS);
  const target = named.length === 2 ? named.join('/') : (named[0] ?? '');
  if (named.length < 1 || named.length > 2 || !target.includes('/')) {
    refuse(`"${command}" does not name one object`, 'delete KIND/NAME');
  }
  const namespace = given.get('namespace');
  const flags = flagsOf(given, refuse);
  return { target: namespace === undefined ? target : `${target}.${namespace}`, flags };
}

/** Flags that need no value, with the value that they have then. */
const OPTIONAL: Readonly<Record<string, string>> = {
  cascade: 'background',
  wait: 'true',
  now: 'true',
  force: 'true',
};

type Refuse = (what: string, expected?: string) => never;

/** Mirrors `DeleteOptions.Complete` and `Validate` of kubectl (1.20). */
function flagsOf(given: ReadonlyMap<string, string>, refuse: Refuse): KubectlFlags {
  const yes = (name: string, usual: boolean): boolean => {
    const value = given.get(name) ?? String(usual);
    if (value !== 'true' && value !== 'false') {
      return refuse(`--${name} is "${value}"`, 'true or false');
    }
    return value === 'true';
  };
  const cascade = CASCADES.find((spelling) => spelling === (given.get('cascade') ?? 'true'));
  if (cascade === undefined) {
    return refuse(`--cascade is "${given.get('cascade')}"`, CASCADES.join(', '));
  }
  const written = given.get('grace-period') ?? '-1';
  if (!/^-?\d+$/.test(written)) return refuse(`--grace-period is "${written}"`, 'seconds');
  const period = Number(written);
  const force = yes('force', false);
  const now = yes('now', false);
  if (now && period !== -1) return refuse('--now and --grace-period cannot be given together');
  if (force && period > 0)
    return refuse('--force and a --grace-period above 0 contradict each other');
  if (force && now) return refuse('--force and --now contradict each other');
  const gracePeriod = completed(period, force, now);
  const dryRun = given.get('dry-run') ?? 'none';
  if (dryRun !== 'none' && dryRun !== 'server') {
    return refuse(`--dry-run is "${dryRun}"`, 'server or none; a client dry run sends no request');
  }
  return {
    cascade,
    // kubectl does not wait after a dry run.
    wait: yes('wait', true) && dryRun === 'none',
    ...(gracePeriod === null ? {} : { gracePeriod }),
    ...(dryRun === 'server' ? { dryRun: true } : {}),
  };
}

/** Without `--force` a grace period of 0 counts as 1. */
function completed(period: number, force: boolean, now: boolean): number | null {
  if (force) return 0;
  if (now || period === 0) return 1;
  return period < 0 ? null : period;
}
