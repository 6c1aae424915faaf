import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectFate, OutcomeWord } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runCli } from '../cli/run-cli.ts';

/**
 * What admission says beside the DELETE itself: to the requests that follow it, by policies of
 * which the dump lacks a part, and by policies that change objects. Written down before any of it
 * was answered, from the source of Kubernetes.
 */

const REGISTRATION = 'admissionregistration.k8s.io/v1';
const within = { namespace: 'shop' };

function object(apiVersion: string, kind: string, name: string, metadata: object, more = {}) {
  return { apiVersion, kind, metadata: { name, uid: `uid-${kind}-${name}`, ...metadata }, ...more };
}

const map = (name: string, metadata: object = {}) =>
  object('v1', 'ConfigMap', name, { ...within, labels: { case: name }, ...metadata });

const owned = (name: string, owner: string) =>
  map(name, { ownerReferences: [{ ...reference(owner), blockOwnerDeletion: true }] });
const reference = (name: string) => {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: `uid-ConfigMap-${name}` };
};

const rule = (operations: readonly string[], resources: readonly string[], more: object = {}) => {
  return { apiGroups: ['*'], apiVersions: ['*'], operations, resources, ...more };
};
const about = (name: string) => ({ objectSelector: { matchLabels: { case: name } } });

/** A webhook without a pod, as its Service has no endpoint that is ready. */
const down = (
  name: string,
  rules: readonly object[],
  more: object = about(name),
  kind = 'Validating',
) =>
  object(
    REGISTRATION,
    `${kind}WebhookConfiguration`,
    name,
    {},
    {
      webhooks: [
        {
          name: `${name}.example.com`,
          clientConfig: { service: { namespace: 'guard', name: 'guard' } },
          ...{ rules, ...more },
        },
      ],
    },
  );

const bound = (name: string, policyName: string, more: object = {}, kind = 'Validating') =>
  object(
    REGISTRATION,
    `${kind}AdmissionPolicyBinding`,
    name,
    {},
    {
      spec: {
        policyName,
        ...(kind === 'Validating' ? { validationActions: ['Deny'] } : {}),
        ...more,
      },
    },
  );

const policy = (name: string, operations: readonly string[], spec: object, kind = 'Validating') =>
  object(
    REGISTRATION,
    `${kind}AdmissionPolicy`,
    name,
    {},
    {
      spec: {
        matchConstraints: { ...about(name), resourceRules: [rule(operations, ['configmaps'])] },
        ...spec,
      },
    },
  );

const mutating = (name: string, expression: string, more: object = {}) => [
  policy(
    name,
    ['UPDATE'],
    { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }], ...more },
    'Mutating',
  ),
  bound(name, name, {}, 'Mutating'),
];
const applying = (name: string, annotations: string) => {
  const expression = `Object{metadata: Object.metadata{annotations: ${annotations}}}`;
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  const spec = { mutations };
  return [policy(name, ['UPDATE'], spec, 'Mutating'), bound(name, name, {}, 'Mutating')];
};
const KEEPS =
  '[JSONPatch{op: "add", path: "/metadata/finalizers", value: oldObject.metadata.finalizers}]';
const NOTES = '[JSONPatch{op: "add", path: "/metadata/labels/seen", value: "yes"}]';
const NOTES_ANEW = '[JSONPatch{op: "add", path: "/metadata/annotations/seen", value: "yes"}]';

const namespace = (name: string) =>
  object(
    'v1',
    'Namespace',
    name,
    { labels: { 'kubernetes.io/metadata.name': name, case: `namespace-${name}` } },
    { spec: { finalizers: ['kubernetes'] } },
  );

/** Every namespace has these two, so that the dump lacks nothing of it. */
const whole = (name: string) => [
  object('v1', 'ConfigMap', 'kube-root-ca.crt', { namespace: name }),
  object('v1', 'ServiceAccount', 'default', { namespace: name }),
];

const GUARD = [
  namespace('shop'),
  namespace('guard'),
  object(
    'v1',
    'Service',
    'guard',
    { namespace: 'guard' },
    { spec: { selector: { app: 'guard' } } },
  ),
  object(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'guard-1',
    { namespace: 'guard', labels: { 'kubernetes.io/service-name': 'guard' } },
    { endpoints: [] },
  ),
];

