import { expect, test, vi } from 'vitest';
import { readDocument, readResult } from '../../report/document/documents.ts';

const looks = vi.hoisted((): { readonly doing: string; readonly bytes: number }[] => []);

vi.mock('../../input/work-clock.ts', async (original) => ({
  ...(await original<object>()),
  ofMachine: (doing: string, bytes = 0) => {
    looks.push({ doing, bytes });
    if (doing.startsWith('validating')) throw new Error('no room');
  },
}));

test('a document is validated only where the memory has room for a copy of it', () => {
  const source = { file: 'result.json', text: '{"schema": "unknown"}' };
  for (const read of [readDocument, readResult]) {
    expect(() => read(source)).toThrow('no room');
    expect(looks.at(-1)).toEqual({ doing: 'validating result.json', bytes: source.text.length });
  }
});
