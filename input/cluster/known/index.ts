import { ACK_FINALIZERS } from './ack.ts';
import { APPLICATION_FINALIZERS } from './applications.ts';
import { DATA_FINALIZERS } from './data-services.ts';
import { DEPLOYER_FINALIZERS } from './deployers.ts';
import { DISTRIBUTION_FINALIZERS } from './distributions.ts';
import { FLEET_FINALIZERS } from './fleets.ts';
import { INSTALLER_FINALIZERS } from './installers.ts';
import { KUBERNETES_FINALIZERS } from './kubernetes.ts';
import { PLATFORM_FINALIZERS } from './platforms.ts';
import type { KnownFinalizer } from './schema.ts';
import { VENDOR_FINALIZERS } from './vendors.ts';

export { NAMED_IN_FIELDS } from './named.ts';
export { readFinalizerTable } from './read.ts';
export { REMADE_BY_KIND, REMADE_BY_NAME, REMADE_FLOW_CONTROL } from './remade.ts';
export { type KnownFinalizer, knownFinalizerSchema } from './schema.ts';

/** Finalizers that are widely used. The names are those of the projects' sources. */
export const WELL_KNOWN_FINALIZERS: readonly KnownFinalizer[] = [
  ...KUBERNETES_FINALIZERS,
  ...DISTRIBUTION_FINALIZERS,
  ...FLEET_FINALIZERS,
  ...PLATFORM_FINALIZERS,
  ...APPLICATION_FINALIZERS,
  ...DEPLOYER_FINALIZERS,
  ...INSTALLER_FINALIZERS,
  ...DATA_FINALIZERS,
  ...ACK_FINALIZERS,
  ...VENDOR_FINALIZERS,
];

/**
 * The row for a finalizer; null: it is not in the table. The first row that fits.
 *
 * @param kind of the object that has it; absent: any.
 */
export function knownFinalizer(
  finalizer: string,
  table: readonly KnownFinalizer[] = WELL_KNOWN_FINALIZERS,
  kind: string | null = null,
): KnownFinalizer | null {
  const isMeant = ({ name, kinds }: KnownFinalizer): boolean =>
    matches(name, finalizer) &&
    (kind === null || kinds === undefined || kinds.some((pattern) => matches(pattern, kind)));
  return table.find(isMeant) ?? null;
}

/** Whether one of these patterns fits, and none that has a `!` before it. */
export function matchesOf(patterns: readonly string[], name: string): boolean {
  const isSpared = patterns.some((one) => one.startsWith('!') && matches(one.slice(1), name));
  return !isSpared && patterns.some((pattern) => matches(pattern, name));
}

/** @param pattern a whole name, or one with a `*` at the beginning or at the end. */
export function matches(pattern: string, name: string): boolean {
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
  if (pattern.endsWith('*')) return name.startsWith(pattern.slice(0, -1));
  return name === pattern;
}