interface Told {
  readonly code: number;
  readonly fates: ReadonlyMap<string, ObjectFate>;
  readonly besides: readonly string[];
}

async function asked(items: readonly object[], ...words: readonly string[]): Promise<Told> {
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const told = await runCli(['delete', '-', ...words, '--format', 'json'], { stdin });
  const { answer } = JSON.parse(told.stdout) as ResultDocument;
  const names = (answer?.objects ?? []).map(({ name }) => name.replace(/^(\w+)\.[^/]*\//, '$1/'));
  const fates = answer?.outcomes[0]?.fates ?? [];
  return {
    code: told.code,
    fates: new Map(names.flatMap((name, at) => (fates[at] ? [[name, fates[at]] as const] : []))),
    besides: answer?.besides ?? [],
  };
}

function wordsOf(fate: ObjectFate | undefined): string {
  return [...(fate?.on ?? []), ...(fate?.waits ?? [])]
    .map((one) => `${one.text} ${'settle' in one ? one.settle : ''}`)
    .join('\n');
}

interface Row {
  readonly name: string;
  readonly says: string;
  readonly items: readonly object[];
  readonly fate: OutcomeWord;
  readonly text?: RegExp;
}

function rows(cascade: string, all: readonly Row[]): void {
  let told: Told | undefined;
  beforeAll(async () => {
    const items = [...GUARD, ...all.flatMap(({ name, items }) => [map(name), ...items])];
    told = await asked(items, 'cm', '--all', '-n', 'shop', '--cascade', cascade);
  });
  it.each(all.map((row) => [row.name, row.says, row] as const))('%s: %s', (name, _, row) => {
    const fate = told?.fates.get(`ConfigMap/${name}.shop`);
    const words = wordsOf(fate);
    expect(fate?.fate, words).toBe(row.fate);
    expect(words).toMatch(row.text ?? /^/);
  });
}

describe('a deletion in the foreground', () => {
  rows('foreground', [
    {
      // `addFinalizer` of BeforeDelete, then the PATCH of `removeFinalizer` of the collector.
      name: 'later',
      says: 'a webhook that is down for UPDATE only holds the finalizer of the deletion',
      items: [down('later', [rule(['UPDATE'], ['configmaps'])])],
      fate: 'unknown',
      text: /has to admit the change of ConfigMap\/later\.shop by the garbage collector/,
    },
    {
      name: 'mutating-down',
      says: 'so does one that changes objects',
      items: [down('mutating-down', [rule(['UPDATE'], ['configmaps'])], undefined, 'Mutating')],
      fate: 'unknown',
    },
    {
      name: 'ignored',
      says: 'one with failurePolicy Ignore holds nothing',
      items: [
        down('ignored', [rule(['UPDATE'], ['configmaps'])], {
          ...about('ignored'),
          failurePolicy: 'Ignore',
        }),
      ],
      fate: 'goes',
    },
    {
      name: 'ignored-unseen',
      says: 'it does if the dump only lacks its server, which may answer and refuse',
      items: [
        down('ignored-unseen', [rule(['UPDATE'], ['configmaps'])], {
          ...about('ignored-unseen'),
          clientConfig: { service: { namespace: 'guard', name: 'unseen' } },
          failurePolicy: 'Ignore',
        }),
      ],
      fate: 'depends',
      text: /is asked about the change of ConfigMap\/ignored-unseen\.shop by the garbage collector/,
    },
    {
      // `splitResource` of the rule matcher: a status is another resource.
      name: 'of-status',
      says: 'a rule for a subresource does not mean the object',
      items: [down('of-status', [rule(['UPDATE'], ['configmaps/status'])])],
      fate: 'goes',
    },
    {
      name: 'created',
      says: 'nor does one for creations',
      items: [down('created', [rule(['CREATE', 'CONNECT'], ['*/*'])])],
      fate: 'goes',
    },
    {
      name: 'of-the-cluster',
      says: 'nor does one with the scope Cluster',
      items: [down('of-the-cluster', [rule(['UPDATE'], ['*/*'], { scope: 'Cluster' })])],
      fate: 'goes',
    },
    {
      // `oldObject.metadata.finalizers` still has it, so it is no new finalizer.
      name: 'keeping',
      says: 'a policy that sets the finalizers again may hold it',
      items: mutating('keeping', KEEPS),
      fate: 'depends',
      text: /may set finalizers anew[\s\S]*--dry-run=server -o yaml/,
    },
    {
      name: 'noting',
      says: 'a policy that sets a label beside others does not',
      items: mutating('noting', NOTES),
      fate: 'goes',
    },
    {
      // `Apply` of json-patch 4 creates no parents, and `dispatchInvocations` (1.32) refuses then.
      name: 'noting-anew',
      says: 'one that fails where the object has no annotations may refuse the change',
      items: mutating('noting-anew', NOTES_ANEW),
      fate: 'depends',
      text: /noting-anew acts at the change [\s\S]*if it fails there, its failurePolicy refuses it/,
    },
    {
      name: 'noting-leniently',
      says: 'and with failurePolicy Ignore refuses nothing',
      items: mutating('noting-leniently', NOTES_ANEW, { failurePolicy: 'Ignore' }),
      fate: 'goes',
    },
    {
      name: 'applying',
      says: 'nor does one that applies an annotation that is written out',
      items: applying('applying', '{"seen": "yes"}'),
      fate: 'goes',
    },
    {
      // `ValidateObjectMetaAccessorUpdate` (1.20) validates all labels.
      name: 'mislabelling',
      says: 'one that sets a label which validation refuses',
      items: mutating('mislabelling', NOTES.replace('yes', 'not valid!')),
      fate: 'depends',
      text: /mislabelling acts at the change/,
    },
    {
      name: 'misnaming',
      says: 'or applies an annotation with a key that it refuses',
      items: applying('misnaming', '{"a b": "c"}'),
      fate: 'depends',
    },
    {
      name: 'repeating',
      says: 'or has a key twice, which is an error of CEL',
      items: applying('repeating', '{"a": "b", "a": "c"}'),
      fate: 'depends',
    },
    {
      // `CollectParams`: a binding whose parameters are not there is an error of the policy.
      name: 'unparametrized',
      says: 'a policy without the parameters that its binding demands refuses the change',
      items: [
        policy(
          'unparametrized',
          ['UPDATE'],
          {
            paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
            mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: NOTES } }],
          },
          'Mutating',
        ),
        bound(
          'unparametrized',
          'unparametrized',
          { paramRef: { name: 'none', namespace: 'shop', parameterNotFoundAction: 'Deny' } },
          'Mutating',
        ),
      ],
      fate: 'depends',
      text: /unparametrized refuses the change [\s\S]*: it has no parameters/,
    },
    {
      name: 'unparametrized-allowed',
      says: 'and does nothing if its binding allows that',
      items: [
        policy(
          'unparametrized-allowed',
          ['UPDATE'],
          {
            paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
            mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: KEEPS } }],
          },
          'Mutating',
        ),
        bound(
          'unparametrized-allowed',
          'unparametrized-allowed',
          { paramRef: { name: 'none', namespace: 'shop', parameterNotFoundAction: 'Allow' } },
          'Mutating',
        ),
      ],
      fate: 'goes',
    },
    {
      name: 'mutating-unknown',
      says: 'a binding of a mutating policy that the dump lacks may do anything',
      items: [
        bound(
          'mutating-unknown',
          'elsewhere',
          { matchResources: about('mutating-unknown') },
          'Mutating',
        ),
      ],
      fate: 'depends',
      text: /kubectl get mutatingadmissionpolicies elsewhere -o yaml/,
    },
    {
      // Its value at the change is not known, and the API server evaluates it then.
      name: 'uncertain',
      says: 'a policy that nobody can evaluate for the change',
      items: [
        policy('uncertain', ['UPDATE'], {
          validations: [
            { expression: 'authorizer.group("").resource("pods").check("get").allowed()' },
          ],
        }),
        bound('uncertain', 'uncertain'),
      ],
      fate: 'depends',
      text: /is evaluated for the change of ConfigMap\/uncertain\.shop by the garbage collector/,
    },
    {
      name: 'computing',
      says: 'one whose path is computed may',
      items: mutating('computing', '[JSONPatch{op: "add", path: "/meta" + "data", value: {}}]'),
      fate: 'depends',
    },
    {
      name: 'unmatched',
      says: 'one whose condition is not met does not',
      items: mutating('unmatched', KEEPS, {
        matchConditions: [{ name: 'when', expression: 'request.operation == "CREATE"' }],
      }),
      fate: 'goes',
    },
    {
      name: 'immutable',
      says: 'a policy that refuses every change holds it',
      items: [
        policy('immutable', ['UPDATE'], { validations: [{ expression: 'false' }] }),
        bound('immutable', 'immutable'),
      ],
      fate: 'depends',
      text: /refuses the change of ConfigMap\/immutable\.shop by the garbage collector/,
    },
  ]);
});

