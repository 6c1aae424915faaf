import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_KINDS, type Kind, keyOf, type Setup, type UserStep } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { NOTHING_SAID } from '../cluster/around.ts';
import { observe } from '../cluster/observations.ts';
import type { SourceDocument } from '../documents/document.ts';
import { documents } from '../documents/documents.ts';
import { decodedSource, type Source } from '../documents/source.ts';
import { KUBECTL, planAbout } from '../manifests/deletion.ts';
import { readDump } from '../manifests/dump.ts';
import { KindCatalogue } from '../manifests/kind-catalogue.ts';
import { findTarget } from '../manifests/target.ts';
import { PROPERTY_NAMES } from '../property-names.ts';
import { isScenario, readScenario } from '../scenarios/scenario.ts';

/** The place of a text without a file, for errors. */
const INLINE = 'cluster.yaml';

/** What happens to the objects of a dump, which has no requests of its own. */
export interface DumpRequests {
  /** `KIND/NAME` or `KIND/NAME.NAMESPACE`: deleted one after the other, by `kubectl`. */
  readonly delete?: readonly string[];
  /** Default: `background`. */
  readonly cascade?: 'background' | 'foreground' | 'orphan';
}

const POLICY = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/**
 * The set-up that a scenario or a dump describes: objects, requests, environment, version. A
 * scenario needs no `about` here. Of a dump, every object is kept.
 *
 * @param yaml the text, or a file: a path without a line break, or a URL such as
 * `new URL('./cluster.yaml', import.meta.url)`.
 * @throws InputError with the place, if the text is not valid.
 */
export function setupFromYaml(yaml: string | URL, requests: DumpRequests = {}): Setup {
  const source = sourceOf(yaml);
  const found = [...documents(source)].filter(({ value }) => value !== null);
  const [document, second] = found;
  if (document === undefined) throw MESSAGES.empty([source.file]);
  if (!isScenario(document)) return setupFromDump(source, requests);
  if (second !== undefined) {
    throw new InputError({
      what: 'the scenario has a second document',
      where: second.place([]),
      expected: 'one scenario',
    });
  }
  if (Object.keys(requests).length > 0) {
    throw new InputError({
      what: 'a scenario has its own requests',
      where: document.place(['requests']),
      expected: 'no second argument of setupFromYaml',
    });
  }
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const defined = definedKinds(document, kinds);
  const { setup } = readScenario(source.file, described(document), kinds, PROPERTY_NAMES);
  const named = Object.fromEntries(defined.map((kind) => [kind.name, kind]));
  const name = source.file === INLINE ? 'cluster' : setup.name;
  const read = { ...setup, name, kinds: { ...named, ...setup.kinds } };
  const { environment } = document.value as {
    readonly environment?: { readonly finalizers?: Readonly<Record<string, unknown>> };
  };
  OWNERS.set(read, new Set(Object.keys(environment?.finalizers ?? {})));
  return read;
}

/** By scenario: the finalizers of which `environment.finalizers` says who removes them. */
const OWNERS = new WeakMap<Setup, ReadonlySet<string>>();

/** Null: the set-up is no scenario as it was read, so all its finalizers are as it says. */
export function finalizersWithOwner(setup: Setup): ReadonlySet<string> | null {
  return OWNERS.get(setup) ?? null;
}

function sourceOf(yaml: string | URL): Source {
  if (typeof yaml === 'string' && yaml.includes('\n')) return { file: INLINE, text: yaml };
  const file = typeof yaml === 'string' ? yaml : fileURLToPath(yaml);
  try {
    return decodedSource({ name: file, bytes: readFileSync(file) });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    throw code === 'ENOENT' ? MESSAGES.noSuchFile(file) : MESSAGES.unreadable(file, String(code));
  }
}

/** The document with a sentence about it, which only a file for the command line needs. */
function described(document: SourceDocument): SourceDocument {
  const value = { about: 'A set-up.', requests: [], ...(document.value as object) };
  return { ...document, value, place: (path) => document.place(path) };
}

/**
 * The kinds that definitions among the objects define, whether or not there are objects of them.
 */
function definedKinds(document: SourceDocument, kinds: KindCatalogue): readonly Kind[] {
  const { objects } = document.value as { readonly objects?: unknown };
  return (Array.isArray(objects) ? objects : []).flatMap((manifest: unknown) => {
    const kind = (manifest as { readonly kind?: unknown } | null)?.kind;
    if (kind !== 'CustomResourceDefinition') return [];
    const defined = observe(kind, manifest);
    if (defined.of !== 'CustomResourceDefinition' || defined.kind === '') return [];
    kinds.define(defined);
    return [kinds.accept(`${defined.group}/${defined.version}`, defined.kind, defined.namespaced)];
  });
}

function setupFromDump(source: Source, { delete: targets = [], cascade }: DumpRequests): Setup {
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const dump = readDump({ inputs: [source.file], sources: [source], leftOut: [] }, kinds);
  const objects = dump.objects.map(({ object }) => object);
  const steps = targets.map((text): UserStep => {
    const target = findTarget(text, null, objects, kinds, source.file);
    const options = { propagationPolicy: POLICY[cascade ?? 'background'] };
    return { request: { do: 'delete', key: keyOf(target), options }, after: [] };
  });
  const users = steps.length === 0 ? {} : { [KUBECTL]: steps };
  const about = { title: source.file, targets: objects, users, around: NOTHING_SAID };
  return planAbout(dump, about, kinds, PROPERTY_NAMES).setup;
}
