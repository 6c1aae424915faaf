import { type Body, isBody, metadataOf, valueAt, withValueAt } from '../cluster/body.ts';
import type { Resource, ScalePaths } from '../cluster/resources.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { invalidRequest, notServed } from './status.ts';

/** The subresource `scale`, as `autoscaling/v1`. Throws `StatusError` if there is none. */
export function scaleOf(resource: Resource, { view }: Stored): Body {
  const paths = pathsOf(resource);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = view.metadata;
  const number = (path: string): number => {
    const value = valueAt(view, path);
    return typeof value === 'number' ? value : 0;
  };
  const selector = paths.selector === undefined ? undefined : valueAt(view, paths.selector);
  const text = selectorText(selector);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: number(paths.spec) },
    status: { replicas: number(paths.status), ...(text === '' ? {} : { selector: text }) },
  };
}

/** The object after a write of its scale. Throws `StatusError`. */
export function scaledTo(resource: Resource, { view }: Stored, scale: Body): Body {
  const replicas = valueAt(scale, 'spec.replicas') ?? 0;
  const isCount = typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0;
  if (!isCount) throw invalidRequest('spec.replicas: Invalid value: must be a whole number from 0');
  const scaled = withValueAt(view, pathsOf(resource).spec.split('.'), replicas);
  const { resourceVersion, uid } = metadataOf(scale);
  return {
    ...scaled,
    metadata: {
      ...view.metadata,
      resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
      ...(typeof uid === 'string' ? { uid } : {}),
    },
  };
}

function pathsOf({ scale }: Resource): ScalePaths {
  if (scale === null) throw notServed();
  return scale;
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (!isBody(selector)) return '';
  const labels = isBody(selector.matchLabels) ? selector.matchLabels : selector;
  return Object.entries(labels)
    .filter(([, value]) => typeof value === 'string')
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
