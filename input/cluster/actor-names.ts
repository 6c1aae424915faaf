/**
 * The controllers and agents of a real cluster that a dump can call for, as `--with` and
 * `--without` take them. Their evidence is in `actors.ts`; each of them is an actor of the model,
 * or a part of its setup.
 */
export const ACTOR_NAMES = [
  'kubelets',
  'namespace-controller',
  'definition-controller',
  'storage-protection',
  'pod-gc',
  'node-lifecycle',
  'workload-controllers',
  'job-tracking',
] as const;

export type ActorName = (typeof ACTOR_NAMES)[number];

/** What an actor needs to have anything to do; an answer for `--with` without it. */
export const IDLE: Readonly<Record<ActorName, string>> = {
  kubelets: 'no pod on a node that answers is deleted here',
  'namespace-controller': 'no namespace is deleted here',
  'definition-controller': 'no definition is deleted here',
  'storage-protection': 'no claim or volume is deleted here',
  'pod-gc': 'no pod here is without its node',
  'node-lifecycle': 'no pod here is on a node that does not answer',
  'workload-controllers': 'no workload stays whose children are deleted here',
  'job-tracking': 'no pod here has batch.kubernetes.io/job-tracking',
};
