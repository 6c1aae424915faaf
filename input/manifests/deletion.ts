import {
  type ApiObject,
  DEFAULT_PROTOCOL,
  keyOf,
  thirdPartyFinalizers,
  type UserStep,
} from '../../model/index.ts';
import type { Cascade, Plan } from '../plan.ts';
import { type CheckPlace, placeOf } from '../scenarios/check-place.ts';
import { readProtocol } from '../scenarios/protocol.ts';
import { type Dump, ownerWarnings } from './dump.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { displayName } from './names.ts';
import { slice } from './slice.ts';
import { findTarget } from './target.ts';

/** The question about a dump: what happens if these objects are deleted? */
export interface DeletionQuestion {
  /** `KIND/NAME[.NAMESPACE]`, deleted one after the other without waiting. */
  readonly targets: readonly string[];
  readonly namespace: string | null;
  readonly cascade: Cascade;
}

const POLICY = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** The client that sends the DELETEs. */
export const KUBECTL = 'kubectl';

export function planDeletion(
  dump: Dump,
  question: DeletionQuestion,
  kinds: KindCatalogue,
  properties: readonly string[],
): Plan {
  const objects = dump.objects.map(({ object }) => object);
  const files = dump.files.join(', ');
  const targets = question.targets.map((text) =>
    findTarget(text, question.namespace, objects, kinds, files),
  );
  const { kept, cut } = slice(objects, targets, kinds);
  const steps: readonly UserStep[] = targets.map((target) => ({
    request: {
      do: 'delete',
      key: keyOf(target),
      options: { propagationPolicy: POLICY[question.cascade] },
    },
    after: [],
  }));
  const title = `delete ${targets.map(displayName).join(', ')}, ${question.cascade}`;
  return {
    title,
    about: null,
    source: files,
    protocol: DEFAULT_PROTOCOL,
    setup: {
      name: title,
      kinds: kinds.tableFor(kept),
      rules: readProtocol(DEFAULT_PROTOCOL),
      objects: kept,
      users: { [KUBECTL]: steps },
      finalizers: Object.fromEntries(
        kept.flatMap(thirdPartyFinalizers).map((name) => [name, 'cooperative']),
      ),
      deleteWorkers: 1,
      orphanWorkers: 1,
      caches: 'synced',
      relists: {},
    },
    properties,
    asked: [],
    expectation: null,
    fates: true,
    cut: [...cut, ...ignoredFields(dump)],
    warnings: [...kinds.notes, ...ownerWarnings(kept, kinds), ...namespaceWarnings(targets)],
    given: null,
    subject: null,
    museum: null,
    place: targetPlace(dump, targets),
  };
}

/** The place of the first object to delete. */
function targetPlace(dump: Dump, targets: readonly ApiObject[]): CheckPlace | null {
  const read = dump.objects.find(({ object }) => object === targets[0]);
  return read === undefined ? null : placeOf(read.document, [...read.path, 'metadata', 'name']);
}

const FIELDS_NAMED = 6;

function ignoredFields(dump: Dump): readonly string[] {
  if (dump.ignored.length === 0) return [];
  const named = dump.ignored
    .slice(0, FIELDS_NAMED)
    .map(({ field, objects }) => `${field} (${objects})`);
  const more = dump.ignored.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : '';
  return [`Fields left out because deletion does not depend on them: ${named.join(', ')}${rest}.`];
}

function namespaceWarnings(targets: readonly ApiObject[]): readonly string[] {
  return targets
    .filter((target) => target.specFinalizers !== undefined)
    .map(
      (target) =>
        `${displayName(target)}: the namespace controller is not part of this model, so what is in the namespace stays`,
    );
}
