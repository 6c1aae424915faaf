import type { Gap } from '../collections/collection.ts';
import { groupOf } from './names.ts';

/** By group: kinds of which the API server stores no object without a spec. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  '': ['Pod', 'ReplicationController'],
  apps: ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'],
  batch: ['Job', 'CronJob'],
  'admissionregistration.k8s.io': ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'],
};

export const STRIPPED: Gap = {
  what: 'the input has the metadata of objects alone, while their specs and status say what holds them, who uses them and which controllers run',
  settle: 'reapcheck dump-command  # run what it prints',
};

/** Notices an input of which a tool has taken off specs and status: all, or those of some objects. */
export class Stripped {
  #bare = false;
  #whole = false;
  #part = false;

  see(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const { apiVersion, kind, metadata, spec, status } = value as Readonly<Record<string, unknown>>;
    if (spec !== undefined || status !== undefined) {
      this.#whole = true;
      return;
    }
    const { uid, managedFields } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !uid) return;
    if (ALWAYS[groupOf(apiVersion) ?? '-']?.includes(kind) !== true) return;
    this.#bare = true;
    // People who write an object by hand leave them out.
    if (managedFields !== undefined) this.#part = true;
  }

  isAny(): boolean {
    return this.#part || (this.#bare && !this.#whole);
  }
}
