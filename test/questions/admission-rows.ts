import type { OutcomeWord } from '../../report/document/answer.ts';

/** What a policy decides about the DELETE of one ConfigMap: see `admission-expressions.test.ts`. */
export interface PolicyRow {
  /** The name of the object, and the label `case` by which its policy is about nothing else. */
  readonly name: string;
  readonly says: string;
  /** The expression of the only validation, or all of them. */
  readonly validations: string | readonly object[];
  /** Further fields of the spec of the policy. */
  readonly policy?: object;
  /** Further fields of the spec of its binding; null: there is no binding. */
  readonly binding?: object | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string | null>>;
  readonly fate: OutcomeWord;
  /** What the answer has to say of the object. */
  readonly text?: RegExp;
}

const PROTECTED = { protected: 'true' };
const LIMITS = { apiVersion: 'acme.io/v1', kind: 'Limits' };
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const paramRef = (name: string, parameterNotFoundAction: string) => ({
  paramRef: { name, namespace: 'params', parameterNotFoundAction },
});
const condition = (expression: string) => ({ name: 'when', expression });
const exemptAdmin = condition('request.userInfo.username != "admin"');
const NO_KEY = 'oldObject.metadata.annotations["none"] == "yes"';
const LISTED = 'oldObject.metadata.name in params.data["allowed"].split(",")';
const UNPROTECTED =
  '!has(oldObject.metadata.labels) || !("protected" in oldObject.metadata.labels) || oldObject.metadata.labels["protected"] != "true"';
const NESTED = Array.from({ length: 9 }, (_, at) => `[1,2,3,4,5,6,7,8,9].all(x${at}, `).join('');

