import { type ApiObject, keyOf } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { objectWords } from '../../manifests/object-words.ts';
import type { Besides } from '../beside/besides.ts';
import { runsOn, stranded, type Unattended } from '../beside/operators.ts';
import { isKeptUp } from '../beside/remade.ts';
import type { Evidence } from '../doubts/evidence.ts';
import { type Right, rightOn, rightsGoing } from '../doubts/rights.ts';
import { faultOf } from '../doubts/runs.ts';
import { definitionName } from '../links.ts';
import { byKindIn, definitionIn } from '../lookups.ts';
import { WORKLOADS, wordsFor, workloadsOf } from '../observed/finalizer-owners.ts';

/**
 * Workloads that go, or lose their rights, and may run the owner of a finalizer that objects have
 * which stay, although their names do not say so. Who has no right to change such objects is not
 * their operator.
 *
 * @param uninstalls any workload may be. Otherwise, those that look like an operator, if none does
 *   that stays.
 */
export function strangersIn(
  { known, group, isGuess, ofTable }: Unattended,
  evidence: Evidence,
  uninstalls: boolean,
): readonly Besides[] {
  const [first] = group;
  if (first === undefined || ('runs' in known && known.runs !== 'workload')) return [];
  const { dump, goes } = evidence;
  const held = group.map(({ object }) => object);
  const runs = (object: ApiObject): boolean => faultOf(object, held, evidence) === null;
  if (workloadsOf(known, dump).some((one) => !goes(one) && runs(one))) return [];
  // What the table has rows of operates other kinds.
  const all = dump.filter((one) => isMain(one) && (uninstalls || !ofTable.has(one)));
  const links = all.map((object) => ({ object, link: linkOf(object, group, evidence) }));
  const going = links.filter(
    ({ object }) =>
      (goes(object) && !runsOn(object, evidence)) || rightsGoing(object, held, evidence) !== null,
  );
  const linked = going.filter(({ link }) => link.by !== null);
  // One that stays and is their operator leaves none of these to those of which nothing says it.
  const isElsewhere = links.some(
    ({ object, link }) => link.by !== null && !goes(object) && runs(object),
  );
  const canBe = ({ object, link }: (typeof links)[number]): boolean =>
    isGuess &&
    link.right !== 'none' &&
    ((uninstalls && !hasNoAccount(object, link, evidence)) || looksLikeOperator(object));
  const isOther =
    !uninstalls && links.some((one) => !goes(one.object) && runs(one.object) && canBe(one));
  const isLoss = (object: ApiObject): boolean => uninstalls || !isIdle(object, evidence);
  const maybe = isOther
    ? []
    : going.filter((one) => goes(one.object) && canBe(one) && isLoss(one.object));
  const [found] = linked.length > 0 ? linked : isElsewhere ? [] : maybe;
  if (found === undefined) return [];
  const { finalizer } = first;
  const { who, has, stay, strands, of } = stranded(held);
  const why = found.link.by ?? REASONS[found.link.right];
  const runner = displayName(found.object);
  const rights = goes(found.object) ? null : rightsGoing(found.object, held, evidence);
  const loses = rights === null ? '' : `, and loses its rights with ${displayName(rights)}`;
  const comesBack = rights === null && isKeptUp(found.object, evidence);
  const without = comesBack
    ? 'until it is there again'
    : `without ${rights === null ? 'it' : 'them'}`;
  const remedy = comesBack ? '' : '; delete what has it first';
  const what = `${runner} may run ${known.owner.replace(/,$/, '')} (${why})${loses}: if so, the deletion of ${who}, which ${stay} and ${has} ${finalizer}, hangs ${without}${remedy}`;
  const object = keyOf(rights ?? found.object);
  if (comesBack) return [{ object, what, strands: { ...strands, until: runner } }];
  return [
    {
      ...{ object, what, strands },
      asks: {
        text: `whether ${runner} removes ${finalizer} from ${who}, which ${stay} and ${has} it: the managers of its fields say who has set it`,
        settle: `kubectl get ${objectWords(of ?? first.object, evidence.kinds)} -o jsonpath=${shellQuoted('{.metadata.managedFields[*].manager}')}`,
      },
      loses: `${who} may hang later, if ${runner} runs the owner of ${finalizer}`,
    },
  ];
}

/**
 * It runs as the account that every namespace has, and that no chart gives rights unless it is of an
 * operator. A dump that lacks its bindings does not say so, but for its name.
 */
function hasNoAccount(object: ApiObject, { right }: Link, { observations }: Evidence): boolean {
  const observed = observations.get(keyOf(object));
  return (
    right === 'unsaid' &&
    observed?.of === 'workload' &&
    // A spec as a server stores it, so that what is not there is not set.
    observed.tolerations !== null &&
    ['', 'default'].includes(observed.serviceAccount)
  );
}

/** Without replicas it runs no owner now, so that nothing is lost with it. */
function isIdle(object: ApiObject, { observations }: Evidence): boolean {
  const observed = observations.get(keyOf(object));
  return observed?.of === 'workload' && observed.replicas === 0;
}

