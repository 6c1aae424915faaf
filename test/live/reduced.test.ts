import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { amountOf } from '../../input/cluster/new-pods/amounts.ts';
import { countedBy, limitsOf } from '../../input/cluster/new-pods/plugins.ts';
import { asksOf, fieldsAt, violationsOf } from '../../input/cluster/new-pods/pod-security.ts';
import type { Observation } from '../../input/cluster/observations.ts';
import { taintsOf } from '../../input/cluster/taints.ts';
import { type Collection, readCollection } from '../../input/collections/collection.ts';
import { KEPT } from '../../input/collections/kept.ts';
import type { Kept } from '../../input/collections/kept-part.ts';
import { documents } from '../../input/documents/documents.ts';
import { valueAt } from '../../input/documents/shape.ts';
import { readDump } from '../../input/manifests/dump.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { manifestsIn } from '../../input/manifests/lists.ts';
import { type Fields, fieldsOf, textOf } from '../../live/asking.ts';
import { hasMetadataOnly, reduced } from '../../live/reading/reduced.ts';
import { BUILT_IN_KINDS } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';

const FOLDER = 'test/dumps';

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What the reader of dumps knows of each object. */
function known(collection: Collection) {
  const { objects, observations, labels, times, troubles } = readDump(
    collection,
    new KindCatalogue(BUILT_IN_KINDS),
  );
  return {
    objects: objects.map(({ object }) => object),
    observations: [...observations].flatMap(withoutData),
    labels: [...labels],
    deletions: [...times.deletions],
    troubles: [...troubles],
    admission: objects.map(({ document, path }) => askedOf(valueAt(document.value, path))),
  };
}

/** What is read of an object only when a new pod is judged. */
function askedOf(manifest: unknown) {
  const specs = [['spec'], ['spec', 'template', 'spec']].map((path) => fieldsAt(manifest, path));
  return {
    pods: specs.map((spec) => spec && asksOf(spec)),
    amounts: specs.map((spec) => amountOf(spec, 'requests', 'cpu')),
    violations: specs.map(
      (spec) =>
        spec &&
        (['baseline', 'restricted'] as const).map((level) =>
          violationsOf({ level, minor: Number.POSITIVE_INFINITY }, spec, {}),
        ),
    ),
    others: [limitsOf(manifest), countedBy(manifest), taintsOf(manifest)],
  };
}

/**
 * What is read of the data of ConfigMaps and Secrets, where a whole dump has it, is left out: no
 * cluster is asked for that.
 */
function withoutData([key, observed]: [string, Observation]): readonly [string, Observation][] {
  const { marks = [], ...rest } = observed;
  const others = marks.filter(({ mark }) => mark !== 'sets');
  if (others.length === marks.length) return [[key, observed]];
  if (others.length > 0) return [[key, { ...rest, marks: others }]];
  return rest.of === 'object' && rest.names === undefined ? [] : [[key, rest]];
}

/** The objects of a dump as they are kept of a cluster. */
function objectsIn(collection: Collection): readonly Fields[] {
  return collection.sources.flatMap((source) =>
    [...documents(source)].flatMap((document) =>
      [...manifestsIn(document)].map(({ value }) => {
        const object = fieldsOf(value);
        const { apiVersion, kind, metadata } = object;
        const listed = hasMetadataOnly(resourceOf(object)) ? { metadata } : object;
        return reduced(listed, textOf(apiVersion), textOf(kind));
      }),
    ),
  );
}

/** As in `endpointslices.discovery.k8s.io`, for kinds with a regular plural. */
function resourceOf({ apiVersion, kind }: Fields): string {
  const [group = '', version] = textOf(apiVersion).split('/');
  const plural = `${textOf(kind).toLowerCase().replace(/s$/, '')}s`;
  return version === undefined ? plural : `${plural}.${group}`;
}

/** What it returns, or the error: a field can be required. */
function reading<Read>(read: () => Read): Read | InputError {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

/** The path of each part that is kept; `*` stands for the items of a list. */
function pathsIn(kept: Kept): readonly (readonly string[])[] {
  if (typeof kept === 'string') return [[]];
  if ('flags' in kept) return [[]];
  if ('endings' in kept) return pathsIn(kept.kept);
  if ('items' in kept) return pathsIn(kept.items).map((path) => ['*', ...path]);
  const fields = Object.entries(kept.fields);
  return fields.length === 0
    ? [[]]
    : fields.flatMap(([name, part]) => pathsIn(part).map((path) => [name, ...path]));
}

/** The value without what is at the path. */
function without(value: unknown, [step, ...path]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return path.length === 0 ? [] : value.map((item) => without(item, path));
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (name !== step) return [[name, field]];
      return path.length === 0 ? [] : [[name, without(field, path)]];
    }),
  );
}

describe('what is kept of an object', () => {
  // disk.yaml is a table of finalizers.
  const dumps = readdirSync(FOLDER).filter(
    (name) => /\.(yaml|json)$/.test(name) && name !== 'disk.yaml',
  );

  it.each(dumps)('is all that the reader of dumps reads: %s', async (name) => {
    const collection = await readCollection([join(FOLDER, name)], nothing(), { maxMegabytes: 10 });
    const lines = objectsIn(collection).map((object) => JSON.stringify(object));
    const sources = [{ file: 'reduced', text: lines.join('\n') }];
    expect(known({ ...collection, sources })).toEqual(known(collection));
  });

  const everyField = readCollection([join(FOLDER, 'every-field.yaml')], nothing(), {
    maxMegabytes: 10,
  }).then((collection) => ({ collection, objects: objectsIn(collection) }));

  it('has nothing else', async () => {
    expect(JSON.stringify((await everyField).objects)).not.toContain('hidden');
  });

  it.each(pathsIn({ fields: KEPT }).map((path) => path.join(' ')))('is read: %s', async (path) => {
    const { collection, objects } = await everyField;
    const texts = objects
      .map((object) => [object, without(object, path.split(' '))].map((one) => JSON.stringify(one)))
      .filter(([before, after]) => before !== after);
    const read = (side: 0 | 1) => () => {
      const text = texts.map((both) => both[side]).join('\n');
      return known({ ...collection, sources: [{ file: 'reduced', text }] });
    };
    expect(reading(read(1))).not.toEqual(reading(read(0)));
  });

  it('has no data, no applied configuration and no managed fields', () => {
    const metadata = {
      name: 'a',
      managedFields: [{}],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'secret', kept: 'yes' },
    };
    const object = { metadata, data: { key: 'secret' }, stringData: {}, spec: { env: 'secret' } };
    expect(reduced(object, 'v1', 'Secret')).toEqual({
      ...{ apiVersion: 'v1', kind: 'Secret', spec: {} },
      metadata: { name: 'a', annotations: { kept: 'yes' } },
    });
  });
});
