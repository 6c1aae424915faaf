import { GO_HELPERS, GO_IMPORTS } from './go-helpers.ts';
import type { Expectation, StartObject, Target, TestCase, TestRequest } from './test-case.ts';
import { headLines, oneLine } from './texts.ts';

const RUN = [
  'Put it into a package with controller-runtime and apimachinery, then:',
  '  npx reapcheck serve --schedule TOKEN --kubeconfig kubeconfig.yaml   (TOKEN is below)',
  '  TEST_KUBECONFIG=kubeconfig.yaml go test -run TestCounterexample ./...',
  '',
  'TEST_KUBECONFIG may also be that of another cluster: the test creates the objects there.',
  'Start your manager before the first request: with envtest, UseExistingCluster and this config.',
];

/** A file of Go for `go test`, as gofmt writes it. */
export function goEnvtest(test: TestCase): string {
  const steps = Math.max(0, ...test.requests.map(({ step }) => step));
  const lines = [
    ...headLines(test, RUN).map((line) => `// ${line}`.trimEnd()),
    '',
    ...GO_IMPORTS,
    '',
    `const token = ${go(test.token)}`,
    '',
    `// The number of the last step that is a request.`,
    `const steps = ${steps}`,
    '',
    'func TestCounterexample(t *testing.T) {',
    '\tc := connect(t)',
    ...(test.start.length === 0
      ? []
      : ['', '\t// With the token, the server has these objects already.']),
    ...test.start.map(startLine),
    ...(test.requests.length === 0 ? [] : ['']),
    ...test.requests.flatMap(requestLines),
    '',
    '\tc.rest()',
    ...test.expected.map(expectationLine),
    '}',
    '',
    ...GO_HELPERS,
  ];
  return `${lines.join('\n')}\n`;
}

/** A string literal of Go. A lone surrogate, which Go cannot have, becomes U+FFFD. */
export function go(text: string): string {
  const characters = [...text.replaceAll(/\p{Surrogate}/gu, '\ufffd')].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (code >= 0x20 && code < 0x7f) return character;
    if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${characters.join('')}"`;
}

function json(value: unknown): string {
  return go(JSON.stringify(value));
}

function reference({ apiVersion, kind, namespace, name }: Target): string {
  return `ref(${[apiVersion, kind, namespace, name].map(go).join(', ')})`;
}

function startLine({ target, uid, manifest, deleted }: StartObject): string {
  return `\tc.start(${reference(target)}, ${go(uid)}, ${json(manifest)}, ${go(deleted ?? '')})`;
}

function requestLines({ step, words, target, does, overlaps }: TestRequest): readonly string[] {
  const comment = `\t// ${oneLine(words)}`.trimEnd();
  const call = overlaps ? 'begin' : 'send';
  const object = reference(target);
  switch (does.verb) {
    case 'create':
      return [
        comment,
        `\tc.${call}(${step}, "create", ${object}, ${json(does.manifest)}, ${go(does.uid)})`,
      ];
    case 'read':
      return [comment, `\tc.read(${step}, ${object}, ${go(does.user)})`];
    case 'patch':
      return [
        comment,
        `\tc.${call}(${step}, "patch", ${object}, ${json(does.patch)}, ${go(does.versionOf ?? '')})`,
      ];
    case 'delete':
      return [
        comment,
        `\tc.${call}(${step}, "delete", ${object}, ${json(does.options)}, ${go(does.versionOf ?? '')})`,
      ];
    default:
      throw new Error(`unknown request ${JSON.stringify(does satisfies never)}`);
  }
}

function expectationLine({ target, words, end }: Expectation): string {
  const said = go(oneLine(words));
  if (end.is === 'gone') return `\tc.gone(${reference(target)}, ${said})`;
  const { is: _, ...fields } = end;
  return `\tc.there(${reference(target)}, ${json(fields)}, ${said})`;
}
