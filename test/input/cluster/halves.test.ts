import { describe, expect, it } from 'vitest';
import { judgedApart } from '../../../input/cluster/doubts/halves.ts';
import { readText } from '../read-inputs.ts';

const COUNT = 120;

/** What holds any of these, by name. */
async function apart(held: readonly string[]) {
  const text = Array.from(
    { length: COUNT },
    (_, index) => `{apiVersion: v1, kind: ConfigMap, metadata: {name: c${index}, uid: u${index}}}`,
  ).join('\n---\n');
  const objects = (await readText(text)).objects.map(({ object }) => object);
  let judged = 0;
  const parts = judgedApart(objects, (some) => {
    judged++;
    const first = some.find(({ name }) => held.includes(name));
    return first === undefined
      ? { evidence: 'runs', held: null }
      : { evidence: first.name, held: { by: 'used', objects: [first], why: first.name } as const };
  });
  const found = parts.map(({ objects: of, judgement }) => [judgement.evidence, of.length]);
  return { judged, found };
}

describe('objects that share a finalizer', () => {
  it('what holds one of many holds no other one', async () => {
    const { judged, found } = await apart(['c3', 'c77']);
    expect(found).toEqual([
      ['runs', COUNT - 2],
      ['c3', 1],
      ['c77', 1],
    ]);
    expect(judged).toBeLessThan(COUNT / 2);
  });

  it('with very many reasons, one stands for all, and says so', async () => {
    const all = Array.from({ length: COUNT }, (_, index) => `c${index}`);
    expect((await apart(all)).found).toEqual([['c0; others are held by others like that', COUNT]]);
  });
});
