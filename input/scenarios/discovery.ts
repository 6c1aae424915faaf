import { isWatched, type Kind, type Setup } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { hint } from '../../text/messages.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import type { ScenarioFile } from './schema.ts';

/**
 * Reads failures of discovery, lagging members of etcd, and kinds that are not synced, not
 * installed or not valid; and whether the rate limiters are part of the state.
 */

interface Reading {
  readonly document: SourceDocument;
  readonly catalogue: KindCatalogue;
  readonly rules: Setup['rules'];
  /** The kinds of all objects that can ever be stored. */
  readonly present: readonly Kind[];
}

type Read = Pick<
  Setup,
  | 'discovery'
  | 'neverSyncs'
  | 'syncsLate'
  | 'refusesUpdates'
  | 'notInstalled'
  | 'lags'
  | 'rateLimiter'
>;

export function readDiscovery(file: ScenarioFile, reading: Reading): Read {
  const { discovery, neverSyncs, syncsLate, refusesUpdates, notInstalled, lags, rateLimiter } =
    file.environment ?? {};
  return {
    ...(rateLimiter === true ? { rateLimiter } : {}),
    ...(lags === undefined ? {} : { lags }),
    ...(discovery === undefined
      ? {}
      : {
          discovery: {
            empty: discovery.empty ?? 0,
            failing: groupVersions(discovery.failing ?? {}, reading),
          },
        }),
    ...(neverSyncs === undefined
      ? {}
      : {
          neverSyncs: neverSyncs.map((word, index) =>
            watchedKind(word, reading, ['environment', 'neverSyncs', index]),
          ),
        }),
    ...(syncsLate === undefined
      ? {}
      : {
          syncsLate: syncsLate.map((word, index) =>
            watchedKind(word, reading, ['environment', 'syncsLate', index]),
          ),
        }),
    ...(refusesUpdates === undefined
      ? {}
      : {
          refusesUpdates: refusesUpdates.map((word, index) =>
            presentKind(word, reading, ['environment', 'refusesUpdates', index]),
          ),
        }),
    ...(notInstalled === undefined
      ? {}
      : {
          notInstalled: notInstalled.map((word, index) =>
            presentKind(word, reading, ['environment', 'notInstalled', index]),
          ),
        }),
  };
}

function groupVersions(
  given: Readonly<Record<string, number>>,
  { document, present }: Reading,
): Readonly<Record<string, number>> {
  const known = [...new Set(present.flatMap(({ apiVersions }) => apiVersions.slice(0, 1)))];
  for (const groupVersion of Object.keys(given)) {
    if (known.includes(groupVersion)) continue;
    throw new InputError({
      what: `the collector watches no kind of this scenario in ${groupVersion}`,
      where: document.place(['environment', 'discovery', 'failing', groupVersion]),
      expected: known.join(', '),
    });
  }
  return given;
}

/** Any watched kind: a monitor that never syncs delays all others. */
function watchedKind(word: string, reading: Reading, path: Path): string {
  const { catalogue, document, rules } = reading;
  const [kind] = catalogue.named(word);
  if (kind === undefined) {
    throw new InputError({
      what: `there is no kind "${word}"`,
      where: document.place(path),
      expected: 'a built-in kind, or one of an object in this file',
      next: hint(word, catalogue.words()),
    });
  }
  if (isWatched({ kinds: catalogue.table(), rules }, kind.name)) return kind.name;
  throw new InputError({
    what: `the collector does not watch ${kind.kind}`,
    where: document.place(path),
    expected: 'a kind that it watches',
  });
}

function presentKind(word: string, { catalogue, document, present }: Reading, path: Path): string {
  const names = present.map(({ name }) => name);
  const kind = catalogue.named(word).find(({ name }) => names.includes(name));
  if (kind !== undefined) return kind.name;
  throw new InputError({
    what: `no object here is a ${word}`,
    where: document.place(path),
    expected: names.join(', '),
  });
}
