import { formatKey } from '../state/keys.ts';
import type { Context, Step } from '../words/context.ts';

/**
 * The name of an action with its parameters in words, one entry each. It does not depend on the
 * state, so it can also name a step that is not possible.
 */
export function describeInstance({ names, setup }: Context, step: Step): readonly string[] {
  const words = Object.entries(step.parameters).map(([name, value]) => {
    const text = String(value);
    switch (name) {
      case 'user':
      case 'kind':
      case 'answer':
      case 'finalizer':
      case 'informer':
      case 'initializer':
        return text;
      case 'worker':
      case 'client':
      case 'controller':
        return names.client(text);
      case 'node':
        return names.node(text);
      case 'dependent':
      case 'uid':
        return names.uid(text);
      case 'key':
        // Beside a uid, the key is that of the same object.
        return 'uid' in step.parameters ? '' : formatKey(text);
      case 'definition':
        return formatKey(text);
      case 'workload': {
        const parent = setup.workloads?.[Number(text)]?.parent.key;
        return parent === undefined ? `workload ${text}` : formatKey(parent);
      }
      default:
        return `${name} ${text}`;
    }
  });
  return [step.name, ...words.filter((word) => word !== '')];
}
