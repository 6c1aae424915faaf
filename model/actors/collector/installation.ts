import { type Actor, action } from '../actor.ts';

/**
 * An API server that has just started installs its kinds one by one: `setup.notInstalled`. Mirrors
 * the `muxAndDiscoveryCompleteSignals` of kube-apiserver (1.23).
 */
export const INSTALLATION: Actor = {
  actions: {
    installKind: action<{ kind: string }>({
      fairness: 'weak',
      about: 'An API server that has just started installs a kind (`environment.notInstalled`).',
      parameters: ({ notInstalled }) => notInstalled?.map((kind) => ({ kind })) ?? null,
      reducer:
        () =>
        (cluster, { kind }) => {
          delete cluster.notInstalled[kind];
        },
      describe: (_context, { kind }) => `API server: has installed ${kind}`,
    }),
  },
  isIdle: ({ notInstalled }, cluster) =>
    notInstalled === undefined || Object.keys(cluster.notInstalled).length === 0,
};