describe('a deletion in the background', () => {
  rows('background', [
    {
      name: 'free',
      says: 'nobody changes what has no finalizer',
      items: [down('free', [rule(['UPDATE'], ['configmaps'])]), ...mutating('free', KEEPS)],
      fate: 'goes',
    },
    {
      // The plug-in of mutating policies handles no DELETE.
      name: 'mutated',
      says: 'a mutating policy is never asked about a DELETE',
      items: [
        policy('mutated', ['*'], { mutations: [], failurePolicy: 'Fail' }, 'Mutating'),
        bound('mutated', 'mutated', {}, 'Mutating'),
      ],
      fate: 'goes',
    },
    {
      name: 'unknown-policy',
      says: 'a binding of a policy that the dump lacks',
      items: [bound('unknown-policy', 'elsewhere', { matchResources: about('unknown-policy') })],
      fate: 'depends',
      text: /binds the policy elsewhere, which the dump lacks[\s\S]*kubectl get validatingadmissionpolicies elsewhere -o yaml/,
    },
    {
      name: 'unbound',
      says: 'a policy without a binding, beside bindings of others',
      items: [policy('unbound', ['DELETE'], { validations: [{ expression: 'false' }] })],
      fate: 'goes',
    },
    {
      name: 'mutating-webhook',
      says: 'a webhook that changes objects is asked about a DELETE, and may refuse it',
      items: [down('mutating-webhook', [rule(['DELETE'], ['configmaps'])], undefined, 'Mutating')],
      fate: 'stays',
    },
  ]);
});

