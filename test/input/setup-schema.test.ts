import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import { checkArguments } from '../../cli/check-arguments.ts';
import { gatherPlans } from '../../input/gather.ts';
import { setupSchema } from '../../input/setup/setup-schema.ts';
import type { Setup } from '../../model/state/setup.ts';

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/**
 * Controllers in TypeScript are functions, which no result stores, and neither what only they
 * reach.
 */
type Stored = Omit<Setup, 'programs' | 'outside'>;

it('is the type of a setup', () => {
  expectTypeOf<DeepReadonly<z.output<typeof setupSchema>>>().toEqualTypeOf<DeepReadonly<Stored>>();
});

async function* nothing(): AsyncGenerator<Uint8Array> {}

it('fits whatever the scenarios and the museum are made of, and keeps every field', async () => {
  const plans = [
    ...(await gatherPlans(checkArguments({}, []), nothing())),
    ...(await gatherPlans(checkArguments({ museum: true }, []), nothing())),
  ];
  expect(plans.length).toBeGreaterThan(100);
  for (const { title, setup } of plans) {
    const written: unknown = JSON.parse(JSON.stringify(setup));
    const { data, error } = setupSchema.safeParse(written);
    expect(error, title).toBeUndefined();
    expect(data, title).toEqual(written);
  }
});
