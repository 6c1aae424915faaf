import type { DeleteOptions } from '../state/calls.ts';

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** `DeleteOptions` before the policy is validated. */
export interface UncheckedDeleteOptions {
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
}

/** Mirrors `ValidateDeleteOptions` (1.20). Returns the errors; empty if the options are valid. */
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

/** Absent options count as grace period 0 (`Store.Delete`, "older consumers"). */
export function optionsOrImmediate(options: DeleteOptions | null): DeleteOptions {
  return options ?? { gracePeriodSeconds: 0 };
}