describe('an orphaning', () => {
  it('waits for the changes of its dependents', async () => {
    const told = await asked(
      [...GUARD, map('owner'), owned('child', 'owner'), down('child', [rule(['UPDATE'], ['*'])])],
      ...['cm/owner', '--cascade', 'orphan'],
    );
    expect(told.fates.get('ConfigMap/owner.shop')?.fate).toBe('unknown');
    expect(wordsOf(told.fates.get('ConfigMap/owner.shop'))).toMatch(
      /the change of ConfigMap\/child\.shop by the garbage collector/,
    );
  });

  const refused = (name: string) => [
    policy(name, ['UPDATE'], { validations: [{ expression: 'false' }] }),
    bound(name, name),
  ];

  it('that has begun and cannot end leaves no dependent to the collector', async () => {
    const told = await asked(
      [...GUARD, map('owner', { finalizers: ['orphan'] }), ...refused('child')].concat(
        owned('child', 'owner'),
        owned('other', 'owner'),
      ),
      'cm/owner',
    );
    expect(told.fates.get('ConfigMap/other.shop')?.fate).toBe('depends');
  });

  it('does not begin: an owner whose finalizer is held holds what is beneath it', async () => {
    const told = await asked(
      [...GUARD, map('owner', { finalizers: ['acme.io/x'] }), ...refused('owner')].concat(
        owned('leaf', 'owner'),
      ),
      ...['cm/owner', '--cooperative-finalizer', 'acme.io/x'],
    );
    expect(told.fates.get('ConfigMap/leaf.shop')?.fate).toBe('depends');
  });
});

