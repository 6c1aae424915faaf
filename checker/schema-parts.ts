import * as z from 'zod';

/** What several schemas are made of. */

const parameterValue = z.union([z.string(), z.number(), z.boolean()]);
export const parameters = z.record(z.string(), parameterValue).readonly();
export const count = z.int().nonnegative();
export const lines = z.array(z.string()).readonly();
