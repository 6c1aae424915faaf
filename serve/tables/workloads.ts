import { type Body, textIn, valueAt } from '../cluster/body.ts';
import {
  AGE,
  type BuiltInColumn,
  column,
  containerColumns,
  listAt,
  NONE,
  numberAt,
  selectorText,
  since,
  textAt,
  UNKNOWN,
  whole,
  wide,
} from './column.ts';
import { humanDuration } from './duration.ts';
import { podColumns } from './pods.ts';

/** The tables of pods and of what makes them, by kind. */

const TEMPLATE = containerColumns('spec.template.spec');
const SELECTOR = wide('Selector', (object) => selectorText(object, 'spec.selector'));

/** `1/2`: how many of the replicas are ready. */
const READY_REPLICAS = column(
  'Ready',
  (object) => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`,
);

const REPLICAS: readonly BuiltInColumn[] = [
  whole('Desired', 'spec.replicas'),
  whole('Current', 'status.replicas'),
  whole('Ready', 'status.readyReplicas'),
  AGE,
  ...TEMPLATE,
  SELECTOR,
];

export const WORKLOAD_TABLES: Readonly<Record<string, readonly BuiltInColumn[]>> = {
  Pod: podColumns,
  ReplicationController: REPLICAS,
  'ReplicaSet.apps': REPLICAS,
  'Deployment.apps': [
    READY_REPLICAS,
    whole('Up-to-date', 'status.updatedReplicas'),
    whole('Available', 'status.availableReplicas'),
    AGE,
    ...TEMPLATE,
    SELECTOR,
  ],
  'StatefulSet.apps': [READY_REPLICAS, AGE, ...TEMPLATE],
  'DaemonSet.apps': [
    whole('Desired', 'status.desiredNumberScheduled'),
    whole('Current', 'status.currentNumberScheduled'),
    whole('Ready', 'status.numberReady'),
    whole('Up-to-date', 'status.updatedNumberScheduled'),
    whole('Available', 'status.numberAvailable'),
    column('Node Selector', (object) => selectorText(object, 'spec.template.spec.nodeSelector')),
    AGE,
    ...TEMPLATE,
    SELECTOR,
  ],
  'Job.batch': [
    column('Completions', completions),
    column('Duration', duration),
    AGE,
    ...TEMPLATE,
    SELECTOR,
  ],
  'CronJob.batch': [
    column('Schedule', (object) => textAt(object, 'spec.schedule')),
    column('Suspend', (object) => (valueAt(object, 'spec.suspend') === true ? 'True' : 'False')),
    { ...whole('Active', ''), cell: (object) => listAt(object, 'status.active').length },
    column('Last Schedule', (object, now) => {
      const last = textAt(object, 'status.lastScheduleTime');
      return last === '' ? NONE : since(last, now);
    }),
    AGE,
    ...containerColumns('spec.jobTemplate.spec.template.spec'),
    wide('Selector', (object) => selectorText(object, 'spec.jobTemplate.spec.selector')),
  ],
  'ControllerRevision.apps': [
    column('Controller', controllerOf),
    whole('Revision', 'revision'),
    AGE,
  ],
  PodTemplate: [
    ...containerColumns('template.spec').map((one) => ({ ...one, wide: false })),
    column('Pod Labels', (object) => selectorText(object, 'template.metadata.labels')),
  ],
  'PodDisruptionBudget.policy': [
    column('Min Available', (object) => orNotSet(valueAt(object, 'spec.minAvailable'))),
    column('Max Unavailable', (object) => orNotSet(valueAt(object, 'spec.maxUnavailable'))),
    whole('Allowed Disruptions', 'status.disruptionsAllowed'),
    AGE,
  ],
  'HorizontalPodAutoscaler.autoscaling': [
    column('Reference', (object) =>
      ['kind', 'name'].map((field) => textAt(object, `spec.scaleTargetRef.${field}`)).join('/'),
    ),
    column('Targets', targets),
    column('MinPods', (object) => orNotSet(valueAt(object, 'spec.minReplicas'), '<unset>')),
    whole('MaxPods', 'spec.maxReplicas'),
    whole('Replicas', 'status.currentReplicas'),
    AGE,
  ],
};

function completions(job: Body): string {
  const succeeded = numberAt(job, 'status.succeeded');
  const wanted = valueAt(job, 'spec.completions');
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallel = numberAt(job, 'spec.parallelism');
  return parallel > 1 ? `${succeeded}/1 of ${parallel}` : `${succeeded}/1`;
}

function duration(job: Body, now: number): string {
  const [start, end] = ['startTime', 'completionTime'].map((field) =>
    textAt(job, `status.${field}`),
  );
  if (!start) return '';
  return humanDuration((end ? Date.parse(end) : now) - Date.parse(start));
}

function orNotSet(value: unknown, otherwise = 'N/A'): string {
  return value === undefined || value === null ? otherwise : String(value);
}

function controllerOf(object: Body): string {
  const owner = listAt(object, 'metadata.ownerReferences').find((one) => one.controller === true);
  if (owner === undefined) return NONE;
  const [version, kind, name] = ['apiVersion', 'kind', 'name'].map((field) => textIn(owner, field));
  const slash = version?.indexOf('/') ?? -1;
  const group = slash < 0 ? '' : `.${version?.slice(0, slash)}`;
  return `${kind?.toLowerCase()}${group}/${name}`;
}

/** The targets of an autoscaler, in the old form (`autoscaling/v1`) and in that of metrics. */
function targets(object: Body): string {
  const old = valueAt(object, 'spec.targetCPUUtilizationPercentage');
  if (typeof old === 'number') return `cpu: ${UNKNOWN}/${old}%`;
  const metrics = listAt(object, 'spec.metrics').map((metric) => {
    const name = textAt(metric, 'resource.name');
    const wanted = valueAt(metric, 'resource.target.averageUtilization');
    const text = typeof wanted === 'number' ? `${wanted}%` : '<auto>';
    return `${name === '' ? '' : `${name}: `}${UNKNOWN}/${text}`;
  });
  return metrics.length === 0 ? NONE : metrics.join(', ');
}
