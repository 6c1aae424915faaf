import { gatherPlans } from '../../input/gather.ts';
import type { Cascade, Plan } from '../../input/plan.ts';
import { temporaryFile } from '../cli/run-cli.ts';

/** A ConfigMap of a dump. */
export interface ObjectText {
  readonly name: string;
  /** Name of its owner. */
  readonly owner: string | null;
  readonly block: boolean;
  /** Whether it has a finalizer of which nothing is known. */
  readonly held: boolean;
  /** Whether it is being deleted already, and waits for its dependents. Absent: it is not. */
  readonly waits?: true;
}

/** As JSON, which is YAML as well. */
export function objectsText(objects: readonly ObjectText[]): string {
  const items = objects.map(({ name, owner, block, held, waits }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...{ name, namespace: 'shop', uid: `u-${name}` },
      finalizers: [
        ...(held ? ['example.com/hold'] : []),
        ...(waits === true ? ['foregroundDeletion'] : []),
      ],
      ...(waits === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ...(owner === null
        ? {}
        : {
            ownerReferences: [
              {
                ...{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: `u-${owner}` },
                blockOwnerDeletion: block,
              },
            ],
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
        namespace: 'shop',
      },
      ...{ properties: [], overrides: { rules: [], stuckFinalizers }, maxMegabytes: 10 },
    },
    nothing,
  );
  return plan!;
}
