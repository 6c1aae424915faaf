import { SCALARS } from './kept-named.ts';
import { type Kept, scalars } from './kept-part.ts';

/** Terms that say which nodes a pod can be on. */
const NODE_TERMS: Kept = {
  fields: {
    nodeSelectorTerms: {
      items: {
        fields: {
          matchExpressions: {
            items: { fields: { ...scalars('key', 'operator'), values: SCALARS } },
          },
        },
      },
    },
  },
};
export const NODE_AFFINITY: Kept = {
  fields: { requiredDuringSchedulingIgnoredDuringExecution: NODE_TERMS },
};
const REQUIRED: Kept = { items: { fields: { operator: 'scalar', values: SCALARS } } };
export const VALUES_OF_TERMS: Kept = {
  fields: {
    nodeSelectorTerms: {
      items: { fields: { matchExpressions: REQUIRED, matchFields: REQUIRED } },
    },
  },
};
