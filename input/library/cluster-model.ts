import type { Action, DefinedModel, Parameters } from '../../checker/index.ts';
import {
  type ApiObject,
  BUILT_IN_KINDS,
  type Cluster,
  type ClusterDescriber,
  type ControllerProgram,
  deletionModel,
  describer,
  formatKey,
  isJson,
  isOwnedByActor,
  keyFor,
  keyOf,
  kindFor,
  type Memory,
  type Setup,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { type ErrorText, InputError } from '../../text/input-error.ts';
import { hint } from '../../text/messages.ts';
import { documents } from '../documents/documents.ts';
import { KindCatalogue } from '../manifests/kind-catalogue.ts';
import { readManifest } from '../manifests/manifest.ts';
import { finalizerFault } from '../manifests/names.ts';
import { UidGiver } from '../manifests/uids.ts';
import type { Controller } from './define-controller.ts';
import { finalizersWithOwner } from './setup-from-yaml.ts';

/** What is beside the actors of the set-up. */
export interface ClusterOptions {
  readonly controllers: readonly Controller[];
  /** What exists outside of the cluster at the start [nothing]. */
  readonly outside?: readonly string[];
  /** The name of the model [that of the set-up]. */
  readonly name?: string;
}

/** A model of a cluster. It brings the words for its states and steps. */
export type ClusterModel = DefinedModel<Cluster, Readonly<Record<string, Parameters>>> & {
  readonly describe: ClusterDescriber;
  /** What the model was made of, its controllers included. Not enumerable. */
  readonly setup: Setup;
};

/**
 * The deletion machinery of a cluster with controllers of your own beside its actors: a model for
 * `check`, the matchers of `reapcheck/vitest` and the command line. It has no symmetry and no
 * confluence, because nobody can judge what a plan distinguishes.
 *
 * @throws InputError if a controller makes no sense.
 */
export function clusterModel(given: Setup, options: ClusterOptions): ClusterModel {
  checkOptions(options);
  const { controllers, outside = [], name = given.name } = options;
  const setup = withControllers({ ...given, name }, controllers, outside);
  checkOwners(setup, finalizersWithOwner(given));
  const { initial, slots, actions } = deletionModel(setup);
  const model = {
    name,
    initial,
    slots,
    actions: actions as Readonly<Record<string, Action<Cluster>>>,
    describe: describer(setup),
  };
  Object.defineProperty(model, 'setup', { value: setup });
  return model as unknown as ClusterModel;
}

/** What states of a model of a cluster show, for properties. */
export interface ClusterView {
  /** The stored object `KIND/NAME` or `KIND/NAME.NAMESPACE`. Null: there is none. */
  object(cluster: Cluster, name: string): ApiObject | null;
  /** Whether it exists, outside of the cluster. */
  outside(cluster: Cluster, name: string): boolean;
  /** What the controller of this name remembers. */
  memory(cluster: Cluster, controller: string): Memory;
}

export function viewOf({ setup }: Pick<ClusterModel, 'setup'>): ClusterView {
  const keys = new Map<string, string>();
  const keyMeant = (text: string): string => {
    const known = keys.get(text) ?? refused(() => keyFor(setup, 'a property', text, 'default'));
    keys.set(text, known);
    return known;
  };
  return {
    object: (cluster, name) => cluster.store[keyMeant(name)] ?? null,
    outside: (cluster, name) => {
      const known = setup.outside ?? [];
      const all = [...known, ...(setup.programs ?? []).flatMap((program) => program.outside)];
      if (!all.includes(name)) throw wrong(`nothing outside is named ${name}`, hint(name, all));
      return cluster.outside?.[name] === true;
    },
    memory: (cluster, controller) => {
      const program = setup.programs?.find((one) => one.name === controller);
      if (program === undefined) throw wrong(`no controller is named ${controller}`);
      const state = cluster.controllers[controller] as { readonly memory?: Memory } | undefined;
      return state?.memory ?? program.memory;
    },
  };
}

function withControllers(
  given: Setup,
  controllers: readonly Controller[],
  outside: readonly string[],
): Setup {
  const kinds = new KindCatalogue({ ...BUILT_IN_KINDS, ...given.kinds });
  const uids = new UidGiver(uidsIn(given));
  for (const controller of controllers) checkFields(controller);
  const made = controllers.map((controller) => createdBy(controller, kinds, uids));
  const used = new Set([
    ...made.flat().map(({ kind }) => kind),
    ...controllers.flatMap((controller) =>
      kindWords(controller).map((word) => kindMeant(controller, word, given, made.flat(), kinds)),
    ),
  ]);
  const replaced = controllers.map(({ name }) => name);
  const setup: Setup = {
    ...given,
    kinds: { ...given.kinds, ...kinds.tableOf([...used]) },
    operators: (given.operators ?? []).filter(({ name }) => !replaced.includes(name)),
  };
  const programs = controllers.map((controller, index) =>
    programOf(setup, controller, made[index] ?? []),
  );
  checkNames(setup, programs);
  const owned = new Set(programs.flatMap(({ finalizers }) => finalizers));
  const things = [...outside, ...programs.flatMap((program) => program.outside)];
  const { operators, ...rest } = setup;
  const others = operators?.filter(({ finalizer = '' }) => !owned.has(finalizer)) ?? [];
  return {
    ...rest,
    // These controllers are the owners, whatever the set-up says of its finalizers.
    finalizers: Object.fromEntries(
      Object.entries(setup.finalizers).filter(([finalizer]) => !owned.has(finalizer)),
    ),
    ...(others.length === 0 ? {} : { operators: others }),
    programs,
    ...(things.length === 0 ? {} : { outside: [...outside] }),
  };
}

/** Every uid that the set-up has or names. */
function uidsIn(setup: Setup): readonly string[] {
  const found: string[] = [];
  const search = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(search);
  };
  search([setup.objects, setup.users, setup.workloads ?? [], setup.operators ?? []]);
  return found;
}

