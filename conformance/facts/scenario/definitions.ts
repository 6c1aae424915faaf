import { type ApiObject, BUILT_IN_KINDS, type Kind } from '../../../model/index.ts';
import { newObject } from '../fixtures.ts';
import { Unsupported } from '../outcome.ts';
import { type Fixture, plainSteps } from './fixture.ts';
import type { PlainStep, Step } from './schema.ts';

/** The definitions of the custom kinds, for scenarios that create or delete them. */

export const DEFINITIONS: Kind = definitionKind();

function definitionKind(): Kind {
  const found = Object.values(BUILT_IN_KINDS).find(
    ({ storage }) => storage === 'customResourceDefinition',
  );
  if (found === undefined) throw new Error('the table of kinds has no definitions');
  return found;
}

/** @param generation how often the definition was created again: each time it has another uid. */
export function definitionOf(fixture: Fixture, kindName: string, generation: number): ApiObject {
  const kind = fixture.kind(kindName);
  const [group = ''] = (kind.apiVersions[0] ?? '').split('/');
  if (kind.finalizerNames !== 'qualified') {
    throw new Unsupported(`${kindName} is not a custom kind`);
  }
  const name = `${kind.resource}.${group}`;
  const uid = `uid-definition-${name}-${generation}`;
  return newObject({ kind: DEFINITIONS.name, namespace: '', name, uid }, { generation: 1 });
}

type DefinitionStep = Extract<PlainStep, { do: 'deleteDefinition' | 'createDefinition' }>;

/** The custom kind whose definition the step is about. */
export function definedKind({ do: what, kind, definition }: DefinitionStep): string {
  const named = kind ?? definition;
  if (named === undefined) throw new Unsupported(`${what} names no kind`);
  return named;
}

/**
 * The custom kinds whose definition a step deletes or creates, and which of the two comes first.
 */
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
