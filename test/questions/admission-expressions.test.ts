import { beforeAll, expect, it } from 'vitest';
import type { ObjectFate } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runCli } from '../cli/run-cli.ts';
import { type PolicyRow, ROWS } from './admission-rows.ts';

/**
 * What a ValidatingAdmissionPolicy decides about a DELETE. One dump and one answer for all rows.
 */

const REGISTRATION = 'admissionregistration.k8s.io/v1';
const RULES = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] },
];

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  metadata: object,
  more: object,
) => ({
  ...{ apiVersion, kind },
  metadata: { name, uid: `uid-${kind}-${name}`, ...metadata },
  ...more,
});

const namespace = (name: string, labels: object) =>
  object(
    'v1',
    'Namespace',
    name,
    { labels: { 'kubernetes.io/metadata.name': name, ...labels } },
    {
      spec: { finalizers: ['kubernetes'] },
    },
  );

function objectsOf(row: PolicyRow): readonly object[] {
  const { name, validations, policy = {}, binding = {}, labels = {}, annotations, data } = row;
  const spec = {
    matchConstraints: {
      objectSelector: { matchLabels: { case: name } },
      resourceRules: RULES,
    },
    validations: typeof validations === 'string' ? [{ expression: validations }] : validations,
    ...policy,
  };
  const bound = { policyName: name, validationActions: ['Deny'], ...binding };
  return [
    object(
      'v1',
      'ConfigMap',
      name,
      {
        namespace: 'shop',
        labels: { case: name, ...labels },
        ...(annotations === undefined ? {} : { annotations }),
      },
      data === undefined ? {} : { data },
    ),
    object(REGISTRATION, 'ValidatingAdmissionPolicy', name, {}, { spec }),
    ...(binding === null
      ? []
      : [object(REGISTRATION, 'ValidatingAdmissionPolicyBinding', name, {}, { spec: bound })]),
  ];
}

const param = (name: string, labels: object, more: object) =>
  object('v1', 'ConfigMap', name, { namespace: 'params', labels }, more);

const DUMP = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    namespace('shop', { env: 'prod' }),
    namespace('params', {}),
    param('lists', {}, { data: { allowed: 'listed,others' } }),
    param('bare', {}, {}),
    param('one', { of: 'both' }, { data: { allows: 'yes' } }),
    param('other', { of: 'both' }, { data: { allows: 'no' } }),
    ...ROWS.flatMap(objectsOf),
  ],
};

let fates: ReadonlyMap<string, ObjectFate> = new Map();
let code = 0;

beforeAll(async () => {
  const words = ['delete', '-', 'cm', '--all', '-n', 'shop', '--format', 'json'];
  const told = await runCli(words, { stdin: JSON.stringify(DUMP) });
  code = told.code;
  const { answer } = JSON.parse(told.stdout) as ResultDocument;
  fates = new Map(
    (answer?.objects ?? []).flatMap(({ name }, index): [string, ObjectFate][] => {
      const fate = answer?.outcomes[0]?.fates[index];
      return fate === undefined ? [] : [[name, fate]];
    }),
  );
});

it.each(ROWS.map((row) => [row.name, row.says, row] as const))('%s: %s', (name, _, row) => {
  const fate = fates.get(`ConfigMap/${name}.shop`);
  const words = [...(fate?.on ?? []), ...(fate?.waits ?? [])].map(({ text }) => text).join('\n');
  expect(fate?.fate, words).toBe(row.fate);
  expect(words).toMatch(row.text ?? /^/);
});

it('is no success as a whole', () => {
  expect(code).toBe(1);
});
