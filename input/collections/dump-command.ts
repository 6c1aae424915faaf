import { shellQuoted } from '../../text/layout.ts';
import { DUMP_TEMPLATE } from './dump-template.ts';

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

/**
 * Whether no dump needs this resource. @param name as `kubectl api-resources -o name` prints it.
 */
export function isSkipped(name: string): boolean {
  return SKIPPED_PATTERN.test(name);
}

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
  return `(template='${DUMP_TEMPLATE.replaceAll('\n', '{{"\\n"}}')}'; ${kinds}; ${gets.join('; ')}) > ${DUMP_FILE}`;
}
