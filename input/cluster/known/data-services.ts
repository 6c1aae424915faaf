import type { KnownFinalizer } from './schema.ts';

/** Each operator of Percona removes the finalizers from its own kinds. */
const PERCONA: readonly KnownFinalizer[] = [
  ['psmdb', 'percona-server-mongodb-operator', 'delete-psmdb-*'],
  ['pxc', 'percona-xtradb-cluster-operator', 'delete-pxc-*'],
  ['pgv2', 'percona-postgresql-operator'],
  ['ps', 'percona-server-mysql-operator'],
].flatMap(([group = '', workload = '', ...older]) =>
  ['percona.com/*', ...older].map((name) => ({
    name,
    kinds: [`*.${group}.percona.com`],
    project: 'Percona',
    owner: `the ${workload}`,
    waitsFor: 'its pods to be stopped in order; one that ends with pvc deletes the claims as well',
    runs: 'workload' as const,
    workloads: [workload],
    leaves: 'claims with their data, users and certificates',
    documented: 'https://docs.percona.com/percona-operators/',
  })),
);

/** Finalizers of operators of databases, streams and search. */
export const DATA_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'strimzi.io/topic-operator',
    project: 'Strimzi',
    owner: "Strimzi's topic operator",
    waitsFor: 'the topic to be deleted in Kafka',
    runs: 'workload',
    workloads: ['entity-operator', 'topic-operator'],
    namedBy: 'strimzi.io/cluster',
    leaves: 'the topic in Kafka',
    documented: 'https://strimzi.io/docs/operators/latest/deploying',
  },
  {
    name: 'finalizer.elasticsearch.k8s.elastic.co/*',
    project: 'Elastic Cloud on Kubernetes',
    owner: 'the ECK operator of an early version',
    waitsFor: 'its watch of a secret to end',
    runs: 'workload',
    workloads: ['elastic-operator'],
    leaves: 'nothing outside of the cluster',
    documented: 'https://www.elastic.co/guide/en/cloud-on-k8s/current/index.html',
  },
  {
    name: 'deletion.finalizers.rabbitmqclusters.rabbitmq.com',
    project: 'RabbitMQ Cluster Operator',
    owner: 'the RabbitMQ cluster operator',
    waitsFor: 'its StatefulSet to be deleted',
    runs: 'workload',
    workloads: ['rabbitmq-cluster-operator'],
    leaves: 'nothing outside of the cluster',
    documented: 'https://www.rabbitmq.com/kubernetes/operator/operator-overview',
  },
  {
    name: 'cnpg.io/*',
    project: 'CloudNativePG',
    owner: 'the instance manager of the database',
    waitsFor: 'the database to be dropped, where the reclaim policy is delete',
    runs: 'workload',
    workloads: ['cnpg-controller-manager', 'cnpg-cloudnative-pg'],
    leaves: 'the database in PostgreSQL',
    documented: 'https://cloudnative-pg.io/documentation/current/declarative_database_management/',
  },
  ...PERCONA,
];
