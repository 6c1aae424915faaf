import { describe, expect, it } from 'vitest';
import { describeCall } from '../../../model/apiserver/describe.ts';
import { formatKey } from '../../../model/state/keys.ts';
import { keyOf } from '../../../model/state/objects.ts';
import { clusterOf, configMap, deletion, serveUntil, update, world } from './fixtures.ts';

describe('requests in words', () => {
  it('name the decision', () => {
    const object = configMap('a');
    const call = deletion(keyOf(object), {
      propagationPolicy: 'Background',
      preconditions: { uid: 'u-a' },
    });
    const line = 'DELETE ConfigMap/a propagationPolicy=Background preconditions.uid=u-a';
    expect(describeCall(call)).toBe(line);
    const decided = serveUntil(clusterOf(object), world(), call, 'remove').call;
    expect(describeCall(decided)).toBe(`${line} (decides: no finalizers, so remove)`);
  });

  it.each([
    [
      update('Pod/shop/a', { do: 'removeFinalizer', finalizer: 'a/b' }),
      'PATCH Pod/a.shop remove finalizer a/b',
    ],
    [
      update('Namespace//shop', { do: 'finalizeNamespace' }, { put: true, resourceVersion: true }),
      'PUT Namespace/shop/finalize remove spec.finalizers kubernetes resourceVersion=as read',
    ],
    [
      update('Pod/default/a', { do: 'setFinalizers', finalizers: [] }, { at: 'remove' }),
      'PATCH Pod/a finalizers=[] (decides: finalizers emptied, so remove)',
    ],
    [
      { verb: 'create', client: 'u', object: configMap('a'), dryRun: true } as const,
      'POST ConfigMap/a dryRun=All',
    ],
  ])('%#', (call, line) => {
    expect(describeCall(call)).toBe(line);
  });

  it('include the namespace only if it is not the default one', () => {
    expect(['Pod/default/a', 'Node//n', 'Pod/shop/a'].map(formatKey)).toEqual([
      'Pod/a',
      'Node/n',
      'Pod/a.shop',
    ]);
  });
});
