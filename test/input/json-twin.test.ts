import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import {
  fieldName,
  isList,
  itemType,
  lineAndColumn,
  type Path,
  pageOf,
  type SourceDocument,
} from '../../input/documents/document.ts';
import { documents } from '../../input/documents/documents.ts';
import { jsonOffset } from '../../input/documents/json-documents.ts';
import { isMapping } from '../../input/documents/shape.ts';

const file = 'x.json';

/** Parts that scanners take for others: quotes and brackets in strings, equal keys, empty parts. */
const LEAVES = [
  ...['null', '-1.5e3', '"\\u0041]}\\""', '"\\\\"', '"List"', '"PodList"', '{"name":"a"}'],
  ...['{"a":1,"\\u0061":2}', '{"kind":"List","items":[{}]}', '[{"a":1},\n {"a":2}]', '[{}, 0]'],
];
const part = fc.letrec<Record<'any' | 'sequence' | 'mapping', string>>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, fc.constantFrom(...LEAVES), tie('sequence'), tie('mapping')),
  sequence: fc
    .tuple(fc.array(tie('any'), { maxLength: 3 }), fc.constantFrom(',', ',\n', ' ', ',/**/'))
    .map(([parts, between]) => `[${parts.join(between)}]`),
  mapping: fc
    .array(fc.tuple(fc.constantFrom('"a"', '"items"', '"\\\\\\""', '"metadata"'), tie('any')), {
      maxLength: 2,
    })
    .map((fields) => `{${fields.map((field) => field.join(' : ')).join(' ,')}}`),
}));
/** What looks like items may be in a mapping. */
const items = fc.oneof(
  { weight: 4, arbitrary: part.sequence },
  { weight: 1, arbitrary: part.sequence.map((inner) => `{"a":{"b":${inner}},"c":{}}`) },
);
const list = fc
  .tuple(fc.constantFrom('"List"', '"PodList"', '"Pod"'), items, part.any, fc.boolean())
  .map(([kind, listed, metadata, isLast]) =>
    isLast
      ? `{"apiVersion":"v1","metadata":${metadata},\n"kind":${kind},"items":${listed}}`
      : `{"\\u0069tems": ${listed} ,"kind":${kind},"apiVersion":"v1","metadata":${metadata}}`,
  );
const change = fc.tuple(
  fc.nat(),
  fc.nat(2),
  fc.constantFrom('', ...'{}[],:"\\ 0-.\n\u00a0\u2028\ufeff'),
);
/** Texts that are JSON values, one or more, or nearly so. */
const texts = fc
  .tuple(
    fc.array(fc.oneof(list, part.mapping, part.sequence), { minLength: 1, maxLength: 2 }),
    fc.option(change, { freq: 2 }),
  )
  .map(([values, changed]) => {
    const text = values.join('\n ');
    if (changed === null) return text;
    const from = 1 + (changed[0] % text.length);
    return text.slice(0, from) + changed[2] + text.slice(from + changed[1]);
  });

/** The slow twin: it parses the longest text that is a value, and takes lists apart afterwards. */
function* plainly(text: string): Generator<SourceDocument> {
  for (let start = 0; start < text.length; ) {
    const from = start;
    const end = endOfValue(text, from);
    const own = text.slice(from, end);
    const { errors } = parseDocument(own);
    if (errors.some(({ code }) => code === 'DUPLICATE_KEY')) throw new Error('a key twice');
    const value = JSON.parse(own) as unknown;
    const place = (path: Path) => ({
      file,
      ...lineAndColumn(text, from + jsonOffset(own, path)),
      field: fieldName(path),
    });
    const items = isMapping(value) && isList(value) ? value.items : null;
    if (Array.isArray(items) && items.length > 0 && items.every(isMapping)) {
      const type = itemType((value as SourceFields).apiVersion, (value as SourceFields).kind);
      yield* items.map((item, index) => ({
        ...{ value: item as unknown, file, page: pageOf(value as SourceFields) },
        ...(type === null ? {} : { listed: type }),
        place: (path: Path) => place(['items', index, ...path]),
      }));
    } else yield { value, file, place };
    start = end;
  }
}

type SourceFields = Readonly<Record<string, unknown>>;

function endOfValue(text: string, start: number): number {
  for (let end = text.length; end > start; end -= 1) {
    try {
      JSON.parse(text.slice(start, end));
      return end;
    } catch {}
  }
  throw new Error('no value');
}

function answer(read: () => Iterable<SourceDocument>) {
  try {
    return [...read()].map(({ place, ...rest }) => ({
      ...rest,
      places: [[], ['a'], ['metadata', 'name'], ['items', 0]].map(place),
    }));
  } catch {
    return 'refused';
  }
}

it('JSON is read in pieces as it is read whole: values, places, and what is refused', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(answer(() => documents({ file, text }))).toEqual(answer(() => plainly(text)));
    }),
    // Random texts rarely have a comment where only it is wrong.
    { numRuns: 200, examples: [['{"kind":"List","items":[{"a":1},/**/{"a":2}]}']] },
  );
});