/** Written down before any of it was evaluated, from the source of Kubernetes. */
export const ROWS: readonly PolicyRow[] = [
  {
    name: 'never',
    says: 'a validation that is false refuses',
    validations: [{ expression: 'false', message: 'Nobody deletes this.' }],
    fate: 'stays',
    text: /ValidatingAdmissionPolicy\S*\/never refuses[^\n]*Nobody deletes this\. \(false\)/,
  },
  { name: 'always', says: 'a validation that is true accepts', validations: 'true', fate: 'goes' },
  {
    name: 'guarded',
    says: 'a label that protects',
    validations: UNPROTECTED,
    labels: PROTECTED,
    fate: 'stays',
  },
  {
    name: 'unguarded',
    says: 'a label that does not protect',
    validations: UNPROTECTED,
    labels: { protected: 'no' },
    fate: 'goes',
  },
  {
    name: 'no-key',
    says: 'an error, with failurePolicy Fail by default',
    validations: NO_KEY,
    fate: 'stays',
    text: /no-key refuses[^\n]*cannot be evaluated/,
  },
  {
    name: 'no-key-ignored',
    says: 'an error, with failurePolicy Ignore',
    validations: NO_KEY,
    policy: { failurePolicy: 'Ignore' },
    fate: 'goes',
  },
  {
    name: 'false-ignored',
    says: 'failurePolicy Ignore is about errors only',
    validations: 'false',
    policy: { failurePolicy: 'Ignore' },
    fate: 'stays',
  },
  { name: 'object', says: 'object is null', validations: 'object == null', fate: 'goes' },
  {
    name: 'of-object',
    says: 'a field of object, written with creations in mind',
    validations: 'object.metadata.name != "x"',
    fate: 'stays',
  },
  {
    name: 'operation',
    says: 'the operation',
    validations: 'request.operation != "DELETE"',
    fate: 'stays',
  },
  {
    name: 'else',
    says: 'a branch that is not taken may fail',
    validations: 'request.operation == "DELETE" ? true : object.spec.x == 1',
    fate: 'goes',
  },
  {
    name: 'user',
    says: 'nobody knows who asks',
    validations: 'request.userInfo.username == "admin"',
    fate: 'depends',
    text: /who sends/,
  },
  {
    name: 'groups',
    says: 'nor of which groups',
    validations: '"system:masters" in request.userInfo.groups',
    fate: 'depends',
  },
  {
    name: 'user-or-true',
    says: 'what is unknown does not matter beside true',
    validations: 'request.userInfo.username == "admin" || oldObject.metadata.namespace == "shop"',
    fate: 'goes',
  },
  {
    name: 'user-and-false',
    says: 'what is unknown does not matter beside false',
    validations: 'request.userInfo.username == "admin" && oldObject.metadata.name == "other"',
    fate: 'stays',
  },
  {
    name: 'any-group',
    says: 'a macro over what is unknown',
    validations: 'request.userInfo.groups.exists(g, g == "ops")',
    fate: 'depends',
  },
  {
    name: 'authorizer',
    says: 'what the user may do is unknown',
    validations: 'authorizer.group("").resource("configmaps").check("delete").allowed()',
    fate: 'depends',
  },
  {
    name: 'of-namespace',
    says: 'a label of the namespace',
    validations: 'namespaceObject.metadata.labels["env"] != "prod"',
    fate: 'stays',
  },
  {
    name: 'in-namespace',
    says: 'the namespace as the policy wants it',
    validations: 'namespaceObject.metadata.labels.env == "prod" && request.namespace == "shop"',
    fate: 'goes',
  },
  {
    name: 'variable',
    says: 'a variable',
    validations: '!variables.kept',
    policy: {
      variables: [
        { name: 'notes', expression: 'oldObject.metadata.annotations' },
        { name: 'kept', expression: '"keep" in variables.notes' },
      ],
    },
    annotations: { keep: '' },
    fate: 'stays',
  },
  {
    name: 'unused-variable',
    says: 'a variable that fails and is not used',
    validations: 'true',
    policy: { variables: [{ name: 'bad', expression: NO_KEY }] },
    fate: 'goes',
  },
  {
    name: 'unmatched',
    says: 'a condition that is not met',
    validations: 'false',
    policy: { matchConditions: [condition('has(oldObject.metadata.labels.tier)')] },
    fate: 'goes',
  },
  {
    name: 'matched',
    says: 'a condition that is met',
    validations: 'false',
    policy: { matchConditions: [condition('has(oldObject.metadata.labels.case)')] },
    fate: 'stays',
  },
  {
    name: 'perhaps-matched',
    says: 'a condition about the user, and then false',
    validations: 'false',
    policy: { matchConditions: [exemptAdmin] },
    fate: 'depends',
  },
  {
    name: 'matched-or-not',
    says: 'a condition about the user, and then true',
    validations: 'true',
    policy: { matchConditions: [exemptAdmin] },
    fate: 'goes',
  },
  {
    name: 'failed-and-unmatched',
    says: 'a condition that fails, and one that is not met',
    validations: 'false',
    policy: { matchConditions: [condition(NO_KEY), { ...condition('false'), name: 'never' }] },
    fate: 'goes',
  },
  {
    name: 'condition-fails',
    says: 'a condition that fails, with failurePolicy Fail',
    validations: 'true',
    policy: { matchConditions: [condition(NO_KEY)] },
    fate: 'stays',
  },
  {
    name: 'condition-ignored',
    says: 'a condition that fails, with failurePolicy Ignore',
    validations: 'false',
    policy: { matchConditions: [condition(NO_KEY)], failurePolicy: 'Ignore' },
    fate: 'goes',
  },
  {
    name: 'warned',
    says: 'a binding that only warns',
    validations: 'false',
    binding: { validationActions: ['Warn'] },
    fate: 'goes',
  },
  {
    name: 'audited',
    says: 'a binding that only writes to the audit log',
    validations: NO_KEY,
    binding: { validationActions: ['Audit'] },
    fate: 'goes',
  },
  {
    name: 'denied-and-audited',
    says: 'a binding that denies and audits',
    validations: 'false',
    binding: { validationActions: ['Deny', 'Audit'] },
    fate: 'stays',
  },
  { name: 'unbound', says: 'no binding', validations: 'false', binding: null, fate: 'goes' },
  {
    name: 'bound-elsewhere',
    says: 'a binding that is about other objects',
    validations: 'false',
    binding: { matchResources: { objectSelector: { matchLabels: { case: 'other' } } } },
    fate: 'goes',
  },
  {
    name: 'listed',
    says: 'parameters that list the object',
    validations: LISTED,
    policy: { paramKind: CONFIG_MAP },
    binding: paramRef('lists', 'Deny'),
    fate: 'goes',
  },
  {
    name: 'unlisted',
    says: 'parameters that do not list the object',
    validations: LISTED,
    policy: { paramKind: CONFIG_MAP },
    binding: paramRef('lists', 'Deny'),
    fate: 'stays',
  },
  {
    name: 'no-param',
    says: 'parameters that are not there, and Allow',
    validations: 'false',
    policy: { paramKind: CONFIG_MAP },
    binding: paramRef('none', 'Allow'),
    fate: 'goes',
  },
  {
    name: 'no-param-denied',
    says: 'parameters that are not there, and Deny',
    validations: 'true',
    policy: { paramKind: CONFIG_MAP },
    binding: paramRef('none', 'Deny'),
    fate: 'stays',
  },
  {
    name: 'no-param-audited',
    says: 'parameters that are not there are no matter of the actions of the binding',
    validations: 'true',
    policy: { paramKind: CONFIG_MAP },
    binding: { ...paramRef('none', 'Deny'), validationActions: ['Audit'] },
    fate: 'stays',
  },
  {
    name: 'param-without-data',
    says: 'parameters whose data the dump lacks',
    validations: 'params.data["x"] == "y"',
    policy: { paramKind: CONFIG_MAP },
    binding: paramRef('bare', 'Deny'),
    fate: 'depends',
  },
  {
    name: 'selected-params',
    says: 'each of the selected parameters counts',
    validations: 'params.data.allows == "yes"',
    policy: { paramKind: CONFIG_MAP },
    binding: {
      paramRef: {
        namespace: 'params',
        selector: { matchLabels: { of: 'both' } },
        parameterNotFoundAction: 'Deny',
      },
    },
    fate: 'stays',
  },
  {
    name: 'params-of-unread-kind',
    says: 'parameters of a kind that the dump lacks',
    validations: 'false',
    policy: { paramKind: LIMITS },
    binding: { paramRef: { name: 'any', parameterNotFoundAction: 'Allow' } },
    fate: 'depends',
  },
  {
    name: 'params-unset',
    says: 'a binding without parameters: they are null',
    validations: 'params == null',
    policy: { paramKind: CONFIG_MAP },
    fate: 'goes',
  },
  {
    name: 'quantity',
    says: 'a function that Kubernetes adds to CEL',
    validations: 'quantity("1Gi").isGreaterThan(quantity("2Gi"))',
    fate: 'stays',
  },
  {
    name: 'semver',
    says: 'a function that is not known here',
    validations: 'semver("1.2.3").isLessThan(semver("1.2.4"))',
    fate: 'depends',
    text: /semver/,
  },
  {
    name: 'beside-semver',
    says: 'a function that is not known here does not matter beside true',
    validations: 'semver("1.2.3").isLessThan(semver("1.2.4")) || oldObject.kind == "ConfigMap"',
    fate: 'goes',
  },
  {
    name: 'optional',
    says: 'optional fields, one of them set',
    validations: 'oldObject.metadata.?labels["protected"].orValue("") != "true"',
    labels: PROTECTED,
    fate: 'stays',
  },
  {
    name: 'optional-absent',
    says: 'optional fields, none of them set',
    validations:
      'oldObject.metadata.?annotations[?"protected"].orValue("no") == "no" && !oldObject.?spec.hasValue()',
    data: { a: 'b' },
    fate: 'goes',
  },
  {
    name: 'has-none',
    says: 'a field of the metadata that is not there',
    validations:
      '!has(oldObject.metadata.finalizers) && !has(oldObject.metadata.deletionTimestamp)',
    fate: 'goes',
  },
  {
    name: 'macro-all',
    says: 'a macro over labels',
    validations: 'oldObject.metadata.labels.all(key, key != "protected")',
    labels: PROTECTED,
    fate: 'stays',
  },
  {
    name: 'macros',
    says: 'macros over lists',
    validations:
      '["a", "s"].exists_one(x, oldObject.metadata.name.endsWith(x)) && [1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]',
    fate: 'goes',
  },
  {
    name: 'regex',
    says: 'a regular expression',
    validations: 'oldObject.metadata.name.matches("^(?i)TMP-[[:alpha:]]+$")',
    fate: 'stays',
  },
  {
    name: 'tmp-regex',
    says: 'a regular expression of RE2 that matches',
    validations: 'oldObject.metadata.name.matches("^(?i)TMP-[[:alpha:]]+$")',
    fate: 'goes',
  },
  {
    name: 'costly',
    says: 'an expression that takes too long',
    validations: `${NESTED}true${')'.repeat(9)}`,
    fate: 'depends',
    text: /too much work/,
  },
  {
    name: 'doubling',
    says: 'variables that double a list each time',
    validations: `size(variables.v60) > 0`,
    policy: {
      variables: Array.from({ length: 61 }, (_, at) => ({
        name: `v${at}`,
        expression: at === 0 ? '["a"]' : `variables.v${at - 1} + variables.v${at - 1}`,
      })),
    },
    fate: 'depends',
    text: /too much work/,
  },
  {
    name: 'deep',
    says: 'an expression with too many levels',
    validations: `${'('.repeat(10_000)}true${')'.repeat(10_000)}`,
    fate: 'depends',
  },
  {
    name: 'unparsed',
    says: 'an expression that is none',
    validations: 'oldObject.metadata. ==',
    fate: 'depends',
  },
  {
    name: 'computed',
    says: 'a message that is computed',
    validations: [
      {
        expression: 'false',
        message: 'not this one',
        messageExpression: '"keep " + oldObject.metadata.name + " of " + request.namespace',
      },
    ],
    fate: 'stays',
    text: /keep computed of shop/,
  },
  {
    name: 'uncomputed',
    says: 'a computed message that fails',
    validations: [
      { expression: 'false', message: 'the plain one', messageExpression: 'oldObject.none' },
    ],
    fate: 'stays',
    text: /the plain one/,
  },
  {
    name: 'data',
    says: 'data that the dump has',
    validations: 'oldObject.data.owner == "none"',
    data: { owner: 'none' },
    fate: 'goes',
  },
  {
    name: 'compared',
    says: 'a value that holds something unknown differs from nothing for certain',
    validations: 'oldObject.data != {"owner": "none"}',
    data: { owner: null },
    fate: 'depends',
    text: /oldObject\.data\.owner/,
  },
  {
    name: 'listed-values',
    says: 'nor is it in a list, or not, for certain',
    validations: '!({"owner": "none"} in [oldObject.data])',
    data: { owner: null },
    fate: 'depends',
  },
  {
    name: 'no-data',
    says: 'data that the dump may lack',
    validations: 'oldObject.data.owner == "none"',
    fate: 'depends',
    text: /oldObject\.data/,
  },
  {
    name: 'request',
    says: 'what is asked, and about what',
    validations:
      'request.name == "request" && request.kind.kind == "ConfigMap" && request.resource.resource == "configmaps" && request.resource.group == "" && !request.dryRun && !has(request.subResource)',
    fate: 'goes',
  },
  {
    name: 'managed',
    says: 'managed fields, which no dump has',
    validations: 'oldObject.metadata.managedFields.all(f, f.manager != "helm")',
    fate: 'depends',
  },
  {
    name: 'two',
    says: 'one of two validations is false',
    validations: [{ expression: 'true' }, { expression: '1 > 2', message: 'second' }],
    fate: 'stays',
    text: /second/,
  },
  {
    name: 'unknown-and-false',
    says: 'one of two validations is unknown, the other one false',
    validations: [
      { expression: 'request.userInfo.username == "admin"' },
      { expression: 'false', message: 'for nobody' },
    ],
    fate: 'stays',
    text: /for nobody/,
  },
  {
    name: 'audit-note',
    says: 'an audit annotation that fails, with failurePolicy Fail',
    validations: 'true',
    policy: { auditAnnotations: [{ key: 'note', valueExpression: 'oldObject.metadata.none' }] },
    fate: 'stays',
  },
  {
    name: 'excluded',
    says: 'a rule that leaves the object out',
    validations: 'false',
    policy: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] },
        ],
        excludeResourceRules: [
          {
            ...{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'] },
            ...{ resources: ['configmaps'] },
          },
        ],
      },
    },
    fate: 'goes',
  },
  {
    name: 'excluded-unserved',
    says: 'a rule that leaves the object out by a version that may not be served',
    validations: 'false',
    policy: {
      matchConstraints: {
        objectSelector: { matchLabels: { case: 'excluded-unserved' } },
        resourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] },
        ],
        excludeResourceRules: [
          {
            ...{ apiGroups: [''], apiVersions: ['v1beta1'], operations: ['DELETE'] },
            ...{ resources: ['configmaps'] },
          },
        ],
      },
    },
    fate: 'depends',
    text: /versions that the dump may lack/,
  },
  {
    name: 'other-version',
    says: 'matchPolicy Exact with another version',
    validations: 'false',
    policy: {
      matchConstraints: {
        matchPolicy: 'Exact',
        objectSelector: { matchLabels: { case: 'other-version' } },
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v2'], operations: ['*'], resources: ['configmaps'] },
        ],
      },
    },
    fate: 'goes',
  },
  {
    name: 'numbers',
    says: 'numbers of different types',
    validations: 'size(oldObject.data) == 1 && int(oldObject.data.n) / 2 == 3 && 7 > 6.5',
    data: { n: '7' },
    fate: 'goes',
  },
];
