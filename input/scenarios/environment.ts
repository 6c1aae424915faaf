import { type KindTable, keyOf, type Setup } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import type { SourceDocument } from '../documents/document.ts';
import { readOperators, readWorkloads } from './controllers.ts';
import { readNodes } from './nodes.ts';
import type { Cast } from './objects.ts';
import type { ScenarioFile } from './schema.ts';

/** Reads the controllers of a scenario. */

interface Reading {
  readonly document: SourceDocument;
  readonly cast: Cast;
  readonly kinds: KindTable;
}

/** The actors of `environment` other than users and the collector. */
export function readControllers(
  file: ScenarioFile,
  reading: Reading,
): Pick<Setup, 'definitions' | 'workloads' | 'operators'> &
  ReturnType<typeof readNodes> &
  ReturnType<typeof readNamespaces> {
  const { definitionController } = file.environment ?? {};
  return {
    ...readNamespaces(file, reading),
    ...(definitionController === true ? { definitions: definitionsIn(reading) } : {}),
    ...definitionLookup(file, reading),
    ...readNodes(file, reading),
    ...readWorkloads(file, reading),
    ...readOperators(file, reading),
  };
}

function readNamespaces(
  file: ScenarioFile,
  reading: Reading,
): Pick<Setup, 'emptiedNamespaces' | 'namespaceRetries' | 'namespaceAdmission'> {
  const { namespaceController = false, namespaceAdmission } = file.environment ?? {};
  const lags = namespaceAdmission === 'cached' || namespaceAdmission === 'bounded';
  const admission = lags ? { namespaceAdmission } : {};
  if (lags) namespacesIn(reading, 'namespaceAdmission');
  if (namespaceController === false) return admission;
  return {
    ...admission,
    emptiedNamespaces: namespacesIn(reading, 'namespaceController'),
    ...(namespaceController === true ? {} : { namespaceRetries: namespaceController.errorRetries }),
  };
}

function namespacesIn(
  { cast, kinds, document }: Reading,
  field: 'namespaceController' | 'namespaceAdmission',
): readonly string[] {
  const names = [...cast.objects, ...cast.created.values()]
    .filter((object) => kinds[object.kind]?.storage === 'namespace')
    .map(({ name }) => name);
  if (names.length > 0) return [...new Set(names)];
  throw new InputError({
    what: 'the scenario has no Namespace',
    where: document.place(['environment', field]),
    expected: 'a Namespace among the objects',
  });
}

/** The handler of custom resources reads definitions from its lister, which may lag. */
function definitionLookup(
  { environment = {} }: ScenarioFile,
  { document }: Reading,
): Pick<Setup, 'definitionLookup'> {
  if (environment.definitionLookup !== 'cached') return {};
  if (environment.definitionController === true) return { definitionLookup: 'cached' };
  throw new InputError({
    what: 'without the controller of definitions nothing looks them up',
    where: document.place(['environment', 'definitionLookup']),
    expected: 'definitionController: true as well',
  });
}

/** Each definition must define a kind of the file. */
function definitionsIn({ cast, kinds, document }: Reading): readonly string[] {
  const where = document.place(['environment', 'definitionController']);
  const definitions = [...cast.objects, ...cast.created.values()].filter(
    (object) => kinds[object.kind]?.storage === 'customResourceDefinition',
  );
  if (definitions.length === 0) {
    throw new InputError({
      what: 'the scenario has no CustomResourceDefinition',
      where,
      expected: 'a CustomResourceDefinition among the objects',
    });
  }
  const defined = Object.values(kinds).map(
    ({ resource, apiVersions }) => `${resource}.${(apiVersions[0] ?? '').split('/')[0]}`,
  );
  const idle = definitions.find(({ name }) => !defined.includes(name));
  if (idle === undefined) return [...new Set(definitions.map(keyOf))];
  throw new InputError({
    what: `no object here is of the kind that CustomResourceDefinition/${idle.name} defines`,
    where,
    expected: 'a definition with the name PLURAL.GROUP of a custom resource in the file',
  });
}
