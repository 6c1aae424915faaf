import { type ApiObject, BUILT_IN_KINDS, type Kind } from '../../../model/index.ts';
import { type Cast, NotUnderstood, plainSteps } from './fixture.ts';
import type { PlainStep, Step } from './schema.ts';

/** The definitions of custom kinds, where a scenario touches them. */

export const DEFINITIONS: Kind = definitionKind();

function definitionKind(): Kind {
  const found = Object.values(BUILT_IN_KINDS).find(
    ({ storage }) => storage === 'customResourceDefinition',
  );
  if (found === undefined) throw new Error('the table of kinds has no definitions');
  return found;
}

/** @param generation how often the definition has been made anew: each one has its own uid. */
export function definitionOf(cast: Cast, kindName: string, generation: number): ApiObject {
  const kind = cast.kind(kindName);
  const [group = ''] = (kind.apiVersions[0] ?? '').split('/');
  if (kind.finalizerNames !== 'qualified') {
    throw new NotUnderstood(`${kindName} is not a custom kind`);
  }
  const name = `${kind.resource}.${group}`;
  return {
    kind: DEFINITIONS.name,
    namespace: '',
    name,
    uid: `uid-definition-${name}-${generation}`,
    generation: 1,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
  };
}

type DefinitionStep = Extract<PlainStep, { do: 'deleteDefinition' | 'createDefinition' }>;

/** The custom kind whose definition the step is about. */
export function definedKind({ do: what, kind, definition }: DefinitionStep): string {
  const named = kind ?? definition;
  if (named === undefined) throw new NotUnderstood(`${what} names no kind`);
  return named;
}

/** The custom kinds whose definition a step deletes or makes, with what is done first. */
export function touchedDefinitions(
  steps: readonly Step[],
): readonly { readonly kind: string; readonly first: 'deleteDefinition' | 'createDefinition' }[] {
  const first = new Map<string, 'deleteDefinition' | 'createDefinition'>();
  for (const step of plainSteps(steps)) {
    if (step.do !== 'deleteDefinition' && step.do !== 'createDefinition') continue;
    const kind = definedKind(step);
    if (!first.has(kind)) first.set(kind, step.do);
  }
  return [...first].map(([kind, what]) => ({ kind, first: what }));
}
