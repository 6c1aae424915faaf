/**
 * Behaviour of Kubernetes that breaks a property of the model and is documented, by id of the
 * property. It is no risk of the cluster at hand.
 */
export const DOCUMENTED: Readonly<Record<string, string>> = {
  'rootless-objects-go':
    'https://kubernetes.io/docs/concepts/architecture/garbage-collection/#owners-dependents',
};
