import type { ClusterDraft } from '../../state/cluster.ts';
import { type Actor, action, parameter } from '../actor.ts';

/**
 * An API server that has just started installs its kinds, each sooner or later: `setup.notInstalled`.
 * Mirrors the `muxAndDiscoveryCompleteSignals` of kube-apiserver (1.23).
 */
export const INSTALLATION: Actor = {
  actionNames: ['installKind'],
  actions: ({ notInstalled }) => {
    if (notInstalled === undefined) return {};
    return {
      installKind: action(
        'weak',
        notInstalled.map((kind) => ({ kind })),
        (cluster: ClusterDraft, { kind }) => {
          delete cluster.notInstalled[kind];
        },
      ),
    };
  },
  clients: () => [],
  isIdle: ({ notInstalled }, cluster) =>
    notInstalled === undefined || Object.keys(cluster.notInstalled).length === 0,
  acting: () => null,
  continued: () => null,
  describe: (_context, step) => `API server: has installed ${parameter(step, 'kind')}`,
};
