import { defineProperty } from 'reapcheck/checker';
import {
  clusterModel,
  defineController,
  isBeingDeleted,
  setupFromYaml,
  type Task,
  viewOf,
} from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';

/*
 * The first minute of an object: an operator makes a bucket for each Bucket, and a finalizer shall see
 * to it that the bucket goes. Four attempts, of which each mends the one before.
 */

const CLEAN_UP = 'example.com/clean-up';
const bucket = 'bucket logs';

const setup = setupFromYaml(`
protocol: newest
objects:
  - {apiVersion: example.com/v1, kind: Bucket, metadata: {name: logs, namespace: default}}
requests:
  - {delete: Bucket/logs, propagationPolicy: Background, user: alice}
`);

export interface Attempt {
  /** The finalizer is written before the bucket is made, not after it. */
  readonly finalizerFirst: boolean;
  /** A request for an object that is gone deletes the bucket. */
  readonly cleansAfter: boolean;
  readonly restarts: number;
}

export const operatorWith = ({ finalizerFirst, cleansAfter, restarts }: Attempt) =>
  defineController({
    name: 'bucket-operator',
    for: 'Bucket',
    finalizers: [CLEAN_UP],
    outside: [bucket],
    restarts,
    plan(look, self): readonly Task[] {
      const object = look(self.object);
      if (object === null) {
        return cleansAfter && look.outside(bucket) ? [{ do: 'deleteOutside', name: bucket }] : [];
      }
      const { finalizers } = object;
      const finalizer = { object: self.object, finalizer: CLEAN_UP } as const;
      if (isBeingDeleted(object)) {
        if (!finalizers.includes(CLEAN_UP)) return [];
        return [
          { do: 'deleteOutside', name: bucket },
          { do: 'removeFinalizer', ...finalizer },
        ];
      }
      const missing: Task[] = look.outside(bucket) ? [] : [{ do: 'createOutside', name: bucket }];
      const first: Task[] = finalizers.includes(CLEAN_UP)
        ? []
        : [{ do: 'addFinalizer', ...finalizer }];
      return finalizerFirst ? [...first, ...missing] : [...missing, ...first];
    },
  });

export const modelWith = (attempt: Attempt) =>
  clusterModel(setup, { name: 'bucket', controllers: [operatorWith(attempt)] });

export function propertiesOf(model: ReturnType<typeof modelWith>) {
  const { object, outside } = viewOf(model);
  return [
    ...propertiesFor(model, ['every-deletion-finishes']),
    defineProperty(model, {
      kind: 'eventually',
      name: 'the bucket goes with its object',
      trigger: (cluster) => object(cluster, 'Bucket/logs') === null,
      goal: (cluster) => !outside(cluster, bucket),
      explain: () => [`${bucket} stays, and nobody knows of it`],
    }),
  ];
}

export const model = modelWith({ finalizerFirst: true, cleansAfter: false, restarts: 0 });
export const properties = propertiesOf(model);
