import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { publishedSchemas } from '../../report/document/documents.ts';
import { resultDocumentSchema } from '../../report/document/result-document.ts';
import { undescribed } from '../json-schemas.ts';
import { FACTS, GATE, TRACES, VERDICTS } from './documents.ts';
import { STORED } from './stored-result.ts';

const DOCUMENTS: Readonly<Record<string, object>> = {
  'result.schema.json': VERDICTS,
  'gate.schema.json': GATE,
  'facts.schema.json': FACTS,
  'traces.schema.json': TRACES,
};

describe.each([...publishedSchemas()])('%s', (name, schema) => {
  const file = fileURLToPath(new URL(`../../report/document/${name}`, import.meta.url));

  it('is up to date (UPDATE_GOLDEN=1 writes it), and is published', () => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const manifest = JSON.parse(readFileSync(`${PACKAGE_FOLDER}/package.json`, 'utf8'));
    expect(manifest.files).toContain(`report/document/${name}`);
    expect(manifest.exports).toMatchObject({ [`./${name}`]: `./report/document/${name}` });
  });

  it('has names for its parts, and describes each field', () => {
    expect(undescribed(schema)).toEqual([]);
  });

  it('takes its documents, and no broken one', () => {
    const takes = new Ajv2020({ strict: false }).compile(schema);
    const document = JSON.parse(JSON.stringify(DOCUMENTS[name])) as object;
    takes(document);
    expect(takes.errors).toBeNull();
    expect(takes({ ...document, exitCode: 'none' })).toBe(false);
  });
});

it('every stored result is one, and a broken one is not', () => {
  for (const document of Object.values(STORED)) {
    expect(resultDocumentSchema.safeParse(document).error).toBeUndefined();
    const broken = { ...document, exitCode: 'none' };
    expect(resultDocumentSchema.safeParse(broken).success).toBe(false);
  }
});
