import type { KnownFinalizer } from './schema.ts';

/** Each operator of Percona removes the finalizers from its own kinds. */
const PERCONA: readonly KnownFinalizer[] = [
  ['psmdb', 'percona-server-mongodb-operator', 'delete-psmdb-*'],
  ['pxc', 'percona-xtradb-cluster-operator', 'delete-pxc-*'],
  ['pgv2', 'percona-postgresql-operator'],
  ['ps', 'percona-server-mysql-operator'],
].flatMap(([group = '', workload = '', ...older]) =>
  ['*-pvc', 'percona.com/*', ...older].map((name) => ({
    name,
    kinds: [`*.${group}.percona.com`],
    project: 'Percona',
    owner: `the ${workload}`,
    waitsFor: 'its pods to be stopped in order; one that ends with pvc deletes the claims as well',
    runs: 'workload' as const,
    workloads: [workload],
    ...(name === '*-pvc' ? { deletesClaims: true } : {}),
    leaves: 'claims with their data, users and certificates',
    documented: 'https://docs.percona.com/percona-operators/',
  })),
);

/** What its storage has of a backup, which the operator deletes with its credentials. */
const PERCONA_BACKUPS: readonly KnownFinalizer[] = [
  ['PerconaServerMongoDBBackup.psmdb', 'percona-server-mongodb-operator'],
  ['PerconaXtraDBClusterBackup.pxc', 'percona-xtradb-cluster-operator'],
  ['PerconaServerMySQLBackup.ps', 'percona-server-mysql-operator'],
].flatMap(([kind = '', workload = '']) =>
  ['percona.com/delete-backup', 'delete-backup', 'delete-s3-backup'].map((name) => ({
    name,
    kinds: [`${kind}.percona.com`],
    project: 'Percona',
    owner: `the ${workload}`,
    waitsFor: 'the backup to be deleted from its storage',
    runs: 'workload' as const,
    workloads: [workload],
    external: true,
    leaves: 'the stored backup',
    documented: 'https://docs.percona.com/percona-operators/',
  })),
);

/**
 * The operator of OpsTree deletes the claims (`finalizeRedisClusterPVC`), unless it is to keep
 * them.
 */
const REDIS: readonly KnownFinalizer[] = [
  'redisFinalizer',
  'redisClusterFinalizer',
  'redisReplicationFinalizer',
  'redisSentinelFinalizer',
].map((name) => ({
  name,
  project: 'Redis Operator',
  owner: 'the Redis operator of OpsTree',
  waitsFor: 'its claims to be deleted, unless keepAfterDelete is set',
  runs: 'workload' as const,
  workloads: ['redis-operator'],
  deletesClaims: true,
  leaves: 'claims with their data',
  documented: 'https://redis-operator.opstree.dev/docs/',
}));