function kindWords(controller: Controller): readonly string[] {
  const { informers = [], owners = [] } = controller;
  return [controller.for, ...informers, ...owners];
}

/**
 * The name of the kind that a word means, also of a built-in kind without objects in the set-up.
 */
function kindMeant(
  controller: Controller,
  word: string,
  { kinds }: Setup,
  created: readonly ApiObject[],
  catalogue: KindCatalogue,
): string {
  const present = [
    ...Object.values(kinds),
    ...Object.values(catalogue.tableOf(created.map((one) => one.kind))),
  ];
  const isMeant = ({ name, kind }: { readonly name: string; readonly kind: string }): boolean =>
    name === word || kind === word;
  const found = new Set(present.filter(isMeant).map(({ name }) => name));
  const all =
    found.size > 0
      ? found
      : new Set(
          Object.values(catalogue.table())
            .filter(isMeant)
            .map(({ name }) => name),
        );
  const [only] = all;
  if (only !== undefined && all.size === 1) return only;
  throw wrong(
    `the controller ${controller.name} names the kind ${word}, ${all.size === 0 ? 'which the set-up does not have' : `which is one of ${[...all].join(', ')}`}`,
    all.size === 0
      ? 'add an object of it or its CustomResourceDefinition to the set-up'
      : 'give the group as well',
  );
}

function createdBy(
  { name, creates = [], incarnations = 2 }: Controller,
  kinds: KindCatalogue,
  uids: UidGiver,
): readonly ApiObject[] {
  if (!Number.isSafeInteger(incarnations) || incarnations < 1) {
    throw wrong(`incarnations of ${name} is ${incarnations}`, 'give a whole number, at least 1');
  }
  const [document] = documents({ file: `creates of ${name}`, text: JSON.stringify([...creates]) });
  if (document === undefined) return [];
  const made = creates.map((manifest, index) =>
    Array.from({ length: incarnations }, () => {
      const rules = { kinds, strict: true, uidFor: uids.give.bind(uids) };
      const { object } = readManifest(manifest, document, [index], rules);
      if (object.ownerReferences.length === 0) return object;
      throw wrong(
        `${name} creates ${formatKey(keyOf(object))} with ownerReferences`,
        'leave them out: the task create has controller and owners',
      );
    }),
  );
  const names = made.map(([first]) => (first === undefined ? '' : formatKey(keyOf(first))));
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) {
    const next = 'name it once: incarnations says how often it can be there at a time';
    throw wrong(`creates of ${name} has ${twice} twice`, next);
  }
  return made.flat();
}

function programOf(
  setup: Setup,
  controller: Controller,
  creates: readonly ApiObject[],
): ControllerProgram {
  const { name, finalizers = [], outside = [], memory = null, runsIn, restarts = 0 } = controller;
  const kind = (word: string): string =>
    refused(() => kindFor(setup, `the controller ${name}`, word));
  for (const finalizer of finalizers) {
    const fault = finalizerFault(finalizer, false);
    if (fault !== null) throw wrong(`"${finalizer}" of ${name} is not a valid finalizer`, fault);
  }
  if (!isJson(memory)) throw wrong(`the memory of ${name} is not plain JSON`);
  if (!Number.isSafeInteger(restarts) || restarts < 0) {
    throw wrong(`restarts of ${name} is ${restarts}`, 'give a whole number, 0 or more');
  }
  return {
    name,
    for: kind(controller.for),
    informers: [...new Set([controller.for, ...(controller.informers ?? [])].map(kind))],
    reads: controller.reads ?? 'cache',
    finalizers,
    creates,
    owners: (controller.owners ?? [controller.for]).map(kind),
    outside,
    memory,
    ...(runsIn === undefined
      ? {}
      : { runsIn: refused(() => keyFor(setup, `runsIn of ${name}`, runsIn, 'default')) }),
    restarts,
    fairness: controller.mayStop === true ? 'none' : 'weak',
    plan: controller.plan,
  };
}

