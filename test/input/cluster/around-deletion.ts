import { NOTHING_SAID } from '../../../input/cluster/around.ts';
import { planDeletion } from '../../../input/manifests/deletion.ts';
import { readDump } from '../../../input/manifests/dump.ts';
import { KindCatalogue } from '../../../input/manifests/kind-catalogue.ts';
import type { Plan } from '../../../input/plan.ts';
import { BUILT_IN_KINDS } from '../../../model/state/kind-table.ts';
import { collectionOf } from '../read-inputs.ts';

/** What is inferred around the deletion of objects of this dump in the background. */
export function aroundDeletion(
  text: string,
  ...targets: readonly string[]
): NonNullable<Plan['cluster']> {
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const read = readDump(collectionOf(text), kinds);
  const question = {
    targets,
    namespace: null,
    cascade: 'background' as const,
    around: NOTHING_SAID,
  };
  const { cluster } = planDeletion(read, question, kinds, []);
  if (cluster === null) throw new Error('a deletion has a cluster');
  return cluster;
}
