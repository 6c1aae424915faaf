import { expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';

/** Scenario, what is done first, what is asked about, and the reason why it cannot be done. */
const REASONS: readonly (readonly [string, readonly string[], string, string])[] = [
  ['late-dependent-orphan', [], 'serve', 'user has no request under way'],
  ['late-dependent-orphan', ['until gone ConfigMap/a'], 'request', 'user has sent all requests'],
  [
    'late-dependent-orphan',
    [],
    'deliver ConfigMap',
    'the watch of ConfigMap has nothing to deliver',
  ],
  [
    'late-dependent-orphan',
    [],
    'takeForDelete Secret/late',
    'Secret/late is not in attemptToDelete',
  ],
  ['late-dependent-orphan', [], 'attemptToDelete', 'gc worker is idle'],
  [
    'late-dependent-orphan',
    ['until enabled orphanDependent'],
    'attemptToOrphan',
    'gc orphan worker has yet to free Secret/late',
  ],
  [
    'late-dependent-orphan',
    ['until enabled takeForOrphan', 'step takeForOrphan', 'until enabled attemptToOrphan'],
    'orphanDependent Secret/late',
    'gc orphan worker is done with the dependents of ConfigMap/a',
  ],
  [
    'finalizer-races-delete',
    ['step request alice', 'step request bob'],
    'request alice',
    'the request of alice is not answered yet',
  ],
  ['finalizer-races-delete', [], 'removeThirdPartyFinalizer', 'ConfigMap/a is not being deleted'],
  [
    'finalizer-races-delete',
    ['until gone ConfigMap/a'],
    'removeThirdPartyFinalizer',
    'ConfigMap/a is not stored',
  ],
  [
    'finalizer-races-foreground',
    ['until deleting ConfigMap/a'],
    'removeThirdPartyFinalizer',
    'ConfigMap/a does not have finalizer example.com/hold',
  ],
  [
    'background-diamond',
    ['until enabled takeForDelete', 'step takeForDelete ConfigMap/b'],
    'takeForDelete ConfigMap/c',
    'gc worker is busy with ConfigMap/b',
  ],
  [
    'two-workers-chain',
    ['until queued ConfigMap/b'],
    'takeForDelete 2 ConfigMap/b',
    'gc worker 1 is idle and takes what there is first',
  ],
  ['relist-recreation', [], 'relist', 'the watch of ConfigMap has nothing to deliver'],
  [
    'relist-recreation',
    ['until enabled relist', 'step relist'],
    'relist',
    'the watch of ConfigMap may break no more',
  ],
  [
    'restart-while-foreground',
    ['until enabled startControllers'],
    'deliver',
    'the controller manager does not run',
  ],
  [
    'restart-while-foreground',
    [],
    'startControllers alice',
    'the next request of alice is another one',
  ],
  ['namespace-emptied', [], 'emptyNamespace', 'Namespace/shop is not being deleted'],
  ['node-lost-pod-gc', [], 'removeNode', 'the machine of Node/node-1 is there'],
  [
    'pod-released',
    [],
    'deliverToInformer Pod',
    "nothing is on its way to the controllers' cache of Pod",
  ],
  [
    'adoption-races-deletion',
    ['until quiet'],
    'reconcile',
    'it has nothing to do; the last thing read: Deployment.apps/web has not been scaled',
  ],
  [
    'kind-not-installed',
    ['until enabled installKind', 'step installKind'],
    'installKind',
    'it would change nothing: the API server has installed Widget.example.com',
  ],
];

it.each(REASONS)('%s, after %j: %s', async (scenario, first, asked, reason) => {
  const stdin = [...first, `why ${asked}`].join('\n');
  const { stdout } = await runCli(['explore', scenario], { stdin });
  const [answer = ''] = stdout.split('\n> ').slice(-1);
  const [, ...lines] = answer.split('\n');
  const [told = ''] = lines.join(' ').replaceAll(/\s+/g, ' ').split(' read last: state');
  expect(told.trim().replace(/^[^:]*(: [A-Z][\w.]*)?: /, '')).toBe(reason);
});
