import { plural } from '../../text/layout.ts';
import type { SourceDocument } from '../documents/document.ts';
import type { Source } from '../documents/source.ts';
import { mirroredBy } from './mirrored.ts';
import { firstFew, groupOf } from './names.ts';

/** What clusters list, requests send or tools write beside the objects of a cluster. */
interface NotRead {
  readonly group: string;
  /** Kinds of the group; absent: every kind. */
  readonly kinds?: readonly string[];
  /** Further words for them, as kubectl takes them. */
  readonly words?: readonly string[];
  readonly because: 'nothing depends on them' | 'no cluster stores them';
}

const NOT_STORED = { because: 'no cluster stores them' } as const;

const ACCESS = ['SubjectAccess', 'LocalSubjectAccess', 'SelfSubjectAccess', 'SelfSubjectRules'];

const NOT_READ: readonly NotRead[] = [
  // The collector ignores events, and they expire by themselves.
  ...['', 'events.k8s.io'].map((group) => ({
    ...{ group, kinds: ['Event'], words: ['ev'] },
    because: 'nothing depends on them' as const,
  })),
  // The input of a tool, not of a cluster.
  { group: 'kustomize.config.k8s.io', ...NOT_STORED },
  // Computed when they are read.
  { group: '', kinds: ['ComponentStatus'], words: ['cs'], ...NOT_STORED },
  { group: 'metrics.k8s.io', words: ['podmetrics', 'nodemetrics'], ...NOT_STORED },
  { group: 'packages.operators.coreos.com', ...NOT_STORED },
  // Requests alone: the API server serves `create` of them and nothing else.
  { group: '', kinds: ['Binding'], ...NOT_STORED },
  { group: 'project.openshift.io', kinds: ['ProjectRequest'], ...NOT_STORED },
  ...Object.entries({
    'authentication.k8s.io': ['Token', 'SelfSubject'],
    'authorization.k8s.io': ACCESS,
    'authorization.openshift.io': [
      ...[...ACCESS, 'ResourceAccess', 'LocalResourceAccess'],
      ...['SubjectRules', 'IsPersonalSubjectAccess'],
    ],
    'security.openshift.io': ['', 'Subject', 'SelfSubject'].map((of) => `PodSecurityPolicy${of}`),
    // What webhooks are sent.
    'admission.k8s.io': ['Admission'],
    'imagepolicy.k8s.io': ['Image'],
    'apiextensions.k8s.io': ['Conversion'],
  }).map(([group, reviews]) => ({
    ...{ group, kinds: reviews.map((of) => `${of}Review`), ...NOT_STORED },
  })),
  { group: 'authentication.k8s.io', kinds: ['TokenRequest'], ...NOT_STORED },
  // Subresources of others.
  { group: 'policy', kinds: ['Eviction'], ...NOT_STORED },
  ...['autoscaling', 'apps', 'extensions'].map((group) => ({
    ...{ group, kinds: ['Scale'], ...NOT_STORED },
  })),
];

/** Null: it is an object of a cluster. */
function notReadOf(manifest: {
  readonly apiVersion: string;
  readonly kind: string;
}): NotRead | null {
  const group = groupOf(manifest.apiVersion);
  const isMeant = (one: NotRead): boolean =>
    one.group === group && (one.kinds === undefined || one.kinds.includes(manifest.kind));
  return NOT_READ.find(isMeant) ?? null;
}

/** Why no dump has an object of what this word names, in one sentence; null: a dump may have. */
export function whyNotRead(word: string): string | null {
  const [name = '', ...rest] = word.toLowerCase().split('.');
  const group = rest.join('.').replace(/^v\d\w*\.?/, '');
  const forms = [name, name.replace(/es$/, ''), name.replace(/s$/, '')];
  const isMeant = (one: NotRead): boolean =>
    (group === '' || one.group === group) &&
    ((group !== '' && one.kinds === undefined) ||
      one.words?.includes(name) === true ||
      one.kinds?.some((kind) => forms.includes(kind.toLowerCase())) === true);
  const found = NOT_READ.find(isMeant);
  if (found === undefined) return null;
  return found.because === 'no cluster stores them'
    ? 'Kubernetes stores no object of this kind: it is a request, a part of another object, or made when it is read'
    : 'events are not read: nothing depends on one, so a DELETE of it removes it alone';
}

/** Sorts out, and counts, what is in the input and is no object that a deletion can reach. */
export class LeftOut {
  readonly #kinds = new Map<NotRead['because'], Map<string, number>>();
  readonly #files = new Set<string>();

  /** Whether to leave a whole document out: text, or something empty. */
  takesDocument({ value }: SourceDocument, source: Source): boolean {
    if (source.isFound !== true || (typeof value === 'object' && value !== null)) return false;
    if (value !== null && value !== undefined) this.#files.add(source.file);
    return true;
  }

  /** Whether to leave a manifest out. In a folder, other files than manifests are usual. */
  takes(value: unknown, source: Source): boolean {
    if (source.isFound === true && !isManifest(value)) {
      this.#files.add(source.file);
      return true;
    }
    if (!isManifest(value)) return false;
    const because = notReadOf(value)?.because;
    if (because === undefined) return false;
    const counts = this.#kinds.get(because) ?? new Map<string, number>();
    this.#kinds.set(because, counts.set(value.kind, (counts.get(value.kind) ?? 0) + 1));
    return true;
  }

  sentences(): readonly string[] {
    return [
      ...[...this.#kinds].map(([because, counts]) => {
        const kinds = [...counts].map(([kind, count]) => `${kind} (${count})`);
        return `Objects left out because ${because}: ${kinds.join(', ')}.`;
      }),
      ...(this.#files.size === 0
        ? []
        : [
            `${plural(this.#files.size, 'file')} left out, in which something is no manifest: ${firstFew([...this.#files])}.`,
          ]),
    ];
  }
}

/**
 * The namespace of which OpenShift shows a Project: with the same uid. Other values as they are.
 */
export function namespaceOf(value: unknown): unknown {
  return isProject(value) ? { ...value, apiVersion: 'v1', kind: 'Namespace' } : value;
}

export function isProject(value: unknown): value is object {
  return isManifest(value) && mirroredBy(value)?.kind === 'Namespace';
}

function isManifest(
  value: unknown,
): value is { readonly apiVersion: string; readonly kind: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata } = value as Readonly<Record<string, unknown>>;
  return (
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null
  );
}
