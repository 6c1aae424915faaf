import { InputError } from '../text/input-error.ts';

/** What can go wrong with a cluster as a whole. */
export const LIVE_ERRORS = {
  badKubeconfig: (file: string | null, why: string): InputError =>
    new InputError({
      what: `the kubeconfig ${file === null ? '' : `${file} `}cannot be used: ${why}`,
      expected: 'a kubeconfig that kubectl can use, by --kubeconfig, KUBECONFIG or ~/.kube/config',
      next: 'kubectl config view shows what kubectl reads',
    }),

  notAuthenticated: (context: string, why: string): InputError =>
    new InputError({
      what: `no credentials for context "${context}": ${why}`,
      next: 'kubectl auth whoami shows whether kubectl can log in',
    }),

  unreachable: (context: string, why: string): InputError =>
    new InputError({
      what: `the API server of context "${context}" cannot be reached: ${why}`,
      next: 'kubectl version shows whether kubectl can reach it',
    }),

  refused: (context: string, what: string, why: string): InputError =>
    new InputError({
      what: `context "${context}" does not let ${what} be read: ${why}`,
      expected: 'the rights get, list and watch, as in docs/live-cluster.md',
    }),

  tooLarge: (context: string, megabytes: number): InputError =>
    new InputError({
      what: `what deletion can need of context "${context}" is larger than the limit of ${megabytes} MB`,
      next: 'raise the limit with --max-input MB',
    }),

  changesTooFast: (context: string): InputError =>
    new InputError({
      what: `the cluster of context "${context}" changes faster than all its kinds can be listed at one version`,
      next: 'record fewer kinds with --kinds, or begin at a quieter time',
    }),

  notAnApi: (context: string, path: string): InputError =>
    new InputError({
      what: `the server of context "${context}" does not answer ${path} as a Kubernetes API does`,
      next: 'check the server in the kubeconfig',
    }),
} as const;
