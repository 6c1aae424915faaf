import { keyOf } from '../model/index.ts';
import { someNames } from '../text/layout.ts';
import { MESSAGES } from '../text/messages.ts';
import { readCollection } from './collections/collection.ts';
import type { Bytes } from './documents/source.ts';
import { aboutDump, aroundGiven, readGivenDump } from './gather-dump.ts';
import { type Dump, readDump } from './manifests/dump.ts';
import type { KindCatalogue } from './manifests/kind-catalogue.ts';
import { readLabelSelector } from './manifests/label-selector.ts';
import { displayName } from './manifests/names.ts';
import {
  keysOfRelease,
  keysSelected,
  type Meant,
  type Release,
  releaseOf,
} from './manifests/release.ts';
import type { WantedPlans } from './wanted-plans.ts';

/** What is to be uninstalled. Exactly one of them is given. */
export interface WantedRelease {
  /** The name of a Helm release. */
  readonly release: string | null;
  /** A label selector, as kubectl takes it. */
  readonly selector: string | null;
  /** What was applied. */
  readonly manifests: readonly string[];
}

/** Reads and validates the input of an uninstall. Throws `InputError`. */
export async function gatherRelease(
  given: WantedPlans,
  wanted: WantedRelease,
  stdin: Bytes,
): Promise<Release> {
  const { release, selector, manifests } = wanted;
  const ways = [release !== null, selector !== null, manifests.length > 0];
  if (ways.filter((way) => way).length !== 1) {
    throw MESSAGES.usage(
      'uninstall needs one of --release NAME, --selector LABELS and --manifests FILE',
    );
  }
  const read = await readGivenDump(given, stdin);
  const { dump, kinds } = read;
  const meant = await meantBy(wanted, dump, kinds, given, stdin);
  const named = release ?? selector ?? manifests.join(', ');
  const around = await aroundGiven(given, read);
  // What never acts is part of the cluster around the objects; not every stage has each finalizer.
  const changed = { ...given, overrides: { ...given.overrides, stuckFinalizers: [] } };
  const found = releaseOf(dump, `uninstall ${named}`, meant, around, kinds, (plan) =>
    aboutDump(plan, changed),
  );
  if (found.objects.length > 0) return found;
  if (found.kept.length > 0) {
    throw MESSAGES.usage(
      `${named} has only objects that stay: helm.sh/resource-policy says keep`,
      `reapcheck delete says what happens if one of them is deleted: ${someNames(found.kept.map(displayName))}`,
    );
  }
  throw MESSAGES.usage(
    `the dump has nothing of ${named}`,
    'expected objects with the annotation meta.helm.sh/release-name or the label app.kubernetes.io/instance, with the labels of the selector, or those of the manifests',
  );
}

/** Which objects are meant, and what the manifests say of them. */
async function meantBy(
  { release, selector, manifests }: WantedRelease,
  dump: Dump,
  kinds: KindCatalogue,
  given: WantedPlans,
  stdin: Bytes,
): Promise<Meant> {
  if (release !== null) return { keys: keysOfRelease(dump, release) };
  if (selector !== null) return { keys: keysSelected(dump, readLabelSelector(selector)) };
  const applied = readDump(await readCollection(manifests, stdin, given), kinds);
  return { keys: new Set(applied.objects.map(({ object }) => keyOf(object))), applied };
}
