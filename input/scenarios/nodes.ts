import type { ApiObject, DeniedRight, KindTable, Setup } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import type { SourceDocument } from '../documents/document.ts';
import type { Cast } from './objects.ts';
import type { ScenarioFile } from './schema.ts';

/** Reads nodes, kubelets, storage protection and denied rights of `environment`. */

interface Reading {
  readonly document: SourceDocument;
  readonly cast: Cast;
  readonly kinds: KindTable;
}

type Field = 'kubelets' | 'storageProtection' | 'nodeController' | 'taintEviction' | 'podGc';

type NodeSetup = Pick<
  Setup,
  'kubelets' | 'containers' | 'storageProtection' | 'nodeController' | 'taintEviction' | 'podGc'
>;

export function readNodes(file: ScenarioFile, reading: Reading): NodeSetup {
  const { kubelets, storageProtection, nodeController, taintEviction, podGc } =
    file.environment ?? {};
  if (kubelets === true || kubelets === 'containers') demandScheduledPod(reading);
  if (storageProtection === true) {
    demand(reading, 'storageProtection', 'PersistentVolumeClaim', 'PersistentVolume');
  }
  if (nodeController === true) demand(reading, 'nodeController', 'Node');
  if (taintEviction === true) demand(reading, 'taintEviction', 'Pod');
  if (podGc !== undefined && podGc !== false) demand(reading, 'podGc', 'Pod');
  const lost = file.requests.findIndex((request) => 'loseNode' in request);
  if (lost >= 0 && !kubelets && !nodeController && !taintEviction && !podGc) {
    throw new InputError({
      what: 'nothing in this scenario notices a lost node',
      where: reading.document.place(['requests', lost, 'loseNode']),
      expected: 'kubelets, nodeController, taintEviction or podGc in the environment',
    });
  }
  return {
    ...(kubelets === true || kubelets === 'containers' ? { kubelets: true } : {}),
    ...(kubelets === 'containers' ? { containers: true } : {}),
    ...(storageProtection === true ? { storageProtection } : {}),
    ...(nodeController === true ? { nodeController } : {}),
    ...(taintEviction === true ? { taintEviction } : {}),
    ...(podGc === undefined || podGc === false
      ? {}
      : { podGc: { terminatedPods: podGc === true ? 0 : podGc.terminatedPods } }),
  };
}

/** Kubelets ignore pods without a node, and the model has no scheduler. */
function demandScheduledPod(reading: Reading): void {
  demand(reading, 'kubelets', 'Pod');
  if (present(reading).some(({ pod }) => pod?.scheduled === true)) return;
  throw new InputError({
    what: 'no Pod of this scenario is on a node, so kubelets have nothing to do',
    where: reading.document.place(['environment', 'kubelets']),
    expected: 'a Pod with spec.nodeName among the objects',
  });
}

function present({ cast }: Reading): readonly ApiObject[] {
  return [...cast.objects, ...cast.created.values()];
}

/** Throws `InputError` if an actor that is switched on has nothing to do. */
function demand(reading: Reading, field: Field, ...kinds: readonly string[]): void {
  if (present(reading).some(({ kind }) => kinds.includes(kind))) return;
  throw new InputError({
    what: `the scenario has no ${kinds.join(' and no ')}`,
    where: reading.document.place(['environment', field]),
    expected: `a ${kinds.join(' or ')} among the objects`,
  });
}

const RIGHT = /^(delete|update) (\*|[a-z]+)(?:\/([a-z]+))?$/;

/** The rights that users lack, as `VERB RESOURCE[/SUBRESOURCE]`. */
export function readDenied(
  file: ScenarioFile,
  users: Setup['users'],
  document: SourceDocument,
): Pick<Setup, 'denied'> {
  const { denied } = file.environment ?? {};
  if (denied === undefined) return {};
  const read = Object.entries(denied).map(([user, rights]) => {
    const where = ['environment', 'denied', user];
    if (!Object.hasOwn(users, user)) {
      throw new InputError({
        what: `there is no user "${user}"`,
        where: document.place(where),
        expected: Object.keys(users).join(', '),
      });
    }
    return [user, rights.map((right, index) => rightOf(right, document, [...where, index]))];
  });
  return { denied: Object.fromEntries(read) };
}

function rightOf(
  text: string,
  document: SourceDocument,
  path: readonly (string | number)[],
): DeniedRight {
  const [, verb, resource = '', subresource] = text.match(RIGHT) ?? [];
  if (verb !== 'delete' && verb !== 'update') {
    throw new InputError({
      what: `"${text}" is not a right that owner references depend on`,
      where: document.place(path),
      expected: 'delete or update, and a resource, such as update deployments/finalizers',
    });
  }
  return { verb, resource, ...(subresource === undefined ? {} : { subresource }) };
}
