import { rule } from './rule.ts';

/** The controllers around the collector. */
export const CONTROLLER_RULES = {
  namespaceContentNotFound: rule({
    values: ['remembered', 'thisPassOnly'],
    protocols: ['remembered', 'remembered', 'remembered', 'thisPassOnly', 'thisPassOnly'],
    about:
      'Whether a 404 or 405 for the contents of one namespace makes the controller skip that kind for good.',
    source: 'namespacedResourcesDeleter.deleteCollection; kubernetes/kubernetes#93790 (1.19)',
  }),
  namespaceContentPolicy: rule({
    values: ['none', 'orphanDependentsFalse', 'background'],
    protocols: ['none', 'orphanDependentsFalse', 'background', 'background', 'background'],
    about: 'How the namespace controller asks for the contents of a namespace to be deleted.',
    source: 'namespacedResourcesDeleter.deleteCollection; kubernetes/kubernetes#32524 (1.4)',
  }),
  namespaceContentOrder: rule({
    values: ['anyOrder', 'podsFirst'],
    protocols: ['anyOrder', 'anyOrder', 'anyOrder', 'anyOrder', 'podsFirst'],
    about: 'Whether the namespace controller waits for the pods to be gone before other contents.',
    source: 'namespacedResourcesDeleter.deleteAllContent; KEP-5080 (1.33)',
  }),
  createdChildren: rule({
    values: ['plain', 'withOrphan'],
    protocols: ['withOrphan', 'plain', 'plain', 'plain', 'plain'],
    about:
      'Whether controllers create children that may have dependents with the finalizer orphan on.',
    source: 'proposal garbage-collection, "Life of a Deployment"; never shipped',
  }),
} as const;
