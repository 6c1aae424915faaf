import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { consistent, twoPhaseCommit } from '../../../bench/models/two-phase-commit.ts';
import { BadValueError } from '../../../checker/errors.ts';
import { readBlock } from '../../../checker/partitions/block.ts';
import { checkPartitioned } from '../../../checker/partitions/check-partitioned.ts';
import { BlockError } from '../../../checker/partitions/errors.ts';
import { Spelling } from '../../../checker/partitions/spelling.ts';
import { SlotTable } from '../../../checker/values/slots.ts';
import { LocalTeam } from '../support/local-team.ts';

const MANAGERS = 3;
const options = { model: twoPhaseCommit(MANAGERS), properties: [consistent(MANAGERS)], limits: {} };

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
  ['reductions', { reductions: ['symmetry'] as const }],
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

it('bytes that are no block are refused', () => {
  const block = (header: unknown, words: readonly number[]) => {
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return deflateRawSync(
      Buffer.concat([length, text, Buffer.from(Int32Array.from(words).buffer)]),
    );
  };
  const read = (bytes: Uint8Array) =>
    readBlock(new Spelling(new SlotTable({ at: 'value' })), bytes);
  const header = { first: 0, rows: 1, slots: [['at', '', ['"a"', '"b"', '"c"']]] };
  expect(read(block(header, [2, 0, 0, 0])).count).toBe(1);
  const refused: readonly Uint8Array[] = [
    block({ ...header, more: 1 }, [2, 0, 0, 0]),
    block({ ...header, rows: 2 }, [2, 0, 0, 0]),
    block({ ...header, slots: [['no', '', ['"a"']]] }, [0, 0, 0, 0]),
    block({ ...header, slots: [['at', 'key', ['"a"']]] }, [0, 0, 0, 0]),
    block({ ...header, slots: [...header.slots, ...header.slots] }, [2, 0, 0, 0]),
    block({ ...header, slots: [['at', '', ['{']]] }, [0, 0, 0]),
    // There is no fourth value.
    block(header, [3, 0, 0, 0]),
    block(header, [2, -1, 0, 0]),
    block(header, [2, 0, 0, -1]),
    Buffer.from('no block'),
  ];
  for (const bytes of refused) expect(() => read(bytes)).toThrow(BlockError);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        read(deflateRawSync(bytes));
      } catch (error) {
        expect(error instanceof BlockError || error instanceof BadValueError).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});