describe('policies of which the dump lacks all bindings', () => {
  const refusing = (name: string, expression: string, more: object = {}) =>
    policy(name, ['DELETE'], { validations: [{ expression }], ...more });

  it('may refuse what they do not accept', async () => {
    const items = [
      ...['accepted', 'refused', 'with-params'].map((name) => map(name)),
      refusing('accepted', 'oldObject.metadata.name == "accepted"'),
      refusing('refused', 'false'),
      refusing('with-params', 'true', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
    ];
    const told = await asked([...GUARD, ...items], 'cm', '--all', '-n', 'shop');
    expect(told.fates.get('ConfigMap/accepted.shop')?.fate).toBe('goes');
    expect(told.fates.get('ConfigMap/with-params.shop')?.fate).toBe('depends');
    expect(wordsOf(told.fates.get('ConfigMap/refused.shop'))).toMatch(
      /the dump has no binding at all[\s\S]*kubectl get validatingadmissionpolicybindings -o yaml/,
    );
    expect(told.code).toBe(3);
  });

  it('take parameters that the dump lacks from a command', async () => {
    const limits = { apiVersion: 'acme.io/v1', kind: 'Limits' };
    const items = [
      map('a'),
      refusing('a', 'params.data.x == "y"', { paramKind: limits }),
      bound('a', 'a', { paramRef: { name: 'small', parameterNotFoundAction: 'Allow' } }),
    ];
    const told = await asked([...GUARD, ...items], 'cm/a');
    expect(wordsOf(told.fates.get('ConfigMap/a.shop'))).toMatch(
      /its parameters, which the dump may lack[\s\S]*kubectl get limits\.acme\.io small -n shop -o yaml/,
    );
  });

  it('are settled with --admitted', async () => {
    const items = [map('a'), bound('b', 'elsewhere')];
    expect((await asked([...GUARD, ...items], 'cm/a')).code).toBe(3);
    const told = await asked([...GUARD, ...items], 'cm/a', '--admitted', 'elsewhere');
    expect(told.code).toBe(0);
  });
});

describe('what others change before an object goes', () => {
  it('is the finalization of a namespace', async () => {
    const items = [namespace('old'), ...whole('old')];
    const hook = (resources: readonly string[]) =>
      down('hook', [rule(['UPDATE'], resources)], about('namespace-old'));
    // `FinalizeREST`: a resource of its own.
    const named = await asked([...GUARD, ...items, hook(['namespaces'])], 'ns/old');
    expect(named.fates.get('Namespace/old')?.fate).toBe('goes');
    const any = await asked([...GUARD, ...items, hook(['namespaces/*'])], 'ns/old');
    expect(any.fates.get('Namespace/old')?.fate).toBe('unknown');
    expect(wordsOf(any.fates.get('Namespace/old'))).toMatch(
      /the finalization of Namespace\/old by the namespace controller/,
    );
  });

  it('is the status of a pod, before its kubelet sends the last DELETE', async () => {
    const pod = object(
      'v1',
      'Pod',
      'web',
      { ...within, labels: { case: 'web' } },
      { spec: { nodeName: 'n1' }, status: { phase: 'Running' } },
    );
    const hook = (resources: readonly string[]) => down('web', [rule(['UPDATE'], resources)]);
    expect((await asked([...GUARD, pod, hook(['pods'])], 'pod/web')).code).toBe(0);
    const told = await asked([...GUARD, pod, hook(['*/*'])], 'pod/web');
    expect(told.fates.get('Pod/web.shop')?.fate).toBe('unknown');
  });

  it('is the status of a definition', async () => {
    const name = 'widgets.acme.io';
    const definition = object(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      name,
      { labels: { case: 'widgets' } },
      {
        spec: {
          ...{
            group: 'acme.io',
            scope: 'Namespaced',
            names: { kind: 'Widget', plural: 'widgets' },
          },
          versions: [{ name: 'v1', served: true, storage: true }],
        },
      },
    );
    const widget = object('acme.io/v1', 'Widget', 'one', within, { spec: {} });
    const hook = (resources: readonly string[]) =>
      down('widgets', [rule(['UPDATE'], resources)], about('widgets'));
    const of = async (resources: readonly string[]) =>
      (await asked([...GUARD, definition, widget, hook(resources)], `crd/${name}`)).fates.get(
        `CustomResourceDefinition/${name}`,
      )?.fate;
    expect(await of(['customresourcedefinitions'])).toBe('goes');
    expect(await of(['customresourcedefinitions/status'])).toBe('unknown');
  });
});
