import { expect, it } from 'vitest';
import { canUnblock } from '../../../input/cluster/piecemeal.ts';
import { dumpPlan, objectsText } from '../../questions/dump-plan.ts';

type Owned = readonly [name: string, owner: string | null];

/** Names of the objects that may stop blocking their owners. */
async function unblocking(objects: readonly Owned[], targets: string): Promise<readonly string[]> {
  const text = objectsText(
    objects.map(([name, owner]) => ({ name, owner, block: true, held: false })),
  );
  const { setup } = await dumpPlan(text, targets, 'foreground');
  return setup.objects.filter((one) => canUnblock(setup, one)).map(({ name }) => name);
}

const CHAIN: readonly Owned[] = [
  ['a', null],
  ['b', 'a'],
  ['c', 'b'],
  ['d', 'c'],
];

const CYCLE: readonly Owned[] = [
  ['a', 'c'],
  ['b', 'a'],
  ['c', 'b'],
];

it.each([
  ['something far above waits', CHAIN, 'cm/a cm/d', ['c']],
  ['nothing above waits', CHAIN, 'cm/d', []],
  ['its dependent waits for its sake only', CHAIN, 'cm/a', []],
  ['its dependents lead back to it', CYCLE, 'cm/a', ['a', 'b', 'c']],
])('what may stop blocking its owners, where %s', async (_where, objects, targets, names) => {
  expect(await unblocking(objects, targets)).toEqual(names);
});