const FLINK = {
  project: 'Flink Kubernetes Operator',
  owner: 'the Flink operator',
  runs: 'workload',
  workloads: ['flink-kubernetes-operator'],
  leaves: 'a job that still runs',
  documented: 'https://nightlies.apache.org/flink/flink-kubernetes-operator-docs-main/',
} as const;

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
    external: true,
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
    // It lets an object go whose cluster is gone.
    name: '*.rabbitmq.com',
    kinds: ['*.rabbitmq.com'],
    project: 'RabbitMQ Messaging Topology Operator',
    owner: 'the messaging topology operator',
    waitsFor: 'the queue, exchange, user or other object to be deleted in RabbitMQ',
    runs: 'workload',
    workloads: ['messaging-topology-operator', 'messaging-topology-operator-controller-manager'],
    external: true,
    leaves: 'the object in RabbitMQ',
    documented: 'https://www.rabbitmq.com/kubernetes/operator/using-topology-operator',
  },
  {
    name: 'deletion.finalizers.temporal.io',
    project: 'Temporal Operator',
    owner: 'the Temporal operator',
    waitsFor: 'the namespace or schedule to be deleted in Temporal, where allowDeletion is set',
    runs: 'workload',
    workloads: ['temporal-operator', 'temporal-operator-controller-manager'],
    external: true,
    leaves: 'the namespace or schedule in Temporal, with its history',
    documented: 'https://temporal-operator.pages.dev/',
  },
  {
    name: 'cnpg.io/*',
    project: 'CloudNativePG',
    owner: 'the instance manager of the database',
    waitsFor: 'the database to be dropped, where the reclaim policy is delete',
    runs: 'workload',
    // The instance manager runs in the pods of the cluster that the object names.
    ownedBy: 'Cluster',
    external: true,
    leaves: 'the database in PostgreSQL',
    documented: 'https://cloudnative-pg.io/documentation/current/declarative_database_management/',
  },
  {
    name: '*.k8s.mariadb.com/finalizer',
    kinds: ['Database.k8s.mariadb.com', 'User.k8s.mariadb.com', 'Grant.k8s.mariadb.com'],
    project: 'MariaDB Operator',
    owner: 'the MariaDB operator',
    waitsFor: 'the database, user or grant to be dropped, unless cleanupPolicy is Skip',
    runs: 'workload',
    workloads: ['mariadb-operator'],
    external: true,
    leaves: 'the database, user or grant in MariaDB',
    documented:
      'https://github.com/mariadb-operator/mariadb-operator/blob/main/docs/sql_resources.md',
  },
  ...PERCONA_BACKUPS,
  ...PERCONA,
  {
    // `on_innodbcluster_delete` and `on_pod_delete`
    name: 'mysql.oracle.com/cluster',
    project: 'MySQL Operator',
    owner: 'the MySQL operator of Oracle',
    waitsFor: 'its routers and servers to be scaled to none, and their pods to be gone',
    runs: 'workload',
    workloads: ['mysql-operator'],
    leaves: 'pods with the finalizer mysql.oracle.com/membership',
    documented: 'https://dev.mysql.com/doc/mysql-operator/en/',
  },
  {
    name: 'mysql.oracle.com/membership',
    project: 'MySQL Operator',
    owner: 'the MySQL operator of Oracle',
    waitsFor: 'the server to be removed from its group',
    runs: 'workload',
    workloads: ['mysql-operator'],
    leaves: 'a member of the group that is gone',
    documented: 'https://dev.mysql.com/doc/mysql-operator/en/',
  },
  {
    name: 'mongodb.com/v1.userRemovalFinalizer',
    project: 'MongoDB Controllers for Kubernetes',
    owner: 'the operator of MongoDB',
    waitsFor: 'the user to be deleted in MongoDB',
    runs: 'workload',
    workloads: ['mongodb-kubernetes-operator', 'mongodb-enterprise-operator'],
    external: true,
    leaves: 'the user in MongoDB',
    documented: 'https://www.mongodb.com/docs/kubernetes/current/',
  },
  // `checkFinalizers`: it deletes them in all namespaces, and waits for the topics.
  ...[
    ['*.kafkaclusters.kafka.banzaicloud.io', 'its topics and users, which it deletes, to be gone'],
    ['finalizer.kafkatopics.kafka.banzaicloud.io', 'the topic to be deleted in Kafka'],
    ['finalizer.kafkausers.kafka.banzaicloud.io', 'the user and its rights in Kafka to be deleted'],
  ].map(
    ([name = '', waitsFor = '']): KnownFinalizer => ({
      ...{ name, waitsFor },
      project: 'Koperator',
      owner: 'Koperator',
      runs: 'workload',
      workloads: ['koperator', 'kafka-operator', 'kafka-operator-operator', 'koperator-operator'],
      ...(name.startsWith('*')
        ? { whileThere: ['KafkaTopic.kafka.banzaicloud.io', 'KafkaUser.kafka.banzaicloud.io'] }
        : { external: true }),
      leaves: 'topics and users in Kafka',
      documented: 'https://github.com/banzaicloud/koperator',
    }),
  ),
  // `deleteExternalResources`; the first two are those of the group opensearch.opster.io.
  ...['Opster', 'opster.io/opensearch-data', 'Opensearch', 'opensearch.org/opensearch-data'].map(
    (name): KnownFinalizer => ({
      name,
      project: 'OpenSearch Operator',
      owner: 'the OpenSearch operator',
      waitsFor: 'what it made in OpenSearch, or for the cluster, to be deleted',
      runs: 'workload',
      workloads: ['opensearch-operator', 'opensearch-operator-controller-manager'],
      ...(name.includes('/') ? { external: true } : {}),
      leaves: 'users, roles or policies in OpenSearch',
      documented: 'https://github.com/opensearch-project/opensearch-k8s-operator',
    }),
  ),
  {
    name: 'tidb.pingcap.com/backup-protection',
    project: 'TiDB Operator',
    owner: 'the TiDB operator',
    waitsFor: 'a Job to delete the stored backup, unless cleanPolicy is Retain',
    runs: 'workload',
    makes: 'jobs',
    workloads: ['tidb-controller-manager'],
    leaves: 'the stored backup',
    documented: 'https://docs.pingcap.com/tidb-in-kubernetes/stable/backup-restore-overview',
  },
  {
    // It names them by labels, as some may be in other clusters.
    name: 'k8ssandracluster.k8ssandra.io/finalizer',
    project: 'K8ssandra',
    owner: 'the k8ssandra-operator',
    waitsFor: 'its datacenters, which it deletes, to be gone, in other clusters as well',
    runs: 'workload',
    workloads: ['k8ssandra-operator'],
    whileThere: ['CassandraDatacenter.cassandra.datastax.com'],
    leaves: 'its datacenters',
    documented: 'https://docs.k8ssandra.io/',
  },
  ...REDIS,
  {
    name: 'finalizer.cassandra.datastax.com',
    project: 'cass-operator',
    owner: 'the cass-operator',
    waitsFor: 'the nodes to be drained and the claims to be deleted',
    runs: 'workload',
    workloads: ['cass-operator', 'cass-operator-controller-manager'],
    deletesClaims: true,
    leaves: 'claims with their data',
    documented: 'https://docs.k8ssandra.io/components/cass-operator/',
  },
  {
    name: 'postgres-operator.acid.zalan.do',
    project: 'Postgres Operator',
    owner: 'the Postgres Operator of Zalando',
    waitsFor:
      'the StatefulSet, the services and, unless it is told to keep them, the claims and secrets of the cluster to be deleted',
    runs: 'workload',
    workloads: ['postgres-operator'],
    leaves: 'the database and all that belongs to it',
    documented:
      'https://postgres-operator.readthedocs.io/en/latest/administrator/#owner-references-and-finalizers',
  },
  {
    name: 'postgres-operator.crunchydata.com/finalizer',
    project: 'PGO',
    owner: 'PGO, the Postgres operator of Crunchy Data',
    waitsFor: 'its instances to be shut down',
    runs: 'workload',
    workloads: ['pgo'],
    leaves: 'nothing outside of the cluster',
    documented: 'https://access.crunchydata.com/documentation/postgres-operator/latest',
  },
  {
    name: 'finalizer.clickhouseinstallation.altinity.com',
    project: 'ClickHouse Operator',
    owner: 'the ClickHouse operator of Altinity',
    waitsFor: 'tables, StatefulSets and claims of the installation to be deleted',
    runs: 'workload',
    workloads: ['clickhouse-operator'],
    deletesClaims: true,
    leaves: 'StatefulSets and claims of the installation',
    documented: 'https://docs.altinity.com/altinitykubernetesoperator/',
  },
  {
    // `cleanupInternal` of its `SessionReconciler`
    ...FLINK,
    name: 'flinkdeployments.flink.apache.org/finalizer',
    waitsFor: 'the session jobs that run in it to be gone, and then for the job to be stopped',
    whileThere: ['FlinkSessionJob.flink.apache.org'],
  },
  {
    ...FLINK,
    name: '*.flink.apache.org/finalizer',
    waitsFor: 'the job to be stopped',
  },
  {
    name: 'ray.io/gcs-ft-redis-cleanup-finalizer',
    project: 'KubeRay',
    owner: 'the KubeRay operator',
    waitsFor: 'what the cluster keeps in Redis to be removed',
    runs: 'workload',
    makes: 'pods',
    workloads: ['kuberay-operator'],
    leaves: 'data in Redis',
    documented: 'https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/kuberay-gcs-ft.html',
  },
  {
    name: 'mongodbatlas/finalizer',
    project: 'Atlas Operator',
    owner: 'the MongoDB Atlas operator',
    waitsFor: 'the resource in Atlas to be deleted, unless deletion protection keeps it',
    runs: 'workload',
    workloads: ['mongodb-atlas-operator'],
    external: true,
    leaves: 'the resource in Atlas',
    documented: 'https://www.mongodb.com/docs/atlas/operator/current/ak8so-deletion-protection/',
  },
];
