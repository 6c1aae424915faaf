import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Path, SourceDocument } from '../../input/documents/document.ts';
import { documents } from '../../input/documents/documents.ts';
import { rejectPrototypeKeys, shaped } from '../../input/documents/shape.ts';
import { type Bytes, readSource } from '../../input/documents/source.ts';
import { isModule } from '../../input/options/input-options.ts';
import { REDUCTIONS_EXPECTED, reductionsNamed } from '../../input/options/reductions.ts';
import { MAX_INPUT_DEFAULT } from '../../input/options/values.ts';
import { PROPERTY_NAMES, propertyNamed } from '../../input/property-names.ts';
import { readProtocol, withRule } from '../../input/scenarios/protocol.ts';
import { SUITE_DEFAULT } from '../../input/scenarios/terms.ts';
import { DEFAULT_PROTOCOL } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { GATE_ERRORS } from '../errors.ts';
import {
  AS_WRITTEN,
  type Grid,
  SUITE_FIELDS,
  type SuiteFile,
  suiteSchema,
} from './suite-schema.ts';

/** A suite file that was read and is valid by itself. */
export interface Suite {
  readonly file: string;
  readonly content: SuiteFile;
  readonly document: SourceDocument;
}

const LOCK_DEFAULT = 'reapcheck.lock.json';

/**
 * `reapcheck.lock.json` beside `reapcheck.suite.yaml`, `NAME.lock.json` beside `NAME.yaml` or the
 * module `NAME.ts`.
 */
export function lockFileOf(suite: string): string {
  const name = basename(suite);
  if (name === SUITE_DEFAULT) return join(dirname(suite), LOCK_DEFAULT);
  const stem = name.replace(/(\.suite)?\.(ya?ml|json|[mc]?[jt]s)$/i, '');
  return join(dirname(suite), `${stem}.lock.json`);
}

/** Reads a suite; a module is a suite of itself. Throws `InputError`. */
export async function readSuite(file: string, stdin: Bytes): Promise<Suite> {
  if (file === '-') throw GATE_ERRORS.suiteFromStdin();
  if (!existsSync(file)) {
    const lock = lockFileOf(file);
    throw GATE_ERRORS.noSuite(file, existsSync(lock) ? lock : null);
  }
  if (isModule(file)) return suiteOfModule(file);
  const source = await readSource(file, stdin, { maxMegabytes: MAX_INPUT_DEFAULT });
  const [document, second] = [...documents(source)].filter(({ value }) => value !== null);
  if (document === undefined) throw GATE_ERRORS.emptySuite({ file });
  if (second !== undefined) {
    throw new InputError({
      what: 'there is a second document in this suite',
      where: second.place([]),
      expected: 'one suite in a file',
    });
  }
  const content = shaped(suiteSchema, demandGroups(document), document, [], SUITE_FIELDS);
  rejectPrototypeKeys(document.value, document, []);
  checkNames(content.properties, document, ['properties']);
  for (const [index, group] of content.groups.entries()) {
    const path: Path = ['groups', index];
    if ([group.scenarios, group.museum, group.deletions].every((given) => given === undefined)) {
      throw GATE_ERRORS.emptySuite(document.place(path));
    }
    // A module has properties of its own.
    if (!(group.scenarios ?? []).some(isModule)) {
      checkNames(group.properties, document, [...path, 'properties']);
    }
    checkGrid(group.grid ?? {}, document, [...path, 'grid']);
    if (group.combine !== undefined && group.grid === undefined) {
      throw new InputError({
        what: 'combine says nothing without a grid',
        where: document.place([...path, 'combine']),
      });
    }
  }
  return { file, content, document };
}

function suiteOfModule(file: string): Suite {
  const content: SuiteFile = { groups: [{ scenarios: [basename(file)] }] };
  const [document] = documents({ file, text: JSON.stringify(content) });
  if (document === undefined) throw GATE_ERRORS.emptySuite({ file });
  return { file, content, document };
}

/** A suite without groups gets the same error as one with empty groups. */
function demandGroups(document: SourceDocument): unknown {
  const { value } = document;
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  const groups = isMapping && 'groups' in value ? value.groups : undefined;
  const isEmpty = Array.isArray(groups) ? groups.length === 0 : groups === null;
  if (isEmpty) throw GATE_ERRORS.emptySuite(document.place(['groups']));
  return value;
}

function checkNames(names: readonly string[] = [], document: SourceDocument, path: Path): void {
  for (const [index, name] of names.entries()) {
    propertyNamed(name, PROPERTY_NAMES, document.place([...path, index]));
  }
}

/** Checks what does not depend on the scenarios. */
function checkGrid(
  { protocol = [], reduction = [], rules = {} }: Grid,
  document: SourceDocument,
  path: Path,
): void {
  for (const [index, name] of protocol.entries()) {
    if (name !== AS_WRITTEN) readProtocol(name, document.place([...path, 'protocol', index]));
  }
  for (const [index, words] of reduction.entries()) {
    if (words === AS_WRITTEN || reductionsNamed(words) !== null) continue;
    throw new InputError({
      what: `reduction does not take "${words}"`,
      where: document.place([...path, 'reduction', index]),
      expected: `${AS_WRITTEN}, ${REDUCTIONS_EXPECTED}`,
    });
  }
  const usual = readProtocol(DEFAULT_PROTOCOL);
  for (const [name, values] of Object.entries(rules)) {
    const at = [...path, 'rules', name];
    for (const [index, value] of values.entries()) {
      if (value !== AS_WRITTEN) withRule(usual, name, value, document.place([...at, index]));
    }
  }
}