const LISTS = ['informers', 'finalizers', 'owners', 'outside'] as const;

const FIELDS: readonly string[] = [
  ...['name', 'for', 'informers', 'reads', 'finalizers', 'creates', 'incarnations', 'owners'],
  ...['outside', 'memory', 'runsIn', 'restarts', 'mayStop', 'plan'],
];

function checkFields(controller: Controller): void {
  const { name, plan, reads = 'cache' } = controller;
  const unknown = Object.keys(controller).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    throw wrong(`the controller ${name} has the unknown field ${unknown}`, hint(unknown, FIELDS));
  }
  for (const field of LISTS) {
    const given: unknown = controller[field];
    const isList = Array.isArray(given) && given.every((item) => typeof item === 'string');
    if (given !== undefined && !isList) throw wrong(`${field} of ${name} must be a list of texts`);
    const twice = controller[field]?.find((one, at, all) => all.indexOf(one) !== at);
    if (twice !== undefined) throw wrong(`${field} of ${name} has ${twice} twice`, 'name it once');
  }
  if (typeof plan !== 'function') throw wrong(`the plan of ${name} is not a function`);
  if (plan.constructor.name === 'AsyncFunction') {
    throw wrong(`the plan of ${name} is async`, 'it must return its tasks at once');
  }
  if (reads !== 'cache' && reads !== 'live') {
    throw wrong(`reads of ${name} is ${String(reads)}`, 'cache or live');
  }
}

function checkOptions(options: ClusterOptions): void {
  const known = ['controllers', 'outside', 'name'];
  const unknown = Object.keys(options).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw wrong(`clusterModel has no option ${unknown}`, hint(unknown, known));
  }
  if (!Array.isArray(options.controllers)) {
    throw wrong('controllers of clusterModel is not a list', 'of what defineController returns');
  }
}

/**
 * In scenarios, a finalizer has an owner that removes it, unless the scenario says otherwise.
 * Beside controllers that would hide a finalizer whose name is misspelt.
 */
function checkOwners(setup: Setup, said: ReadonlySet<string> | null): void {
  if (said === null) return;
  for (const object of setup.objects) {
    const finalizer = thirdPartyFinalizers(object).find(
      (one) => !said.has(one) && !isOwnedByActor(setup, one),
    );
    if (finalizer === undefined) continue;
    throw refusal({
      what: `${formatKey(keyOf(object))} has the finalizer ${finalizer}, which no controller has`,
      expected: `the finalizer in finalizers of a controller, or of the scenario who removes it`,
      next: `environment: {finalizers: {${finalizer}: cooperative}}, or unknown, or stuck`,
    });
  }
}

/** Names of controllers are names of clients, as those of users, operators and workers are. */
function checkNames(setup: Setup, programs: readonly ControllerProgram[]): void {
  const taken = new Set([
    ...Object.keys(setup.users),
    ...(setup.operators ?? []).map(({ name }) => name),
  ]);
  for (const { name } of programs) {
    const fits = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name) && name.includes('-');
    if (!fits || /-\d+$/.test(name)) {
      throw wrong(
        `"${name}" is not a valid controller name`,
        'lower case with a dash, such as database-operator',
      );
    }
    if (taken.has(name))
      throw wrong(`two actors have the name "${name}"`, 'name each in its own way');
    taken.add(name);
  }
}

/** Names that the set-up does not have are mistakes of the author, not of the model. */
function refused<Found>(find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    throw error instanceof InputError ? error : wrong((error as Error).message);
  }
}

function wrong(what: string, next?: string): InputError {
  return refusal({ what, ...(next === undefined ? {} : { next }) });
}

/** Authors see the message of an error, and not its text as the command line prints it. */
function refusal(text: ErrorText): InputError {
  const { what, expected, next = [] } = text;
  const message = [what, ...(expected ? [expected] : []), ...[next].flat()].join(': ');
  return Object.assign(new InputError(text), { message });
}
