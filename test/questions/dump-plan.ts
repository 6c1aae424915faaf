import { gatherPlans } from '../../input/gather.ts';
import type { Cascade, Overrides, Plan } from '../../input/plan.ts';
import { temporaryFile } from '../cli/run-cli.ts';

/** A ConfigMap of a dump. */
export interface ObjectText {
  readonly name: string;
  /** Name of its owner. */
  readonly owner: string | null;
  /** Name of a second owner. Absent: it has none. */
  readonly also?: string;
  readonly block: boolean;
  /** Whether it has a finalizer of which nothing is known. */
  readonly held: boolean;
  /** Whether it is being deleted already, and waits for its dependents. Absent: it is not. */
  readonly waits?: true;
  /** Whether it has the finalizer `orphan`. Absent: it has not. */
  readonly orphans?: true;
}

/** As JSON, which is YAML as well. */
export function objectsText(objects: readonly ObjectText[]): string {
  const items = objects.map(({ name, owner, also, block, held, waits, orphans }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...{ name, namespace: 'shop', uid: `u-${name}` },
      finalizers: [
        ...(held ? ['example.com/hold'] : []),
        ...(waits === true ? ['foregroundDeletion'] : []),
        ...(orphans === true ? ['orphan'] : []),
      ],
      ...(waits === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ...(owner === null
        ? {}
        : {
            ownerReferences: [owner, ...(also === undefined ? [] : [also])].map((name) => ({
              ...{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: `u-${name}` },
              blockOwnerDeletion: block,
            })),
          }),
    },
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** @param targets the names of what is deleted, with spaces between them. */
export async function dumpPlan(
  text: string,
  targets: string,
  cascade: Cascade,
  stuckFinalizers: readonly string[] = [],
  namespace = 'shop',
  more: Partial<Overrides> = {},
): Promise<Plan> {
  const file = temporaryFile('dump.json', text);
  const nothing = (async function* () {})();
  const [plan] = await gatherPlans(
    {
      ...{
        inputs: [file],
        museum: false,
        deletions: targets.split(' '),
        cascade,
        namespace,
      },
      ...{ properties: [], overrides: { rules: [], stuckFinalizers, ...more }, maxMegabytes: 10 },
    },
    nothing,
  );
  return plan!;
}
