import { isMapping, valueAt } from '../../documents/shape.ts';

/** The further networks of a pod: names, or a list in JSON (`parsePodNetworkAnnotation`). */
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/** Where a pod, and what makes pods, has it. */
const AT: readonly (readonly string[])[] = [
  ['metadata'],
  ['spec', 'template', 'metadata'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata'],
];

/** The networks of Multus that an object names for its pods. */
export function networksOf(manifest: unknown): readonly Network[] {
  const said = AT.flatMap((path) => {
    const found = valueAt(manifest, [...path, 'annotations', NETWORKS]);
    return typeof found === 'string' ? [found.trim()] : [];
  });
  return said
    .flatMap((text) => (text.startsWith('[') ? listed(text) : text.split(',').map(plain)))
    .filter(({ name }) => name !== '');
}

interface Network {
  /** Null: that of the pod. */
  readonly namespace: string | null;
  readonly name: string;
}

/** `NAMESPACE/NAME@INTERFACE`, without the first or the last. */
function plain(text: string): Network {
  const [full = ''] = text.trim().split('@');
  const [first = '', second] = full.split('/');
  return second === undefined
    ? { namespace: null, name: first }
    : { namespace: first, name: second };
}

function listed(text: string): readonly Network[] {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(found) ? found : []).filter(isMapping).map(({ namespace, name }) => ({
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : null,
    name: typeof name === 'string' ? name : '',
  }));
}
