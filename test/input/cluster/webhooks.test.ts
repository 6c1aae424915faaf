import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conversionOf } from '../../../input/cluster/webhooks/observed.ts';
import { dump } from '../../cli/run-cli.ts';
import { aroundDeletion } from './around-deletion.ts';

const TEXT = readFileSync(dump('webhooks-down.yaml'), 'utf8');
const DEFINITION = 'crd/widgets.acme.io';
const WIDGETS = ['Widget.acme.io/shop/big', 'Widget.acme.io/ops/small'];

/** Names of what a webhook keeps as it is, after a change of the text. */
function refused(target: string, from: string | RegExp = '', to = ''): readonly string[] {
  const text = TEXT.replace(from, to);
  if (from !== '' && text === TEXT) throw new Error(`the dump does not have ${from}`);
  return aroundDeletion(text, target).refused.map(({ object }) => object);
}

describe('webhooks that do not answer', () => {
  it('keep instances that have to be converted', () => {
    expect(refused(DEFINITION)).toEqual(WIDGETS);
    expect(refused('widget/big.shop')).toEqual(['Widget.acme.io/shop/big']);
  });

  it.each<readonly [string, string | RegExp, string]>([
    ['a pod is ready', 'ready: false', 'ready: true'],
    ['nothing says which pods are ready', 'kubernetes.io/service-name: acme', 'app: acme'],
    ['all are stored in the version in which they are read', '[v1alpha1, v1]', '[v1]'],
    ['nothing is converted', 'strategy: Webhook', 'strategy: None'],
    ['the webhook is reached by a URL', /clientConfig: .*convert\}\}/, 'clientConfig: {url: u}'],
  ])('keep none if %s', (_, from, to) => {
    expect(refused(DEFINITION, from, to)).toEqual([]);
  });

  it.each<readonly [string, string | RegExp, string]>([
    ['is absent from a dump with Services', /acme-operator, path/, 'other, path'],
    [
      'is being deleted',
      'acme-operator, namespace: ops',
      'acme-operator, namespace: ops, deletionTimestamp: "2026-01-01T00:00:00Z"',
    ],
  ])('keep them if the Service %s', (_, from, to) => {
    expect(refused(DEFINITION, from, to)).toEqual(WIDGETS);
  });

  it('keep what they have to admit', () => {
    const web = 'Deployment.apps/shop/web';
    expect(refused('deploy/web.shop')).toEqual([web]);
    expect(refused('deploy/web.shop', 'failurePolicy: Fail', 'failurePolicy: Ignore')).toEqual([]);
    expect(refused('deploy/web.shop', 'operations: [DELETE]', 'operations: [UPDATE]')).toEqual([]);
    expect(refused('deploy/web.shop', 'resources: [deployments]', "resources: ['*/*']")).toEqual([
      web,
      'ReplicaSet.apps/shop/web-1',
    ]);
    expect(refused('deploy/web.shop', 'apiGroups: [apps]', "apiGroups: ['']")).toEqual([]);
  });
});

it('reads the preferred version as discovery orders versions', () => {
  const read = (...names: readonly string[]) =>
    conversionOf({
      spec: {
        conversion: { strategy: 'Webhook' },
        versions: names.map((name, index) => ({ name, served: true, storage: index === 0 })),
      },
    })?.byOthers ?? false;
  expect(read('v1', 'v1beta2')).toBe(false);
  expect(read('v1beta2', 'v1')).toBe(true);
  expect(read('v10', 'v2')).toBe(false);
  expect(read('v1beta1', 'v1alpha3')).toBe(false);
  expect(read('v1beta1', 'v1beta2')).toBe(true);
});
