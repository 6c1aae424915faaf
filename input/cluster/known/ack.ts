import type { KnownFinalizer } from './schema.ts';

/** Services for which people run a controller of AWS Controllers for Kubernetes. */
const SERVICES: readonly string[] = [
  ...['acm', 'apigatewayv2', 'cloudfront', 'dynamodb', 'ec2', 'ecr', 'ecs', 'efs', 'eks'],
  ...['elasticache', 'elbv2', 'eventbridge', 'iam', 'kafka', 'kms', 'lambda', 'memorydb'],
  ...['opensearchservice', 'rds', 'route53', 's3', 'secretsmanager', 'sfn', 'sns', 'sqs'],
];

const ROW = {
  name: 'finalizers.*',
  project: 'AWS Controllers for Kubernetes',
  waitsFor: 'the resource in AWS to be deleted, unless a deletion policy says retain',
  external: true,
  leaves: 'the resource in AWS',
  documented: 'https://aws-controllers-k8s.github.io/docs/guides/deletion-policy',
} as const;

/**
 * Each service has a controller of its own, whose chart is named after it. EKS can run them itself.
 * Without its kinds, the name of the finalizer fits those of other projects as well.
 */
export const ACK_FINALIZERS: readonly KnownFinalizer[] = [
  ...SERVICES.map((service) => ({
    ...ROW,
    kinds: [`*.${service}.services.k8s.aws`],
    owner: `the ACK controller of ${service}`,
    runs: 'workload' as const,
    workloads: [`${service}-chart`, `ack-${service}-controller`],
  })),
  {
    ...ROW,
    kinds: ['*.services.k8s.aws'],
    owner: 'the ACK controller of that service',
    runs: 'cloud',
  },
];