const REASONS: Readonly<Record<Right, string>> = {
  named: 'its account may change them',
  any: 'its account may change everything',
  unsaid: 'the dump does not show what its account may change',
  none: 'it has no right to',
};

/** A word of the names of operators, or a namespace as kubebuilder names it. */
function looksLikeOperator({ kind, name, namespace }: ApiObject): boolean {
  if (!WORKLOADS.includes(kind)) return false;
  const isOfSystem = /-(system|operators?)$/.test(namespace) && namespace !== 'kube-system';
  return isOfSystem || name.split('-').some((word) => OPERATOR_WORDS.includes(word));
}

const OPERATOR_WORDS: readonly string[] = [
  ...['op', 'operator', 'operators', 'controller', 'controllers', 'manager'],
];

/** What people write to run a controller; the rest is made for it. */
function isMain({ kind, ownerReferences }: ApiObject): boolean {
  return WORKLOADS.includes(kind) || (kind === 'Pod' && ownerReferences.length === 0);
}

interface Link {
  /** What says that it operates them: a clause; null: nothing. */
  readonly by: string | null;
  readonly right: Right;
}

function linkOf(workload: ApiObject, group: Unattended['group'], evidence: Evidence): Link {
  const [first] = group;
  if (first === undefined) return { by: null, right: 'none' };
  const { kinds, observations } = evidence;
  const kind = kinds[first.object.kind];
  const namespaces = new Set(group.map(({ object }) => object.namespace));
  const right = rightOn(workload, kind, namespaces, evidence);
  if (right === 'none') return { by: null, right };
  // Many change objects of Kubernetes itself.
  const isOwn = definitionName(kind).split('.').length > 2;
  const words = wordsFor(first.finalizer, first.object.kind);
  const observed = observations.get(keyOf(workload));
  const images = observed?.of === 'workload' || observed?.of === 'pod' ? observed.images : [];
  const image = images.find((one) => words.some((word) => hasWord(pathOf(one), word)));
  const name = `${workload.namespace}/${workload.name}`;
  const by =
    (isOwn && right === 'named' ? REASONS.named : null) ??
    (image === undefined ? null : `its image is ${image}`) ??
    (words.some((word) => hasWord(name, word)) ? 'its name is like them' : null) ??
    (isOwn ? servesFor(workload, definitionName(kind), evidence) : null) ??
    sharedLabel(workload, definitionName(kind), evidence);
  return { by, right };
}

/** Without the registry and the tag. */
function pathOf(image: string): string {
  const parts = (image.split('@')[0] ?? image).split('/');
  const isHost = parts.length > 1 && /[.:]|^localhost$/.test(parts[0] ?? '');
  return parts
    .slice(isHost ? 1 : 0)
    .join('/')
    .replace(/:[^/]*$/, '');
}

/** Whether one of the parts of a name is this word, or its plural. */
function hasWord(name: string, word: string): boolean {
  return `-${name.replaceAll(/[/_.]/g, '-')}-`.match(new RegExp(`-${word}s?-`)) !== null;
}

/** Whether a webhook, an API or a conversion of this kind is served beside the workload. */
function servesFor(
  workload: ApiObject,
  definition: string,
  { dump, observations, goes }: Evidence,
): string | null {
  const group = definition.split('.').slice(1).join('.');
  const isBeside = (service: string): boolean =>
    (byKindIn(dump).get('Service') ?? []).some(
      (one) =>
        `${one.namespace}/${one.name}` === service &&
        one.namespace === workload.namespace &&
        goes(one) === goes(workload),
    );
  for (const object of dump) {
    const observed = observations.get(keyOf(object));
    const services =
      observed?.of === 'webhooks'
        ? observed.webhooks
            .filter(({ rules }) => rules.some(({ groups }) => groups.includes(group)))
            .map(({ service }) => service)
        : observed?.of === 'APIService' && observed.groupVersion.startsWith(`${group}/`)
          ? [observed.service]
          : observed?.of === 'CustomResourceDefinition' && observed.group === group
            ? [observed.conversion?.service ?? '']
            : [];
    if (services.some(isBeside)) return `${displayName(object)} is served beside it`;
  }
  return null;
}

/** Labels that what is installed together has in common; without the version of a chart. */
const TOGETHER: readonly string[] = [
  ...['helm.sh/chart', 'app.kubernetes.io/instance', 'app.kubernetes.io/part-of'],
  ...['app.kubernetes.io/name', 'olm.owner'],
];

function sharedLabel(
  workload: ApiObject,
  definition: string,
  { dump, labels }: Evidence,
): string | null {
  const [own, its] = [workload, definitionIn(dump, definition)].map(
    (one): Readonly<Record<string, string>> => (one && labels.get(keyOf(one))) ?? {},
  );
  const said = (of: typeof own, label: string): string =>
    (of?.[label] ?? '').replace(/-v?\d+\.\d+.*$/, '');
  const shared = [...TOGETHER, ...Object.keys(its ?? {}).filter((one) => OLM.test(one))].find(
    (label) => own?.[label] !== undefined && said(own, label) === said(its, label),
  );
  return shared === undefined ? null : `its definition has the same label ${shared}`;
}

/** Of all that a package of OLM has, without a value. */
const OLM = /^operators\.coreos\.com\//;
