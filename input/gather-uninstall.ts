import { keyOf } from '../model/index.ts';
import { MESSAGES } from '../text/messages.ts';
import { readCollection } from './collections/collection.ts';
import type { Bytes } from './documents/source.ts';
import { aroundGiven, asGiven, readGivenDump, type WantedPlans } from './gather.ts';
import { readDump } from './manifests/dump.ts';
import { keysOfRelease, type Release, releaseOf } from './manifests/release.ts';

/** What is to be uninstalled: a Helm release by its name, or the objects of manifests. */
export interface WantedRelease {
  readonly release: string | null;
  readonly manifests: readonly string[];
}

/** Reads and validates the input of an uninstall. Throws `InputError`. */
export async function gatherRelease(
  given: WantedPlans,
  { release, manifests }: WantedRelease,
  stdin: Bytes,
): Promise<Release> {
  if ((release === null) === (manifests.length === 0)) {
    throw MESSAGES.usage('uninstall needs either --release NAME or --manifests FILE');
  }
  const { dump, kinds } = await readGivenDump(given, stdin);
  const keys =
    release === null
      ? new Set(
          readDump(await readCollection(manifests, stdin, given), kinds).objects.map(({ object }) =>
            keyOf(object),
          ),
        )
      : keysOfRelease(dump, release);
  const title = `uninstall ${release ?? manifests.join(', ')}`;
  const around = await aroundGiven(given);
  // What never acts is part of the cluster around the objects; not every stage has each finalizer.
  const changed = { ...given, overrides: { ...given.overrides, stuckFinalizers: [] } };
  const found = releaseOf(dump, title, keys, around, kinds, (plan) => asGiven(plan, changed));
  if (found.objects.length > 0) return found;
  throw MESSAGES.usage(
    `the dump has nothing of ${release ?? manifests.join(', ')}`,
    'expected objects with the annotation meta.helm.sh/release-name or the label app.kubernetes.io/instance, or those of the manifests',
  );
}
