import { InputError } from '../../../text/input-error.ts';
import { documents } from '../../documents/documents.ts';
import { shaped } from '../../documents/shape.ts';
import type { Source } from '../../documents/source.ts';
import { finalizerTableSchema, type KnownFinalizer, knownFinalizerSchema } from './schema.ts';

const FIELDS = ['finalizers', ...Object.keys(knownFinalizerSchema.shape)];

/**
 * Reads a user's rows for the table of finalizers, for `--finalizers FILE`. They come before the
 * well-known ones. Throws `InputError`.
 */
export function readFinalizerTable(source: Source): readonly KnownFinalizer[] {
  const names = new Set<string>();
  return [...documents(source)].flatMap((document) => {
    if (document.value === null) return [];
    const { finalizers } = shaped(finalizerTableSchema, document.value, document, [], FIELDS);
    for (const [index, { name, runs, workloads = [] }] of finalizers.entries()) {
      const at = (field: string) => document.place(['finalizers', index, field]);
      if (names.has(name)) {
        throw new InputError({
          what: `the table has ${name} twice`,
          where: at('name'),
          expected: 'each finalizer once',
        });
      }
      if (runs !== 'workload' && runs !== 'cloud' && workloads.length > 0) {
        throw new InputError({
          what: `${name} has workloads, but its owner does not run as one`,
          where: at('workloads'),
          expected: 'runs: workload, or no workloads',
        });
      }
      names.add(name);
    }
    return finalizers;
  });
}
