import { isSkipped } from '../../input/collections/dump-command.ts';
import { asked, fieldsOf, listOf, textOf, whyRefused } from '../asking.ts';
import type { Connection } from '../connection.ts';
import { LIVE_ERRORS } from '../errors.ts';
import { inParallel } from '../in-parallel.ts';

/** A kind of object that the cluster serves and can list. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** `deployments.apps`; without a group, `pods`. */
  readonly name: string;
  readonly namespaced: boolean;
  readonly watchable: boolean;
  /** `/apis/apps/v1`. */
  readonly root: string;
  readonly resource: string;
}

/** Something that could not be read. */
export interface Unread {
  /** A kind, or the kinds of an API, as kubectl names them. */
  readonly what: string;
  /** `403 Forbidden` */
  readonly why: string;
}

export interface Discovery {
  /** Namespaces first, otherwise in the order of the server. */
  readonly kinds: readonly ServedKind[];
  readonly unread: readonly Unread[];
}

/** Bytes of one answer. The largest groups have some hundred kilobytes. */
const MOST_BYTES = 20_000_000;

/** What names of groups, versions and resources look like. They become parts of paths. */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
/** Of definitions, in lower case: a DNS label. */
const KIND = /^[A-Za-z]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;

interface Group {
  readonly name: string;
  readonly roots: readonly { readonly apiVersion: string; readonly root: string }[];
}

/**
 * What `kubectl api-resources --verbs=list` shows: each resource of a group in its preferred
 * version, or in the first that has it, without what nothing depends on. Throws `InputError`.
 */
export async function discovered(connection: Connection): Promise<Discovery> {
  const found = new Map<string, ServedKind>();
  const unread: Unread[] = [];
  const roots = (await groupsOf(connection)).flatMap((group) =>
    group.roots.map((root) => ({ ...root, group: group.name })),
  );
  const answers = await inParallel(roots, async (each) => ({
    ...each,
    answer: await asked(connection, each.root, 'whole', MOST_BYTES),
  }));
  for (const { group, apiVersion, root, answer } of answers) {
    // A version that has just gone has nothing.
    if (answer.code !== 200 && answer.code !== 404) {
      unread.push({ what: `the kinds of ${apiVersion}`, why: whyRefused(answer) });
    }
    if (answer.code !== 200) continue;
    const { resources } = fieldsOf(answer.body);
    if (!Array.isArray(resources)) {
      unread.push({ what: `the kinds of ${apiVersion}`, why: 'the answer is no list of kinds' });
      continue;
    }
    for (const each of resources) {
      if (isUnusable(each)) {
        unread.push({ what: `a kind of ${apiVersion}`, why: 'its name cannot be used in a path' });
      }
      const kind = kindIn(each, group, apiVersion, root);
      if (kind !== null && !found.has(kind.name)) found.set(kind.name, kind);
    }
  }
  const kinds = [...found.values()].sort(
    (one, other) => Number(other.name === 'namespaces') - Number(one.name === 'namespaces'),
  );
  return { kinds, unread };
}

async function groupsOf(connection: Connection): Promise<readonly Group[]> {
  const { context } = connection;
  const core = await asked(connection, '/api', 'whole', MOST_BYTES);
  const named = await asked(connection, '/apis', 'whole', MOST_BYTES);
  for (const { path, answer } of [
    { path: '/api', answer: core },
    { path: '/apis', answer: named },
  ]) {
    if (answer.code === 403) throw LIVE_ERRORS.refused(context, path, whyRefused(answer));
    const { versions, groups } = fieldsOf(answer.body);
    if (answer.code !== 200 || !Array.isArray(path === '/api' ? versions : groups)) {
      throw LIVE_ERRORS.notAnApi(context, path);
    }
  }
  const coreRoots = listOf(fieldsOf(core.body).versions)
    .map(textOf)
    .filter((version) => NAME.test(version))
    .map((version) => ({ apiVersion: version, root: `/api/${version}` }));
  return [
    { name: '', roots: coreRoots },
    ...listOf(fieldsOf(named.body).groups).flatMap((each): Group[] => {
      const { name, versions, preferredVersion } = fieldsOf(each);
      const group = textOf(name);
      if (!NAME.test(group) || isSkipped(`any.${group}`)) return [];
      const preferred = textOf(fieldsOf(preferredVersion).version);
      const others = listOf(versions).map((version) => textOf(fieldsOf(version).version));
      const ordered = [...new Set([preferred, ...others])].filter((version) => NAME.test(version));
      const roots = ordered.map((version) => ({
        apiVersion: `${group}/${version}`,
        root: `/apis/${group}/${version}`,
      }));
      return [{ name: group, roots }];
    }),
  ];
}

/** Whether it can be listed, and has a name that no API server gives. */
function isUnusable(value: unknown): boolean {
  const { name, kind, verbs } = fieldsOf(value);
  if (!listOf(verbs).includes('list') || textOf(name).includes('/')) return false;
  return !NAME.test(textOf(name)) || !KIND.test(textOf(kind));
}

/** Null: a subresource, something that cannot be listed, or that nothing depends on. */
function kindIn(
  value: unknown,
  group: string,
  apiVersion: string,
  root: string,
): ServedKind | null {
  const { name, kind, namespaced, verbs } = fieldsOf(value);
  const resource = textOf(name);
  if (!NAME.test(resource) || !KIND.test(textOf(kind)) || !listOf(verbs).includes('list')) {
    return null;
  }
  const full = group === '' ? resource : `${resource}.${group}`;
  if (isSkipped(full)) return null;
  return {
    apiVersion,
    kind: textOf(kind),
    name: full,
    namespaced: namespaced === true,
    watchable: listOf(verbs).includes('watch'),
    root,
    resource,
  };
}
