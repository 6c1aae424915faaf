import { readFileSync, writeFileSync } from 'node:fs';
import { loadModule } from '../../cli/modules.ts';
import type { PinnedCell } from '../../gate/cell.ts';
import { entryOf, NOTHING_STATED, pinnedIn, type Stated, statedBy } from '../../gate/lock/entry.ts';
import type { Lock } from '../../gate/lock/lock-schema.ts';
import { lockText } from '../../gate/lock/lock-text.ts';
import { prepareGate } from '../../gate/prepare.ts';
import type { CellFacts } from '../../report/document/gate-document.ts';
import { runGate } from './gate-cli.ts';

/**
 * A suite of small scenarios with everything that can drift. They name their properties, so that a
 * new property does not change the expected results.
 */

const OBJECT = (kind: string, name: string, owner?: string) => `  - apiVersion: v1
    kind: ${kind}
    metadata:
      name: ${name}
      namespace: shop
      uid: uid-${name}
${
  owner === undefined
    ? ''
    : `      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: ${owner}, uid: uid-${owner}}]
`
}`;

const PROPERTIES = `properties:
  - finalizers are respected
  - orphaned objects are not collected
  - a claim in use does not leave
  - nothing is stuck
  - every deletion finishes
  - the collector comes to rest
`;

const LATE = `about: A dependent is created just before its owner is orphaned.
objects:
${OBJECT('ConfigMap', 'a')}requests:
  - create:
      apiVersion: v1
      kind: Secret
      metadata:
        name: late
        namespace: shop
        ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a}]
  - delete: ConfigMap/a
    propagationPolicy: Orphan
${PROPERTIES}expect:
  states: 44
  verdicts:
    orphaned objects are not collected: violated
  because:
    orphaned objects are not collected: "https://github.com/kubernetes/kubernetes/issues/26120"
`;

const ENDS = `about: The owner goes at once, its dependent after it.
objects:
${OBJECT('ConfigMap', 'a')}${OBJECT('Secret', 'b', 'a')}requests:
  - delete: ConfigMap/a
outcomes:
  b goes: {Secret/b: gone}
  b stays: {Secret/b: there}
${PROPERTIES}expect:
  outcomes:
    b stays: never
`;

const CHAIN = `about: a owns b.
objects:
${OBJECT('ConfigMap', 'a')}${OBJECT('Secret', 'b', 'a')}requests:
  - delete: ConfigMap/a
    propagationPolicy: Foreground
${PROPERTIES}`;

const DUMP = `apiVersion: v1
kind: List
items:
${OBJECT('ConfigMap', 'a')}${OBJECT('Secret', 'b', 'a')}`;

const SUITE = `groups:
  - scenarios: [late.yaml, ends.yaml]
  - scenarios: [chain.yaml]
    grid: {protocol: [v1.7], workers: [2]}
  - scenarios: [chain.yaml]
    limits: {states: 10}
  - deletions:
      - {dump: [dump.yaml], delete: [cm/a]}
    properties:
      - finalizers are respected
      - a claim in use does not leave
      - the collector comes to rest
`;

export const SMALL_SUITE: Readonly<Record<string, string>> = {
  'reapcheck.suite.yaml': SUITE,
  'late.yaml': LATE,
  'ends.yaml': ENDS,
  'chain.yaml': CHAIN,
  'dump.yaml': DUMP,
};

export const CELLS = {
  late: 'late.yaml',
  ends: 'ends.yaml',
  grid: 'chain.yaml [protocol=v1.7 workers=2]',
  limited: 'chain.yaml',
  dump: 'dump.yaml: delete ConfigMap/a.shop, background',
} as const;

/** A lock with all facts of its cells, as far as tests change it. */
export interface LockJson {
  rules: Record<string, Record<string, string>>;
  cells: Record<string, LockCell>;
  readonly lock: Lock;
  readonly stated: ReadonlyMap<string, Stated>;
}

export interface LockCell {
  protocol: string;
  rules: Record<string, string>;
  facts: Changeable<CellFacts>;
}

type Changeable<Value> = Value extends object
  ? { -readonly [Key in keyof Value]: Changeable<Value[Key]> }
  : Value;

/** Writes the lock of the suite in the working directory, and reads it. */
export async function lockedSmallSuite(): Promise<LockJson> {
  const { code, stdout } = await runGate(['--update', '--accept-worse']);
  if (code !== 0) throw new Error(stdout);
  const nothing = (async function* () {})();
  const { cells, lock } = await prepareGate('reapcheck.suite.yaml', nothing, loadModule);
  const content = lock!.content;
  const stated = new Map(cells.map((cell) => [cell.name, statedBy(cell)]));
  const whole = Object.entries(content.cells).map(([name, entry]) => {
    const cell = pinnedIn(entry, content.properties, stated.get(name)!, null);
    if (!cell.isCertain) throw new Error(`the lock does not say what ${name} pins`);
    return [name, cell];
  });
  return { rules: content.rules, cells: Object.fromEntries(whole), lock: content, stated };
}

/** Writes the lock as the gate would have written it if these had been the facts. */
export function writeLockJson({ rules, cells, lock, stated }: LockJson): string {
  const entries = Object.entries(cells).map(([name, cell]) => [
    name,
    entryOf(cell as unknown as PinnedCell, stated.get(name) ?? NOTHING_STATED, lock.properties),
  ]);
  const text = lockText({ ...lock, rules, cells: Object.fromEntries(entries) });
  writeFileSync('reapcheck.lock.json', text);
  return text;
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
