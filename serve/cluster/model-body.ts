import { type ApiObject, splitKey } from '../../model/index.ts';
import type { Body } from './body.ts';

/**
 * What is kept of an object that no client has written: one of a scenario, or one that a controller
 * has made. It says what the model knows of spec and status, so that a later write does not undo
 * it.
 */
export function bodyOfModel({ pod, volume, observedGeneration, replicas }: ApiObject): Body {
  const spec = {
    ...(replicas === undefined ? {} : { replicas }),
    ...(pod === undefined ? {} : podSpec(pod)),
    ...(volume === undefined ? {} : { claimRef: claimReference(volume) }),
  };
  const status = {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(pod === undefined ? {} : { phase: phaseOfPod(pod) }),
    ...(volume === undefined ? {} : { phase: volume.bound ? 'Bound' : 'Released' }),
  };
  return {
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
    ...(Object.keys(status).length === 0 ? {} : { status }),
  };
}

function podSpec(pod: NonNullable<ApiObject['pod']>): Body {
  const { scheduled, node, claims = [], terminationGracePeriodSeconds } = pod;
  return {
    ...(scheduled ? { nodeName: node ?? 'some-node' } : {}),
    ...(terminationGracePeriodSeconds === null ? {} : { terminationGracePeriodSeconds }),
    ...(claims.length === 0
      ? {}
      : {
          volumes: claims.map((claimName) => ({
            name: claimName,
            persistentVolumeClaim: { claimName },
          })),
        }),
  };
}

function phaseOfPod({ finished, running }: NonNullable<ApiObject['pod']>): string {
  if (finished) return 'Succeeded';
  return running === true ? 'Running' : 'Pending';
}

function claimReference({ claim, claimUid }: NonNullable<ApiObject['volume']>): Body {
  const [, namespace, name] = splitKey(claim);
  return { namespace, name, ...(claimUid === undefined ? {} : { uid: claimUid }) };
}
