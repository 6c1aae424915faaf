import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../report/format-names.ts';

const TEXT = readFileSync(new URL('../../docs/reports.md', import.meta.url), 'utf8');

it('docs/reports.md lists every format, and no other', () => {
  const [, table = ''] = TEXT.match(/^\| format .*\n\| ---.*\n((?:\|.*\n)+)/m) ?? [];
  const first = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const listed = first.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual([...FORMAT_NAMES].sort());
});
