import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BadValueError } from '../../../checker/errors.ts';
import { readBlock } from '../../../checker/partitions/block.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import { BlockError } from '../../../checker/partitions/errors.ts';
import { Keys, packKeys, readKeys } from '../../../checker/partitions/keys.ts';
import { bytesOf, packNumbers } from '../../../checker/partitions/numbers.ts';
import { Spelling } from '../../../checker/partitions/spelling.ts';
import { SlotTable } from '../../../checker/values/slots.ts';
import { LocalTeam } from '../support/local-team.ts';
import { commitOf } from '../support/two-phase.ts';

const options = commitOf(3);

/** A search whose log loses what `lose` says, before its partitions are made anew. */
async function searchedWithout(lose: (name: string) => boolean): Promise<unknown> {
  let asked = 0;
  const team = new LocalTeam(options, 2, (below) => {
    if (++asked < 60) return 1;
    for (const name of [...team.log.blocks.keys()]) if (lose(name)) team.log.blocks.delete(name);
    return below === 5 && asked === 60 ? 0 : 1;
  });
  return checkPartitioned(options, team);
}

it('a block of states or of keys that is missing is an error, and never fewer states', async () => {
  await expect(searchedWithout((name) => /^\d \d 5 0$/.test(name))).rejects.toThrow(/is missing/);
  await expect(searchedWithout((name) => /null/.test(name))).rejects.toThrow(/of keys is missing/);
  await expect(searchedWithout(() => false)).resolves.toMatchObject({ outcome: 'complete' });
});

it.each([
  ['confluence', { reductions: ['symmetry', 'confluence'] as const }],
  ['a limit on the depth', { limits: { depth: 3 } }],
  ['audits', { auditEvery: 5 }],
])('%s is refused', async (what, more) => {
  const asked = checkPartitioned({ ...options, ...more }, new LocalTeam(options, 1));
  await expect(asked).rejects.toThrow(`partitions do not go with ${what}; drop one`);
});

it('a limit on states ends the search, and nothing holds', async () => {
  const limited = { ...options, limits: { states: 20 } };
  const found = await checkPartitioned(limited, new LocalTeam(options, 2));
  expect(found).toMatchObject({ outcome: 'limited', limit: { kind: 'states' } });
  expect(found.properties[0]).toMatchObject({ verdict: 'inconclusive' });
  expect(found.statistics.states).toBeGreaterThan(20);
});

const NO_DIGEST = new Uint8Array(8);

/** A block with one row of one word, the first of `distinct`. */
function block(header: unknown, distinct: readonly number[], keys: readonly number[] = [0, 0]) {
  const text = deflateRawSync(JSON.stringify(header));
  return Buffer.concat([
    ...[NO_DIGEST, bytesOf(Int32Array.of(text.length)), text],
    ...[bytesOf(Int32Array.of(distinct.length, ...distinct)), packNumbers(Int32Array.of(0))],
    ...keys.map((key) => Buffer.concat([Buffer.of(4), bytesOf(Int32Array.of(key))])),
  ]);
}

it('bytes that are no block are refused', () => {
  const read = (bytes: Uint8Array) =>
    readBlock(new Spelling(new SlotTable({ at: 'value' })), bytes);
  const bits = { word: 0, shift: 1, mask: 3 };
  const slot = { section: 'at', key: '', bits, locals: [0, 1, 3], texts: ['"a"', '"b"', '"c"'] };
  const header = { first: 7, rows: 1, width: 1, slots: [slot] };
  const found = read(block(header, [6], [0, 5]));
  expect([...found.numbers, ...Array.from(found.instances)]).toEqual([7, 5]);
  const refused: readonly Uint8Array[] = [
    block({ ...header, more: 1 }, [6]),
    block({ ...header, rows: 2 }, [6]),
    block({ ...header, width: 2 }, [6]),
    block({ ...header, slots: [{ ...slot, section: 'no' }] }, [6]),
    block({ ...header, slots: [{ ...slot, key: 'key' }] }, [6]),
    block({ ...header, slots: [slot, slot] }, [6]),
    block({ ...header, slots: [{ ...slot, texts: ['{', '"b"', '"c"'] }] }, [6]),
    block({ ...header, slots: [{ ...slot, locals: [0, 3] }] }, [6]),
    block({ ...header, slots: [{ ...slot, bits: { ...bits, word: 1 } }] }, [6]),
    // No value has the number 2.
    block(header, [4]),
    // There is no word for the row.
    block(header, []),
    block(header, [6], [0, -1]),
    block(header, [6], [-1, 0]),
    block(header, [6], [0, 0, 0]),
    block(header, [6], [0]),
    Buffer.from('no block'),
  ];
  for (const bytes of refused) expect(() => read(bytes)).toThrow(BlockError);
  const whole = block(header, [6]);
  fc.assert(
    fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      try {
        read(damaged);
      } catch (error) {
        expect(error instanceof BlockError || error instanceof BadValueError).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

it('bytes that are no keys are refused', () => {
  const keys = new Keys();
  keys.add(2 ** 40, 3);
  keys.add(2 ** 40 + 1, 0);
  const [whole] = [...packKeys(keys)];
  expect([...readKeys(whole!).numbers]).toEqual([2 ** 40, 2 ** 40 + 1]);
  for (let length = 0; length < whole!.length; length++) {
    expect(() => readKeys(whole!.subarray(0, length))).toThrow(BlockError);
  }
  expect(() => readKeys(Buffer.concat([whole!, NO_DIGEST]))).toThrow(BlockError);
});
