import * as z from 'zod';
import { InputError } from '../../text/input-error.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import { missingField, rejectPrototypeKeys, shaped } from '../documents/shape.ts';
import type { KindCatalogue } from '../manifests/kind-catalogue.ts';
import { nameMeant, propertyId, propertyNamed } from '../property-names.ts';
import { readScenario, type Scenario } from './scenario.ts';
import { expectationSchema, SCENARIO_FIELDS } from './schema.ts';
import { MUSEUM_KINDS, type MuseumKind, VARIANTS, type Variant } from './terms.ts';

/**
 * Reads entries of the museum: a scenario in two variants, with a historic defect and with its fix.
 */

const text = z.string().min(1);

const museumSchema = z.strictObject({
  title: text,
  kind: z.enum(MUSEUM_KINDS),
  links: z.array(text),
  mechanism: text,
  property: text,
  mustShow: z.array(text).min(1).exactOptional(),
});

const variantSchema = z.strictObject({
  protocol: text.exactOptional(),
  rules: z.record(z.string(), z.string()).exactOptional(),
  environment: z.record(z.string(), z.unknown()).exactOptional(),
  expect: z.strictObject({
    ...expectationSchema.shape,
    length: z.int().min(1).exactOptional(),
  }),
});

type VariantFile = z.output<typeof variantSchema>;

export const MUSEUM_FIELDS: readonly string[] = [
  'museum',
  ...VARIANTS,
  ...Object.keys(museumSchema.shape),
  ...Object.keys(variantSchema.shape),
  'length',
];

export interface MuseumEntry {
  readonly title: string;
  readonly kind: MuseumKind;
  readonly links: readonly string[];
  /** What causes the defect, in one line. */
  readonly mechanism: string;
  /** The property whose counterexample shows the defect. */
  readonly property: string;
  readonly variants: readonly { readonly variant: Variant; readonly scenario: Scenario }[];
}

export function isMuseumEntry({ value }: SourceDocument): boolean {
  return typeof value === 'object' && value !== null && 'museum' in value;
}

/** Reads one entry. Throws an `InputError` that names file, line and field. */
export function readMuseumEntry(
  id: string,
  document: SourceDocument,
  kinds: () => KindCatalogue,
  propertyNames: readonly string[],
): MuseumEntry {
  const { museum, before, after, ...base } = document.value as Record<string, unknown>;
  const fields = [...MUSEUM_FIELDS, ...SCENARIO_FIELDS];
  const plate = shaped(museumSchema, museum, document, ['museum'], fields);
  const place = document.place(['museum', 'property']);
  const head = { ...plate, property: propertyNamed(plate.property, propertyNames, place) };
  if ('expect' in base) {
    throw new InputError({
      what: 'a museum entry must not have expect at the top',
      where: document.place(['expect']),
      expected: 'expect in before and in after',
    });
  }
  const variants = Object.entries({ before, after }).flatMap(([name, given]) => {
    if (given === undefined) return [];
    const variant = name as Variant;
    const file = shaped(variantSchema, given, document, [variant], fields);
    rejectPrototypeKeys(given, document, [variant]);
    const derived = variantDocument(document, base, variant, file, head);
    const read = readScenario(`${id}, ${variant}`, derived, kinds(), propertyNames);
    const verdict = read.expectation.verdicts[head.property];
    checkVerdict(document, variant, head.property, verdict);
    return [{ variant, scenario: withCounterexample(read, head, file, variant) }];
  });
  for (const needed of NEEDED[head.kind]) {
    if (!variants.some(({ variant }) => variant === needed)) throw missingField(document, [needed]);
  }
  const { mustShow: _, ...shown } = head;
  return { ...shown, variants };
}

/**
 * The variants that an entry must have. A limitation has no fix, and a control never had the
 * defect.
 */
const NEEDED: Readonly<Record<MuseumKind, readonly Variant[]>> = {
  defect: ['before', 'after'],
  limitation: ['before'],
  control: ['after'],
};

function checkVerdict(
  document: SourceDocument,
  variant: Variant,
  property: string,
  verdict: string | undefined,
): void {
  const expected = variant === 'before' ? 'violated' : 'holds';
  if (verdict === expected) return;
  throw new InputError({
    what: `the variant ${variant} must expect "${property}" to be ${expected}`,
    where: document.place([variant, 'expect', 'verdicts']),
    expected: `${propertyId(property)}: ${expected}`,
  });
}

function withCounterexample(
  scenario: Scenario,
  { property, mustShow = [] }: z.output<typeof museumSchema>,
  { expect: { length } }: VariantFile,
  variant: Variant,
): Scenario {
  if (variant === 'after') return scenario;
  const counterexample = { property, mustShow, ...(length === undefined ? {} : { length }) };
  return { ...scenario, expectation: { ...scenario.expectation, counterexample } };
}

/**
 * The scenario of one variant. Its `rules` and `environment` override those of the entry, field by
 * field. Places still point into the file.
 */
function variantDocument(
  document: SourceDocument,
  base: Readonly<Record<string, unknown>>,
  variant: Variant,
  file: VariantFile,
  { links, mechanism, property }: z.output<typeof museumSchema>,
): SourceDocument {
  const { length: _, ...expect } = file.expect;
  const documented = links.length > 0 ? links.join(', ') : mechanism;
  const explained = Object.keys(expect.because ?? {}).map(nameMeant);
  const violated = Object.entries(expect.verdicts ?? {}).filter(
    ([word, is]) => is === 'violated' && !explained.includes(nameMeant(word)),
  );
  const because = {
    ...Object.fromEntries(violated.map(([name]) => [name, documented])),
    ...expect.because,
  };
  const given: Readonly<Record<string, unknown>> = { ...file };
  const merged = (field: 'rules' | 'environment'): object =>
    file[field] === undefined ? {} : { [field]: { ...mapping(base[field]), ...file[field] } };
  return {
    file: document.file,
    value: {
      properties: [property],
      ...base,
      ...(file.protocol === undefined ? {} : { protocol: file.protocol }),
      ...merged('rules'),
      ...merged('environment'),
      expect: { ...expect, because },
    },
    place: (path: Path) => {
      const [field, name] = path;
      const own = mapping(given[String(field)]);
      const ofVariant = field === 'expect' || field === 'protocol' || String(name) in own;
      return document.place(
        ofVariant && field !== undefined && field in given ? [variant, ...path] : path,
      );
    },
  };
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
