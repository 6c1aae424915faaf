import type { ApiObject, RuleName, Setup } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { hint } from '../../text/messages.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import type { Cast } from './objects.ts';
import type { ScenarioFile } from './schema.ts';

/** Features of some protocols only: initializers, and controllers that acknowledge generations. */

interface Reading {
  readonly document: SourceDocument;
  readonly cast: Cast;
  /** The rules of the file, and those of the command line. */
  readonly inForce: readonly Readonly<Record<string, string>>[];
  /** All objects that can ever be stored. */
  readonly stored: readonly ApiObject[];
}

export function readEarlyDesigns(
  file: ScenarioFile,
  reading: Reading,
): Pick<Setup, 'initializers' | 'silentControllers'> {
  const { initializers, observedGeneration } = file.environment ?? {};
  checkInitializers(reading);
  checkNames(Object.keys(initializers ?? {}), reading);
  if (observedGeneration !== undefined && isIgnored('observedGeneration', reading)) {
    throw new InputError({
      what: 'nothing waits for observedGeneration under this protocol',
      where: reading.document.place(['environment', 'observedGeneration']),
      expected: 'a protocol with the rule observedGeneration: awaited, such as gc-proposal',
    });
  }
  return {
    ...(initializers === undefined ? {} : { initializers }),
    ...(observedGeneration === 'stuck' ? { silentControllers: true } : {}),
  };
}

function isIgnored(rule: RuleName, { inForce }: Reading): boolean {
  return inForce.every((rules) => (rules[rule] ?? 'ignored') === 'ignored');
}

function checkInitializers(reading: Reading): void {
  const { document, cast, stored } = reading;
  const places: readonly (readonly [ApiObject, Path])[] = [
    ...cast.objects.map((object, index): readonly [ApiObject, Path] => [
      object,
      ['objects', index],
    ]),
    ...Array.from(cast.created, ([index, object]): readonly [ApiObject, Path] => [
      object,
      ['requests', index, 'create'],
    ]),
  ];
  for (const object of stored) {
    if (object.initializers === undefined) continue;
    const path = places.find(([placed]) => placed.uid === object.uid)?.[1];
    const where = document.place(
      path === undefined ? ['environment'] : [...path, 'metadata', 'initializers'],
    );
    if (isIgnored('initializers', reading)) {
      throw new InputError({
        what: `${object.name} has initializers, which this protocol does not have`,
        where,
        expected: 'a protocol with the rule initializers: honoured, such as gc-proposal',
      });
    }
    if (object.initializers.failed === true && cast.objects.includes(object)) {
      throw new InputError({
        what: `the initialization of ${object.name} has failed, so the object cannot exist at the start`,
        where,
        expected: 'a request that creates it',
      });
    }
  }
}

function checkNames(given: readonly string[], { document, stored }: Reading): void {
  const known = [...new Set(stored.flatMap(({ initializers }) => initializers?.pending ?? []))];
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new InputError({
    what: `no object has the initializer "${unknown}"`,
    where: document.place(['environment', 'initializers', unknown]),
    next: hint(unknown, known) ?? 'there are no initializers',
  });
}
