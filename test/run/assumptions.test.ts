import { describe, expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import type { Setup } from '../../model/state/setup.ts';
import { deletionModel } from '../../model/system.ts';
import { deletionProperties } from '../../properties/index.ts';
import { assumptionsOf } from '../../run/assumptions.ts';
import { scenarioOf } from '../scenarios/read.ts';

/** Who removes which finalizer is always stated, and a deletion finishes only if someone does. */

function setupOf(environment: string, ...objects: readonly string[]): Setup {
  const text = `
about: Finalizers and their owners.
objects: [${objects.join(', ')}]
requests: []
environment: {${environment}}
`;
  return scenarioOf('finalizers', 'finalizers.yaml', text).setup;
}

const GOING = 'deletionTimestamp: "2024-01-01T00:00:00Z"';

function object(kind: string, name: string, finalizer: string): string {
  const apiVersion = kind === 'Widget' ? 'example.com/v1' : 'v1';
  const scope = kind === 'Widget' ? ', namespace: default' : '';
  return `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}${scope}, finalizers: [${finalizer}], ${GOING}}}`;
}

const CLAIM = 'kubernetes.io/pvc-protection';
const VOLUME = 'kubernetes.io/pv-protection';
const OPERATOR =
  'controllers: [{name: example-operator, watches: Widget/w, finalizer: example.com/own}]';
const DEFINITION =
  '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.com}}';

type Row = readonly [string, string, readonly string[], string, 'holds' | 'violated'];
const ROWS: readonly Row[] = [
  [
    'of nobody else',
    '',
    [object('Secret', 's', 'example.com/x')],
    'Removed by their owners once deletion has begun: example.com/x.',
    'holds',
  ],
  [
    'that is stuck',
    'finalizers: {example.com/x: stuck}',
    [object('Secret', 's', 'example.com/x')],
    'Never removed by their owners: example.com/x.',
    'holds',
  ],
  [
    'of a controller',
    OPERATOR,
    [object('Widget', 'w', 'example.com/own')],
    'Removed from Widget.example.com/w: example.com/own, by example-operator.',
    'holds',
  ],
  [
    'of the controller of another object',
    OPERATOR,
    [object('Widget', 'w', 'example.com/own'), object('Secret', 's', 'example.com/own')],
    'Never removed from Secret/s: example.com/own. Its owner here removes it only from other objects.',
    'violated',
  ],
  [
    'of claims',
    'storageProtection: true',
    [object('PersistentVolumeClaim', 'c', CLAIM)],
    `Removed from PersistentVolumeClaim/c: ${CLAIM}, by claim protection, once no pod with a node uses the claim.`,
    'holds',
  ],
  [
    'of claims, on a volume',
    'storageProtection: true',
    [object('PersistentVolume', 'v', CLAIM), object('PersistentVolumeClaim', 'c', CLAIM)],
    `Never removed from PersistentVolume/v: ${CLAIM}. Its owner here removes it only from other objects.`,
    'violated',
  ],
  [
    'of volumes',
    'storageProtection: true',
    [object('PersistentVolume', 'v', VOLUME)],
    `Removed from PersistentVolume/v: ${VOLUME}, by volume protection, once the volume is not bound.`,
    'holds',
  ],
  [
    'of definitions',
    'definitionController: true',
    [DEFINITION, object('Widget', 'w', 'example.com/x')],
    'Removed from CustomResourceDefinition.apiextensions.k8s.io/widgets.example.com: customresourcecleanup.apiextensions.k8s.io, by the definition controller, once no object of the kind is left.',
    'holds',
  ],
];

describe('a finalizer', () => {
  it.each(ROWS)('%s', async (_, environment, objects, sentence, verdict) => {
    const setup = setupOf(environment, ...objects);
    expect(assumptionsOf(setup, 'v1.20')).toContain(sentence);
    const asked = deletionProperties(setup).filter(
      ({ name }) => name === 'every deletion finishes',
    );
    const { properties } = await check({ model: deletionModel(setup), properties: asked });
    expect(properties[0]?.verdict).toBe(verdict);
  });
});

it('of the spec of a namespace', () => {
  const shop =
    '{apiVersion: v1, kind: Namespace, metadata: {name: shop}, spec: {finalizers: [kubernetes]}}';
  expect(assumptionsOf(setupOf('', shop), 'v1.20')).toContain(
    'Never removed from Namespace/shop: spec.finalizers. No namespace controller runs.',
  );
  expect(assumptionsOf(setupOf('namespaceController: true', shop), 'v1.20')).toContain(
    'Removed from Namespace/shop: spec.finalizers, by the namespace controller, once nothing is left in the namespace.',
  );
});
