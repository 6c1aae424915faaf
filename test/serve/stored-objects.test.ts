import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ApiObject, BUILT_IN_KINDS, keyOf } from '../../model/index.ts';
import { StoredObjects } from '../../serve/cluster/stored-objects.ts';
import { namespaceObject } from '../../serve/start.ts';

it('the chosen keys are those of the objects for which the function is true now', () => {
  const change = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    finalizers: fc.option(fc.nat(2)),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(6), (changes, asked) => {
      const stored = new StoredObjects(() => 0);
      const present = new Map<string, ApiObject>();
      const isChosen = ({ finalizers }: ApiObject) => finalizers.length === 1;
      for (const [index, { name, finalizers }] of changes.entries()) {
        if (index === asked) stored.chosen('Namespace', isChosen);
        const object = { ...namespaceObject(name), finalizers: Array(finalizers ?? 0).fill('x') };
        const key = keyOf(object);
        const before = present.get(key) ?? null;
        const after = finalizers === null ? null : object;
        stored.commit(BUILT_IN_KINDS.Namespace!, key, before, after, {});
        if (after === null) present.delete(key);
        else present.set(key, after);
      }
      const wanted = [...present].flatMap(([key, object]) => (isChosen(object) ? [key] : []));
      expect(new Set(stored.chosen('Namespace', isChosen))).toEqual(new Set(wanted));
      expect([...stored.chosen('Pod', isChosen)]).toEqual([]);
    }),
  );
});
