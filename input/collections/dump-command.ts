import { shellQuoted } from '../../text/layout.ts';

/** Which cluster, and which part of it, a dump is to show. */
export interface WantedDump {
  /** The client with its first words, such as `kubectl`, `oc` or `minikube kubectl --`. */
  readonly kubectl: string;
  readonly context: string | null;
  /** None: all of them. Cluster-scoped objects are in the dump in any case. */
  readonly namespaces: readonly string[];
}

/** Resources that nothing depends on, or that other resources show as well; in `grep -E`. */
const SKIPPED_RESOURCES = [
  '^events(\\.|$)',
  '^componentstatuses$',
  '\\.metrics\\.k8s\\.io$',
  '\\.(project|authorization)\\.openshift\\.io$',
  '^(imagestreamtags|imagetags|images)\\.image\\.openshift\\.io$',
  '^packagemanifests\\.',
];
const SKIPPED = SKIPPED_RESOURCES.join('|');
const SKIPPED_PATTERN = new RegExp(SKIPPED);

/** Whether no dump needs this resource. @param name as `kubectl api-resources -o name` prints it. */
export function isSkipped(name: string): boolean {
  return SKIPPED_PATTERN.test(name);
}

/** The parts of specs that say something of deletion. None of them holds a secret. */
export const SPEC_FIELDS: readonly string[] = [
  'claimRef',
  'deletionPolicy',
  'finalizers',
  'group',
  'managementPolicies',
  'names',
  'nodeName',
  'persistentVolumeClaimRetentionPolicy',
  'persistentVolumeReclaimPolicy',
  'prune',
  'replicas',
  'resourceRef',
  'resourceRefs',
  'scope',
  'suspend',
  'taints',
  'terminationGracePeriodSeconds',
  'ttlSecondsAfterFinished',
  'type',
  'version',
  'volumeName',
];

export const STATUS_FIELDS: readonly string[] = ['conditions', 'observedGeneration', 'phase'];

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function quotedAll(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' ');
}

/** A template cannot ask a text for its fields: it would fail, and print nothing more. */
const IF_MAPPING = '{{if eq (printf "%T" .) "map[string]interface {}"}}';

/**
 * A template of Go that prints a list as YAML with one object a line. Go's `%q` is a valid string in
 * double quotes of YAML, though not of JSON. Volumes and the versions of definitions are shortened.
 */
const TEMPLATE = [
  '{{define "v"}}{{$t := printf "%T" .}}',
  '{{if eq $t "string"}}{{printf "%q" .}}',
  '{{else if eq $t "map[string]interface {}"}}{ {{range $k, $e := .}}{{printf "%q" $k}}: {{template "v" $e}}, {{end}}}',
  '{{else if eq $t "[]interface {}"}}[{{range .}}{{template "v" .}}, {{end}}]',
  '{{else if eq $t "<nil>"}}null{{else}}{{.}}{{end}}{{end}}',
  'apiVersion: v1\nitems:\n',
  '{{range .items}}- {apiVersion: {{printf "%q" .apiVersion}}, kind: {{printf "%q" .kind}}, metadata: { ',
  '{{range $k, $e := .metadata}}',
  '{{if eq $k "annotations"}}annotations: { {{range $a, $x := $e}}',
  `{{if ne $a "${APPLIED}"}}{{printf "%q" $a}}: {{printf "%q" $x}}, {{end}}{{end}}}, `,
  '{{else if ne $k "managedFields"}}{{$k}}: {{template "v" $e}}, {{end}}{{end}}}',
  `{{with .spec}}${IF_MAPPING}, spec: { {{range $k, $e := .}}`,
  `{{if eq $k ${quotedAll(SPEC_FIELDS)}}}{{$k}}: {{template "v" $e}}, `,
  '{{else if eq (printf "%T" $e) "[]interface {}"}}',
  `{{if eq $k "volumes"}}volumes: [{{range $e}}${IF_MAPPING}{{with .persistentVolumeClaim}}{persistentVolumeClaim: {{template "v" .}}}, {{end}}{{end}}{{end}}], `,
  `{{else if eq $k "versions"}}versions: [{{range $e}}${IF_MAPPING}{{with .name}}{name: {{template "v" .}}}, {{end}}{{end}}{{end}}], {{end}}`,
  '{{end}}{{end}}}{{end}}{{end}}',
  `{{with .status}}${IF_MAPPING}, status: { {{range $k, $e := .}}`,
  `{{if eq $k ${quotedAll(STATUS_FIELDS)}}}{{$k}}: {{template "v" $e}}, {{end}}`,
  '{{end}}}{{end}}{{end}}}\n{{end}}kind: List\n',
].join('');

/** The name of the file that the command writes. */
export const DUMP_FILE = 'dump.yaml';

/**
 * One command for a POSIX shell that writes everything that deletion can need: all kinds that the
 * cluster can list, without events, managed fields and the data of secrets and config maps. A kind
 * that cannot be listed is reported on stderr by the client, and the rest is written.
 */
export function dumpCommand({ kubectl, context, namespaces }: WantedDump): string {
  const words = kubectl.split(/\s+/).filter((word) => word !== '');
  const client = [
    ...words.map(shellQuoted),
    ...(context === null ? [] : [`--context=${shellQuoted(context)}`]),
  ].join(' ');
  const kinds = `kinds() { ${client} api-resources --verbs=list "$@" -o name | grep -vE '${SKIPPED}' | paste -sd, -; }`;
  const print = '-o go-template="$template"';
  const gets =
    namespaces.length === 0
      ? [`${client} get "$(kinds)" --all-namespaces ${print}`]
      : [
          `${client} get "$(kinds --namespaced=false)" ${print}`,
          `for n in ${namespaces.map(shellQuoted).join(' ')}; do echo ---; ${client} get "$(kinds --namespaced=true)" -n "$n" ${print}; done`,
        ];
  return `(template='${TEMPLATE.replaceAll('\n', '{{"\\n"}}')}'; ${kinds}; ${gets.join('; ')}) > ${DUMP_FILE}`;
}
