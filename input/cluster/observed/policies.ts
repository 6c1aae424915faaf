import { valueAt } from '../../documents/shape.ts';
import type { Mark } from './mark.ts';
import { policyOf } from './watched.ts';

const ACK = 'services.k8s.aws';
const ANNOTATION = `${ACK}/deletion-policy`;

/** The deletion policies of AWS Controllers for Kubernetes that an object has or sets. */
export function policiesOf(
  apiVersion: string,
  kind: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  const mark = (service: string, value: string, by: string): Mark => ({
    ...{ mark: 'policy', tool: null, service, value, by },
  });
  const [group = ''] = apiVersion.split('/');
  if (group.endsWith(`.${ACK}`)) {
    const own = annotations[ANNOTATION];
    return own === undefined ? [] : [mark('', own, ANNOTATION)];
  }
  if (apiVersion === 'v1' && kind === 'Namespace') {
    // `setNamespaceInfoFromK8sObject`: without a service, the annotation says nothing.
    return Object.entries(annotations).flatMap(([name, value]) =>
      name.endsWith(`.${ANNOTATION}`)
        ? [mark(name.slice(0, -ANNOTATION.length - 1), value, name)]
        : [],
    );
  }
  const template = kind === 'Pod' ? manifest : valueAt(manifest, ['spec', 'template']);
  const value = policyOf(template);
  return value === null ? [] : [mark('', value, '--deletion-policy')];
}
