import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const ACK_S3 = runs('ack-system/ack-s3-controller');
const retaining = (args: readonly string[]) => ({
  containers: [
    {
      ...{ name: 'controller', image: 'ack', command: ['./bin/controller'], args },
      env: [{ name: 'DELETION_POLICY', value: 'retain' }],
    },
  ],
});
const ACK_RETAINS = runs(
  'ack-system/ack-s3-controller',
  retaining(['--deletion-policy', '$(DELETION_POLICY)']),
);
/** The last one counts. */
const TWICE = ['--deletion-policy=retain', '--deletion-policy=delete'];
const ACK_RDS = runs('ack-system/ack-rds-controller');
const provider = made('apps/v1 Deployment', 'crossplane-system/provider-aws', {
  owners: [owner('pkg.crossplane.io/v1 ProviderRevision', 'provider-aws-1')],
  spec: { replicas: 1 },
  status: { readyReplicas: 1 },
});
const MANAGED = 'finalizer.managedresource.crossplane.io';
const managed = (type: string, spec: object, more: object = {}) => [
  provider,
  made(type, 'x', { finalizers: [MANAGED], spec, ...more }),
];
const ack = (kind: string, group: string, spec: object, more: object = {}) =>
  made(`${group}.services.k8s.aws/v1alpha1 ${kind}`, 'shop/x', {
    finalizers: [`finalizers.${group}.services.k8s.aws/${kind}`],
    spec,
    ...more,
  });
const strimzi = (annotations: Record<string, string>) =>
  made('kafka.strimzi.io/v1beta2 KafkaTopic', 'shop/x', { annotations });
const KCC = runs('cnrm-system/cnrm-controller-manager');
const kcc = (type: string, more: object = {}) =>
  made(type, 'shop/x', { finalizers: ['cnrm.cloud.google.com/finalizer'], ...more });
const says = (type: string, status: string, reason: string) => ({
  status: { conditions: [{ type, status, reason }] },
});
const EMPTY = /only while it is empty/;
const REFUSED = /its provider refuses to delete it/;

/** A class of the AWS Load Balancer Controller. */
const PROTECTING_CLASS: readonly object[] = [
  made('networking.k8s.io/v1 IngressClass', 'alb', {
    spec: { parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'p' } },
  }),
  made('elbv2.k8s.aws/v1beta1 IngressClassParams', 'p', {
    spec: { loadBalancerAttributes: [{ key: 'deletion_protection.enabled', value: 'true' }] },
  }),
];

const inRelease = { annotations: { 'meta.helm.sh/release-name': 'op' } };
const definition = (plural: string, group: string, kind: string) =>
  made('apiextensions.k8s.io/v1 CustomResourceDefinition', `${plural}.${group}`, {
    ...inRelease,
    spec: { group, scope: 'Namespaced', names: { kind, plural }, versions: [{ name: 'v1' }] },
  });
/** The chart of an operator with instances. */
const chart = (name: string, replicas: number, ...more: readonly object[]) => [
  made('v1 ConfigMap', 'other/c'),
  made('apps/v1 StatefulSet', `op/${name}`, {
    ...{ ...inRelease, spec: { replicas }, status: { readyReplicas: replicas } },
  }),
  made('v1 Pod', 'op/p', { owners: [owner('apps/v1 StatefulSet', `op/${name}`)] }),
  ...more,
];

