import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Collection, readCollection } from '../../input/collections/collection.ts';
import { documents } from '../../input/documents/documents.ts';
import { readDump } from '../../input/manifests/dump.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { manifestsIn } from '../../input/manifests/lists.ts';
import { fieldsOf, textOf } from '../../live/asking.ts';
import { reduced } from '../../live/reading/reduced.ts';
import { BUILT_IN_KINDS } from '../../model/index.ts';

const FOLDER = 'test/dumps';

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What the reader of dumps knows of each object. */
function known(collection: Collection) {
  const { objects, observations, labels, times } = readDump(
    collection,
    new KindCatalogue(BUILT_IN_KINDS),
  );
  return {
    objects: objects.map(({ object }) => object),
    observations: [...observations],
    labels: [...labels],
    deletions: [...times.deletions],
  };
}

describe('what is kept of an object', () => {
  // disk.yaml is a table of finalizers.
  const dumps = readdirSync(FOLDER).filter(
    (name) => /\.(yaml|json)$/.test(name) && name !== 'disk.yaml',
  );

  it.each(dumps)('is all that the reader of dumps reads: %s', async (name) => {
    const collection = await readCollection([join(FOLDER, name)], nothing(), { maxMegabytes: 10 });
    const lines = collection.sources.flatMap((source) =>
      [...documents(source)].flatMap((document) =>
        [...manifestsIn(document)].map(({ value }) => {
          const object = fieldsOf(value);
          return JSON.stringify(reduced(object, textOf(object.apiVersion), textOf(object.kind)));
        }),
      ),
    );
    const sources = [{ file: 'reduced', text: lines.join('\n') }];
    expect(known({ ...collection, sources })).toEqual(known(collection));
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
