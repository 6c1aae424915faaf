import type { Model } from '../../checker/index.ts';
import {
  type ApiObject,
  BUILT_IN_KINDS,
  type Cluster,
  confluenceOf,
  DEFAULT_PROTOCOL,
  deletionModel,
  keyOf,
  type OwnerReference,
  PROTOCOLS,
  type Setup,
  symmetryOf,
} from '../../model/index.ts';

/** A Deployment with one ReplicaSet and its pods, deleted in foreground. */
export interface DeploymentSize {
  readonly pods: number;
  readonly deleteWorkers: number;
  readonly caches: Setup['caches'];
}

function object(kind: string, name: string, owner: OwnerReference | null): ApiObject {
  return {
    kind,
    namespace: 'default',
    name,
    uid: `uid-${name}`,
    generation: kind === 'Pod' ? 0 : 1,
    finalizers: [],
    ownerReferences: owner === null ? [] : [owner],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
  };
}

function controlledBy(kind: string, name: string): OwnerReference {
  const apiVersion = 'apps/v1';
  return {
    apiVersion,
    kind,
    name,
    uid: `uid-${name}`,
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function deploymentSetup({ pods, deleteWorkers, caches }: DeploymentSize): Setup {
  const deployment = object('Deployment.apps', 'web', null);
  const replicaSet = object('ReplicaSet.apps', 'web-1', controlledBy('Deployment', 'web'));
  const options = { propagationPolicy: 'Foreground' } as const;
  return {
    name: `deployment of ${pods}`,
    kinds: BUILT_IN_KINDS,
    rules: PROTOCOLS[DEFAULT_PROTOCOL]!,
    objects: [
      deployment,
      replicaSet,
      ...Array.from({ length: pods }, (_, index) =>
        object('Pod', `web-1-${index + 1}`, controlledBy('ReplicaSet', 'web-1')),
      ),
    ],
    users: {
      user: [{ request: { do: 'delete', key: keyOf(deployment), options }, after: [] }],
    },
    finalizers: {},
    deleteWorkers,
    orphanWorkers: 1,
    caches,
    relists: {},
  };
}

export function deploymentModel(size: DeploymentSize): Model<Cluster> {
  const setup = deploymentSetup(size);
  const model: Model<Cluster> = deletionModel(setup);
  const symmetry = symmetryOf(setup);
  const confluence = confluenceOf(setup);
  return {
    ...model,
    ...(symmetry === null ? {} : { symmetry }),
    ...(confluence === null ? {} : { confluence }),
  };
}
