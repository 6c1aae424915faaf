import { expect, it } from 'vitest';
import { runCli, temporaryFile } from '../cli/run-cli.ts';

/**
 * A webhook is asked as long as it is there, also where it is deleted with what it is asked about.
 */

const object = (apiVersion: string, kind: string, name: string, more: object = {}) => ({
  ...{ apiVersion, kind },
  metadata: {
    name,
    uid: `uid-${kind}-${name}`,
    ...(kind === 'Service' ? { namespace: 'guard' } : {}),
  },
  ...more,
});

const guard = (failurePolicy: 'Fail' | 'Ignore', resources: readonly string[]) =>
  object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'guard', {
    webhooks: [
      {
        ...{ name: 'guard.example.com', failurePolicy },
        clientConfig: { service: { namespace: 'guard', name: 'guard' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources }],
      },
    ],
  });

async function codeFor(items: readonly object[], ...words: readonly string[]): Promise<number> {
  const dump = { apiVersion: 'v1', kind: 'List', items };
  const { code } = await runCli([
    'delete',
    temporaryFile('d.json', JSON.stringify(dump)),
    ...words,
  ]);
  return code;
}

const SHOP = object('v1', 'Namespace', 'shop');
const GUARD = object('v1', 'Namespace', 'guard');
const SERVICE = object('v1', 'Service', 'guard');

it.each([
  [
    'a webhook that goes with its namespace',
    [GUARD, SERVICE, guard('Ignore', ['namespaces'])],
    ['ns/guard'],
  ],
  [
    'its configuration goes as well',
    [SHOP, guard('Fail', ['namespaces'])],
    ['ns/shop', 'validatingwebhookconfiguration/guard'],
  ],
  ['its rule names all subresources', [SHOP, guard('Fail', ['namespaces/*'])], ['ns/shop']],
] as const)('is not green: %s', async (_, items, words) => {
  expect(await codeFor(items, ...words)).toBe(3);
});

it('is not held up by a webhook for something else', async () => {
  expect(await codeFor([object('v1', 'Node', 'n'), guard('Fail', ['pods'])], 'node/n')).toBe(0);
});
