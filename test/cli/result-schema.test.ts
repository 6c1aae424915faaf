import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { resultDocumentSchema, resultJsonSchema } from '../../cli/result-document.ts';
import { STORED } from './stored-result.ts';

const FILE = fileURLToPath(new URL('../../cli/result.schema.json', import.meta.url));

it('the published schema is up to date (UPDATE_GOLDEN=1 writes it)', () => {
  const text = `${JSON.stringify(resultJsonSchema(), null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8')).toBe(text);
});

it('every stored result is one, and a broken one is not', () => {
  for (const document of Object.values(STORED)) {
    expect(resultDocumentSchema.safeParse(document).error).toBeUndefined();
    const broken = { ...document, exitCode: 'none' };
    expect(resultDocumentSchema.safeParse(broken).success).toBe(false);
  }
});