const QUESTIONS: readonly Question[] = [
  {
    truth: 'an uninstall knows what keeps Rook, and no DELETE of a group waits for a later one',
    objects: chart(
      'rook-ceph-operator',
      1,
      definition('cephclusters', 'ceph.rook.io', 'CephCluster'),
      definition('cephblockpools', 'ceph.rook.io', 'CephBlockPool'),
      made('ceph.rook.io/v1 CephCluster', 'op/c', { finalizers: ['cephcluster.ceph.rook.io'] }),
      made('ceph.rook.io/v1 CephBlockPool', 'op/p', { finalizers: ['cephblockpool.ceph.rook.io'] }),
    ),
    ask: 'uninstall --release op',
    answer: 'open',
    says: /cephclusters\S+ c -n op --wait=false kubectl delete .* --for=delete cephclusters\S+\/c .*Rook keeps it while there is an image/,
  },
  {
    truth: 'Strimzi: topics go before their cluster, with which their operator goes',
    objects: chart(
      'strimzi-cluster-operator',
      1,
      definition('kafkas', 'kafka.strimzi.io', 'Kafka'),
      definition('kafkatopics', 'kafka.strimzi.io', 'KafkaTopic'),
      made('kafka.strimzi.io/v1beta2 Kafka', 'op/k'),
      made('apps/v1 Deployment', 'op/k-entity-operator', {
        ...{ owners: [owner('kafka.strimzi.io/v1beta2 Kafka', 'op/k')], spec: { replicas: 1 } },
        status: { readyReplicas: 1 },
      }),
      made('apps/v1 ReplicaSet', 'op/r', {
        ...{ owners: [owner('apps/v1 Deployment', 'op/k-entity-operator')], spec: { replicas: 0 } },
      }),
      made('kafka.strimzi.io/v1beta2 KafkaTopic', 'op/t', {
        finalizers: ['strimzi.io/topic-operator'],
      }),
    ),
    ask: 'uninstall --release op',
    answer: 'goes',
    says: /^Delete the instances of KafkaTopic\S+, then the instances of Kafka\S+, then the def/,
  },
  {
    truth: 'Helm: the instances of a definition that it keeps stay (`helm.sh/resource-policy`)',
    objects: chart(
      'acme',
      1,
      made('apiextensions.k8s.io/v1 CustomResourceDefinition', 'widgets.acme.io', {
        annotations: { ...inRelease.annotations, 'helm.sh/resource-policy': 'keep' },
        spec: {
          group: 'acme.io',
          scope: 'Namespaced',
          names: { kind: 'Widget', plural: 'widgets' },
        },
      }),
      made('acme.io/v1 Widget', 'op/w', { finalizers: ['acme.io/cleanup'] }),
    ),
    ask: 'uninstall --release op',
    answer: 'open',
    says: /^Delete the workloads: everything .*Widget\S+\/w\.op stays with its definition and has acme/,
  },
  {
    truth: 'an operator without pods removes no finalizer, also one that no table knows',
    objects: chart(
      'manager',
      0,
      definition('widgets', 'acme.io', 'Widget'),
      made('acme.io/v1 Widget', 'op/w', { finalizers: ['acme.io/cleanup'] }),
    ),
    ask: 'uninstall --release op',
    answer: 'open',
    says: /StatefulSet\S+\/manager\.op, which may run its owner, has 0 replicas; nothing else hangs/,
  },
  {
    truth: 'S3 DeleteBucket: a bucket has to be empty, and ACK does not empty it',
    objects: [ACK_S3, ack('Bucket', 's3', { name: 'x' })],
    ask: 'bucket/x -n shop',
    answer: 'open',
    fates: { Bucket: 'depends' },
    says: EMPTY,
  },
  {
    truth: 'ACK: with the deletion policy retain, nothing is asked of S3',
    objects: [
      ACK_S3,
      ack('Bucket', 's3', {}, { annotations: { 'services.k8s.aws/deletion-policy': 'retain' } }),
    ],
    ask: 'bucket/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'ACK: a namespace says it by service, and a bucket for itself (getDeletionPolicy)',
    objects: [
      ACK_S3,
      made('v1 Namespace', 'shop', {
        annotations: { 's3.services.k8s.aws/deletion-policy': 'retain' },
      }),
      ack('Bucket', 's3', {}),
    ],
    ask: 'bucket/x -n shop',
    answer: 'goes',
    says: /stays, as s3\.services\.k8s\.aws\/deletion-policy of Namespace\/shop: retain says/,
  },
  {
    truth: 'ACK: nothing but a service is asked for in a namespace (setNamespaceInfoFromK8sObject)',
    objects: [
      ACK_S3,
      made('v1 Namespace', 'shop', {
        annotations: {
          'services.k8s.aws/deletion-policy': 'retain',
          'rds.services.k8s.aws/deletion-policy': 'retain',
        },
      }),
      ack('Bucket', 's3', {}),
    ],
    ask: 'bucket/x -n shop',
    answer: 'open',
    says: EMPTY,
  },
  {
    truth: 'ACK: the bucket comes before its namespace, and that before the flag of the controller',
    objects: [
      ACK_RETAINS,
      made('v1 Namespace', 'shop', {
        annotations: { 's3.services.k8s.aws/deletion-policy': 'delete' },
      }),
      made('apps/v1 ReplicaSet', 'ack-system/ack-s3-controller-1', {
        owners: [owner('apps/v1 Deployment', 'ack-system/ack-s3-controller')],
        spec: { replicas: 0 },
      }),
      made('v1 Namespace', 'other'),
      made('v1 Namespace', 'kept', {
        annotations: { 's3.services.k8s.aws/deletion-policy': 'retain' },
      }),
      ack('Bucket', 's3', {}),
      made('s3.services.k8s.aws/v1alpha1 Bucket', 'kept/x', {
        finalizers: ['finalizers.s3.services.k8s.aws/Bucket'],
        annotations: { 'services.k8s.aws/deletion-policy': 'delete' },
      }),
      made('s3.services.k8s.aws/v1alpha1 Bucket', 'other/x', {
        finalizers: ['finalizers.s3.services.k8s.aws/Bucket'],
      }),
    ],
    ask: 'bucket/x.shop bucket/x.kept bucket/x.other',
    answer: 'open',
    fates: { 'Bucket/x.shop': 'depends', 'Bucket/x.kept': 'depends', 'Bucket/x.other': 'goes' },
    says: /x\.other stays, as --deletion-policy of Deployment\S+\/ack-s3-controller\S+: retain says/,
  },
  {
    truth: 'ACK: another controller, or a namespace that is not seen, may say delete',
    objects: [
      ...[ACK_RETAINS, runs('team/ack-s3-controller'), made('v1 Namespace', 'shop')],
      ack('Bucket', 's3', {}),
      runs('ack-system/ack-rds-controller', retaining(['--deletion-policy=retain'])),
      made('rds.services.k8s.aws/v1alpha1 DBInstance', 'unseen/x', {
        finalizers: ['finalizers.rds.services.k8s.aws/DBInstance'],
        spec: { deletionProtection: true },
      }),
      runs('ack-system/ack-eks-controller', retaining(TWICE)),
      ack('Cluster', 'eks', { deletionProtection: true }),
    ],
    ask: 'bucket/x.shop dbinstance/x.unseen cluster/x.shop',
    answer: 'open',
    fates: { Bucket: 'depends', DBInstance: 'depends', Cluster: 'depends' },
  },
  {
    truth: 'ACK: RDS refuses with deletionProtection',
    objects: [ACK_RDS, ack('DBInstance', 'rds', { deletionProtection: true })],
    ask: 'dbinstance/x -n shop',
    answer: 'open',
    fates: { DBInstance: 'depends' },
    says: REFUSED,
  },
  {
    truth: 'ACK: RDS deletes without it',
    objects: [ACK_RDS, ack('DBInstance', 'rds', { deletionProtection: false })],
    ask: 'dbinstance/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'ACK: DynamoDB refuses with deletionProtectionEnabled',
    objects: [
      runs('ack-system/ack-dynamodb-controller'),
      ack('Table', 'dynamodb', { deletionProtectionEnabled: true }),
    ],
    ask: 'table/x -n shop',
    answer: 'open',
  },
  {
    truth: 'ACK: ACK.Terminal says that AWS refuses what the spec says',
    objects: [
      ACK_RDS,
      ack('DBInstance', 'rds', {}, says('ACK.Terminal', 'True', 'InvalidParameter')),
    ],
    ask: 'dbinstance/x -n shop',
    answer: 'open',
    says: /reports ACK\.Terminal=True/,
  },
  {
    truth: 'ACK: ACK.ResourceSynced False is the state of something that is being made',
    objects: [
      ACK_RDS,
      ack('DBInstance', 'rds', {}, says('ACK.ResourceSynced', 'False', 'Creating')),
    ],
    ask: 'dbinstance/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'ACK: ECR deletes a repository with images only by force',
    objects: [runs('ack-system/ack-ecr-controller'), ack('Repository', 'ecr', {})],
    ask: 'repository/x -n shop',
    answer: 'open',
    says: EMPTY,
  },
  {
    truth: 'ACK: EC2 answers DependencyViolation for a VPC in use',
    objects: [runs('ack-system/ack-ec2-controller'), ack('VPC', 'ec2', {})],
    ask: 'vpc/x -n shop',
    answer: 'open',
    says: REFUSED,
  },
  {
    truth: 'ACK: a security group in use',
    objects: [runs('ack-system/ack-ec2-controller'), ack('SecurityGroup', 'ec2', {})],
    ask: 'securitygroup/x -n shop',
    answer: 'open',
  },
  {
    truth: 'ACK: a queue of SQS goes with its messages',
    objects: [runs('ack-system/ack-sqs-controller'), ack('Queue', 'sqs', {})],
    ask: 'queue/x -n shop',
    answer: 'goes',
    says: /resource in AWS behind \S+ is deleted as well/,
  },
  {
    truth: 'ACK: deletionProtection is ACTIVE, as Cognito has it',
    objects: [
      runs('ack-system/ack-eks-controller'),
      ack('Cluster', 'eks', { deletionProtection: 'ACTIVE' }),
    ],
    ask: 'cluster.eks.services.k8s.aws/x -n shop',
    answer: 'open',
    says: /refuses to delete it: deletionProtection is ACTIVE/,
  },
  {
    truth: 'ACK: deletionProtection is INACTIVE',
    objects: [
      runs('ack-system/ack-eks-controller'),
      ack('Cluster', 'eks', { deletionProtection: 'INACTIVE' }),
    ],
    ask: 'cluster.eks.services.k8s.aws/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'Crossplane: a load balancer with enableDeletionProtection',
    objects: managed('elbv2.aws.upbound.io/v1beta1 LB', {
      forProvider: { enableDeletionProtection: true },
    }),
    ask: 'lb/x',
    answer: 'open',
    says: /enableDeletionProtection is true/,
  },
  {
    truth: 'Config Connector: an SQLInstance with settings.deletionProtectionEnabled',
    objects: [
      KCC,
      kcc('sql.cnrm.cloud.google.com/v1beta1 SQLInstance', {
        spec: { settings: { tier: 'x', deletionProtectionEnabled: true } },
      }),
    ],
    ask: 'sqlinstance/x -n shop',
    answer: 'open',
    says: /deletionProtectionEnabled is true/,
  },
  {
    truth: 'Crossplane: the settings of an instance of GCP are a list',
    objects: managed('sql.gcp.upbound.io/v1beta1 DatabaseInstance', {
      forProvider: { settings: [{ deletionProtectionEnabled: true }] },
    }),
    ask: 'databaseinstance/x',
    answer: 'open',
  },
  {
    truth: 'Config Connector: a firestore database with a state of its own',
    objects: [
      KCC,
      kcc('firestore.cnrm.cloud.google.com/v1beta1 FirestoreDatabase', {
        spec: { deleteProtectionState: 'DELETE_PROTECTION_ENABLED' },
      }),
    ],
    ask: 'firestoredatabase/x -n shop',
    answer: 'open',
  },
  {
    truth: 'Config Connector: that state says that it is disabled',
    objects: [
      KCC,
      kcc('firestore.cnrm.cloud.google.com/v1beta1 FirestoreDatabase', {
        spec: { deleteProtectionState: 'DELETE_PROTECTION_DISABLED' },
      }),
    ],
    ask: 'firestoredatabase/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'Crossplane: a database without a name for its last snapshot',
    objects: managed('rds.aws.upbound.io/v1beta1 Instance', {
      forProvider: { region: 'eu-west-1', skipFinalSnapshot: false },
    }),
    ask: 'instance/x',
    answer: 'open',
    says: /without a final snapshot/,
  },
  {
    truth: 'Crossplane: a database with a name for its last snapshot',
    objects: managed('rds.aws.upbound.io/v1beta1 Instance', {
      forProvider: { finalSnapshotIdentifier: 'last' },
    }),
    ask: 'instance/x',
    answer: 'goes',
  },
  {
    truth: 'AWS Load Balancer Controller: an annotation protects the load balancer',
    objects: [
      runs('kube-system/aws-load-balancer-controller'),
      made('v1 Service', 'shop/x', {
        finalizers: ['service.k8s.aws/resources'],
        annotations: {
          'service.beta.kubernetes.io/aws-load-balancer-attributes':
            'a=b, deletion_protection.enabled=true',
        },
        spec: { type: 'LoadBalancer' },
      }),
    ],
    ask: 'svc/x -n shop',
    answer: 'open',
    says: /deletion_protection\.enabled=true/,
  },
  {
    truth: 'AWS Load Balancer Controller: the parameters of the class protect the load balancer',
    objects: [
      runs('kube-system/aws-load-balancer-controller'),
      made('networking.k8s.io/v1 Ingress', 'shop/x', {
        finalizers: ['ingress.k8s.aws/resources'],
        spec: { ingressClassName: 'alb' },
      }),
      ...PROTECTING_CLASS,
    ],
    ask: 'ingress/x -n shop',
    answer: 'open',
    says: /deletion_protection\.enabled=true/,
  },
  {
    truth: 'AWS Load Balancer Controller: the annotation comes before the class (classifyIngress)',
    objects: [
      runs('kube-system/aws-load-balancer-controller'),
      made('networking.k8s.io/v1 Ingress', 'shop/x', {
        finalizers: ['ingress.k8s.aws/resources'],
        annotations: { 'kubernetes.io/ingress.class': 'alb' },
        spec: { ingressClassName: 'alb' },
      }),
      ...PROTECTING_CLASS,
    ],
    ask: 'ingress/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'Rook: a pool can have images of volumes that were retained (checkForImagesInPool)',
    objects: [
      runs('rook-ceph/rook-ceph-operator'),
      made('ceph.rook.io/v1 CephBlockPool', 'rook-ceph/p', {
        finalizers: ['cephblockpool.ceph.rook.io'],
      }),
    ],
    ask: 'cephblockpool/p -n rook-ceph',
    answer: 'open',
    says: /while there is an image or a snapshot in it, which no dump shows/,
  },
  {
    truth: 'Rancher: the agent and the machines of a cluster are elsewhere',
    objects: [
      runs('cattle-system/rancher'),
      made('management.cattle.io/v3 Cluster', 'c-abc', {
        finalizers: ['controller.cattle.io/cluster-agent-controller-cleanup'],
      }),
      made('provisioning.cattle.io/v1 Cluster', 'fleet-default/prod', {
        finalizers: ['wrangler.cattle.io/provisioning-cluster-remove'],
      }),
    ],
    ask: 'cluster.management.cattle.io/c-abc cluster.provisioning.cattle.io/prod.fleet-default',
    answer: 'open',
    fates: { 'Cluster/c-abc': 'depends', 'Cluster/prod': 'depends' },
  },
  {
    truth: 'Crossplane: a bucket without forceDestroy has to be empty',
    objects: managed('s3.aws.upbound.io/v1beta1 Bucket', { forProvider: { region: 'eu-west-1' } }),
    ask: 'bucket/x',
    answer: 'open',
    says: EMPTY,
  },
  {
    truth: 'Crossplane: a bucket with forceDestroy',
    objects: managed('s3.aws.upbound.io/v1beta1 Bucket', { forProvider: { forceDestroy: true } }),
    ask: 'bucket/x',
    answer: 'goes',
  },
  {
    truth: 'Crossplane: a bucket that it leaves (deletionPolicy)',
    objects: managed('s3.aws.upbound.io/v1beta1 Bucket', { deletionPolicy: 'Orphan' }),
    ask: 'bucket/x',
    answer: 'goes',
    says: /stays, as deletionPolicy: Orphan/,
  },
  {
    truth: 'Crossplane: a database with deletionProtection',
    objects: managed('rds.aws.upbound.io/v1beta1 Instance', {
      forProvider: { deletionProtection: true },
    }),
    ask: 'instance/x',
    answer: 'open',
    says: REFUSED,
  },
  {
    truth: 'Crossplane: Synced False, as the provider cannot connect',
    objects: managed(
      'rds.aws.upbound.io/v1beta1 Instance',
      {},
      says('Synced', 'False', 'ReconcileError'),
    ),
    ask: 'instance/x',
    answer: 'open',
    says: /Synced=False \(ReconcileError\)/,
  },
  {
    truth: 'Crossplane: Synced True',
    objects: managed(
      'rds.aws.upbound.io/v1beta1 Instance',
      {},
      says('Synced', 'True', 'ReconcileSuccess'),
    ),
    ask: 'instance/x',
    answer: 'goes',
  },
  {
    truth: 'Crossplane: an EC2 instance that may not be terminated by the API',
    objects: managed('ec2.aws.upbound.io/v1beta1 Instance', {
      forProvider: { disableApiTermination: true },
    }),
    ask: 'instance/x',
    answer: 'open',
  },
  {
    truth: 'Crossplane: a zone of Route 53 with records',
    objects: managed('route53.aws.upbound.io/v1beta1 Zone', { forProvider: {} }),
    ask: 'zone/x',
    answer: 'open',
  },
  {
    truth: 'Crossplane: a subnet in use',
    objects: managed('ec2.aws.upbound.io/v1beta1 Subnet', { forProvider: {} }),
    ask: 'subnet/x',
    answer: 'open',
  },
  {
    truth: 'Crossplane: a network of Google Cloud in use',
    objects: managed('compute.gcp.upbound.io/v1beta1 Network', { forProvider: {} }),
    ask: 'network/x',
    answer: 'open',
  },
  {
    truth: 'Crossplane: a Release of provider-helm needs nothing of a cloud',
    objects: managed('helm.crossplane.io/v1beta1 Release', { forProvider: {} }),
    ask: 'release/x',
    answer: 'goes',
  },
  {
    truth: 'Config Connector: a bucket without the annotation force-destroy',
    objects: [KCC, kcc('storage.cnrm.cloud.google.com/v1beta1 StorageBucket')],
    ask: 'storagebucket/x -n shop',
    answer: 'open',
    says: EMPTY,
  },
  {
    truth: 'Config Connector: a bucket with it',
    objects: [
      KCC,
      kcc('storage.cnrm.cloud.google.com/v1beta1 StorageBucket', {
        annotations: { 'cnrm.cloud.google.com/force-destroy': 'true' },
      }),
    ],
    ask: 'storagebucket/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'Config Connector: a bucket that it abandons',
    objects: [
      KCC,
      kcc('storage.cnrm.cloud.google.com/v1beta1 StorageBucket', {
        annotations: { 'cnrm.cloud.google.com/deletion-policy': 'abandon' },
      }),
    ],
    ask: 'storagebucket/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'Config Connector: Ready False, DeleteFailed',
    objects: [
      KCC,
      kcc('sql.cnrm.cloud.google.com/v1beta1 SQLInstance', says('Ready', 'False', 'DeleteFailed')),
    ],
    ask: 'sqlinstance/x -n shop',
    answer: 'open',
    says: /Ready=False \(DeleteFailed\)/,
  },
  {
    truth: 'Config Connector: a topic of Pub/Sub',
    objects: [KCC, kcc('pubsub.cnrm.cloud.google.com/v1beta1 PubSubTopic')],
    ask: 'pubsubtopic/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'Azure Service Operator: a virtual network in use',
    objects: [
      runs('aso/azureserviceoperator-controller-manager'),
      made('network.azure.com/v1api20201101 VirtualNetwork', 'shop/x', {
        finalizers: ['serviceoperator.azure.com/finalizer'],
      }),
    ],
    ask: 'virtualnetwork/x -n shop',
    answer: 'open',
  },
  {
    truth: 'Azure Service Operator: a resource group takes all with it',
    objects: [
      runs('aso/azureserviceoperator-controller-manager'),
      made('resources.azure.com/v1api20200601 ResourceGroup', 'shop/x', {
        finalizers: ['serviceoperator.azure.com/finalizer'],
      }),
    ],
    ask: 'resourcegroup/x -n shop',
    answer: 'goes',
  },
  {
    truth: 'Strimzi: a topic that is not Ready',
    objects: [
      runs('mq/main-entity-operator'),
      made('kafka.strimzi.io/v1beta2 KafkaTopic', 'mq/t', {
        finalizers: ['strimzi.io/topic-operator'],
        ...says('Ready', 'False', 'KafkaError'),
      }),
    ],
    ask: 'kafkatopic/t -n mq',
    answer: 'open',
  },
  {
    truth: 'RabbitMQ: a queue that is not Ready',
    objects: [
      runs('rabbitmq-system/messaging-topology-operator'),
      made('rabbitmq.com/v1beta1 Queue', 'mq/q', {
        finalizers: ['deletion.finalizers.queues.rabbitmq.com'],
        ...says('Ready', 'False', 'FailedCreateOrUpdate'),
      }),
    ],
    ask: 'queue/q -n mq',
    answer: 'open',
  },
  {
    truth: 'Rook: Bucket of OBC has its own operator and policy',
    objects: [
      runs('rook-ceph/rook-ceph-operator'),
      made('objectbucket.io/v1alpha1 ObjectBucketClaim', 'shop/b', {
        finalizers: ['objectbucket.io/finalizer'],
      }),
    ],
    ask: 'objectbucketclaim/b -n shop',
    answer: 'goes',
  },
  {
    truth: 'MongoDB Atlas: terminationProtectionEnabled',
    objects: [
      runs('atlas/mongodb-atlas-operator'),
      made('atlas.mongodb.com/v1 AtlasDeployment', 'shop/d', {
        finalizers: ['mongodbatlas/finalizer'],
        spec: { terminationProtectionEnabled: true },
      }),
    ],
    ask: 'atlasdeployment/d -n shop',
    answer: 'open',
  },
  {
    truth: 'Crossplane: explain says what the provider waits for, once it is being deleted',
    objects: managed('s3.aws.upbound.io/v1beta1 Bucket', {}, { leaving: true }),
    ask: 'explain bucket/x',
    answer: 'open',
    says: EMPTY,
  },
  {
    truth: 'Service Catalog: an instance waits for its bindings, and a binding for no other',
    objects: [
      runs('catalog/catalog-controller-manager'),
      made('servicecatalog.k8s.io/v1beta1 ServiceInstance', 'shop/i', {
        ...{ finalizers: ['kubernetes-incubator/service-catalog'], spec: {} },
      }),
      ...['a', 'b'].map((name) =>
        made('servicecatalog.k8s.io/v1beta1 ServiceBinding', `shop/${name}`, {
          finalizers: ['kubernetes-incubator/service-catalog'],
          spec: { instanceRef: { name: name === 'b' ? 'i' : 'other' } },
        }),
      ),
    ],
    ask: 'serviceinstance/i servicebinding/a -n shop',
    answer: 'open',
    fates: { 'ServiceInstance/i': 'depends', 'ServiceBinding/a': 'goes' },
    says: /ServiceBinding\S+\/b\.shop stays and uses/,
  },
  {
    truth: 'Cluster API deletes Machines, and not by a label what they own (listDescendants)',
    objects: [
      runs('capi-system/capi-controller-manager'),
      runs('capv-system/capv-controller-manager'),
      made('cluster.x-k8s.io/v1beta1 Cluster', 'shop/c', {
        finalizers: ['cluster.cluster.x-k8s.io'],
      }),
      made('infrastructure.cluster.x-k8s.io/v1beta1 VSphereMachine', 'shop/m', {
        finalizers: ['vspheremachine.infrastructure.cluster.x-k8s.io'],
        labels: { 'cluster.x-k8s.io/cluster-name': 'c' },
      }),
    ],
    ask: 'cluster/c -n shop',
    answer: 'goes',
    fates: { 'Cluster/c': 'goes' },
    says: /^(?!.*VSphereMachine\S+ goes)/,
  },
  {
    truth:
      'the provisioner frees a snapshot once it has filled a claim (external-provisioner#1507)',
    objects: [
      runs('kube-system/csi-provisioner'),
      made('snapshot.storage.k8s.io/v1 VolumeSnapshot', 'shop/s', {
        finalizers: ['provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection'],
        leaving: true,
      }),
    ],
    ask: 'explain volumesnapshot/s -n shop',
    answer: 'open',
    says: /no claim in the dump is being filled from VolumeSnapshot/,
  },
  {
    truth: 'cert-manager has not served certmanager.k8s.io since 0.11 (cert-manager#1978)',
    objects: [
      runs('cert-manager/cert-manager'),
      made('certmanager.k8s.io/v1alpha1 Challenge', 'shop/c', {
        finalizers: ['finalizer.acme.cert-manager.io'],
      }),
    ],
    ask: 'challenge/c -n shop',
    answer: 'open',
  },
  {
    truth: 'Rook: a pool goes before its cluster, and needs to be empty; by hand, neither',
    objects: [
      runs('rook-ceph/rook-ceph-operator'),
      made('ceph.rook.io/v1 CephCluster', 'rook-ceph/c', {
        ...{ leaving: true, finalizers: ['cephcluster.ceph.rook.io'] },
      }),
      made('ceph.rook.io/v1 CephBlockPool', 'rook-ceph/p', {
        finalizers: ['cephblockpool.ceph.rook.io'],
      }),
    ],
    ask: 'explain cephcluster/c -n rook-ceph',
    answer: 'open',
    says: /Remedy 1 .* delete CephBlockPool\S+ .* 2\. end what keeps it .* Remedy 2 ((?! 2\. ).)* Remedy 3 /,
  },
  ...[
    {
      truth: 'the topic operator deletes the topic of an object without its finalizer as well',
      object: strimzi({}),
      ask: 'kafkatopic/x -n shop',
      says: /the topic in Kafka, with its data, behind KafkaTopic\S+\/x\.shop is deleted as well if Strimzi's topic operator runs/,
    },
    {
      truth: 'with strimzi.io/managed: false it leaves the topic',
      object: strimzi({ 'strimzi.io/managed': 'false' }),
      ask: 'kafkatopic/x -n shop',
      says: /the topic in Kafka, with its data, behind \S+ stays, as strimzi\.io\/managed: false says/,
    },
    {
      truth: 'external-dns deletes the records of an endpoint (policy sync)',
      object: made('externaldns.k8s.io/v1alpha1 DNSEndpoint', 'shop/x'),
      ask: 'dnsendpoint/x -n shop',
      says: /external-dns, if it runs, deletes the DNS records of DNSEndpoint\S+, unless/,
    },
    {
      truth: 'and of whatever names a host in its annotation',
      object: made('v1 Service', 'shop/x', {
        annotations: { 'external-dns.alpha.kubernetes.io/hostname': 'x.example.com' },
      }),
      ask: 'svc/x -n shop',
      says: /^(?!.*DNS.*DNS records).*deletes the DNS records of Service\/x\.shop, unless/,
    },
  ].map(({ object, ...more }): Question => ({ ...more, objects: [object], answer: 'goes' })),
];

describeQuestions('answers about what stands outside of the cluster', QUESTIONS);
