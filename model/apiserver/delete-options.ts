import type { DeleteOptions } from '../state/calls.ts';

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** `DeleteOptions` before it is known that the policy is one of the three. */
export interface UncheckedDeleteOptions {
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
}

/** Mirrors `ValidateDeleteOptions` (1.20). Returns what is wrong, nothing when the options are valid. */
export function validateDeleteOptions(options: UncheckedDeleteOptions): readonly string[] {
  const errors: string[] = [];
  const { orphanDependents, propagationPolicy } = options;
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    errors.push(
      `propagationPolicy: Invalid value: "${propagationPolicy}": orphanDependents and deletionPropagation cannot be both set`,
    );
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    errors.push(
      `propagationPolicy: Unsupported value: "${propagationPolicy}": supported values: "Foreground", "Background", "Orphan", "nil"`,
    );
  }
  return errors;
}

/** Options that were never given count as grace period 0 (`Store.Delete`, "older consumers"). */
export function optionsOrImmediate(options: DeleteOptions | null): DeleteOptions {
  return options ?? { gracePeriodSeconds: 0 };
}
