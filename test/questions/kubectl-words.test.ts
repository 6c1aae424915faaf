import { describe, expect, it } from 'vitest';
import { limitsOf } from '../../input/options/input-options.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runCli, temporaryFile } from '../cli/run-cli.ts';

const object = (kind: string, name: string, namespace: string, more = '') =>
  `{apiVersion: v1, kind: ${kind}, metadata: {name: ${name}, namespace: ${namespace}, uid: u-${kind}-${name}-${namespace}${more}}`;
const DUMP = temporaryDump(
  `${object('ConfigMap', 'a', 'shop', ', labels: {app: web}')}}`,
  `${object('ConfigMap', 'b', 'shop', ', labels: {app: db}')}}`,
  `${object('Secret', 'a', 'shop', ', labels: {app: web}')}}`,
  `${object('Secret', 'a', 'prod', ', labels: {app: web}')}}`,
  `${object('Service', 's', 'prod')}}`,
  '{apiVersion: v1, kind: Namespace, metadata: {name: shop, uid: u-shop}}',
  '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: gizmos.acme.io, uid: u-crd}, spec: {group: acme.io, scope: Namespaced, names: {kind: Gizmo, plural: gizmos, shortNames: [gz], categories: [acme]}, versions: [{name: v1}]}}',
  '{apiVersion: acme.io/v1, kind: Gizmo, metadata: {name: g, namespace: shop, uid: u-g}}',
  // The node does not answer.
  `${object('Pod', 'p', 'shop')}, spec: {nodeName: n}, status: {phase: Running}}`,
  '{apiVersion: v1, kind: Node, metadata: {name: n, uid: u-n}, status: {conditions: [{type: Ready, status: "Unknown"}]}}',
);

function temporaryDump(...objects: readonly string[]): () => string {
  return () => temporaryFile('dump.yaml', objects.join('\n---\n'));
}

async function asked(...words: readonly string[]) {
  return runCli(['delete', DUMP(), ...words, '--format', 'json']);
}

async function targets(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCli(['delete', DUMP(), ...words]);
  const rows = stdout.matchAll(/^ {2}\S .*?([A-Z]\S*\/\S+) {2}\(asked for\)/gm);
  return Array.from(rows, ([, name = '']) => name);
}

describe('the words of kubectl delete', () => {
  it.each<readonly [string, readonly string[]]>([
    ['cm a b', ['ConfigMap/a.shop', 'ConfigMap/b.shop']],
    ['cm,secret a -n shop', ['ConfigMap/a.shop', 'Secret/a.shop']],
    ['cm --all', ['ConfigMap/a.shop', 'ConfigMap/b.shop']],
    ['secret,cm -l app=web -n shop', ['Secret/a.shop', 'ConfigMap/a.shop']],
    ['secret --selector app=web -A', ['Secret/a.prod', 'Secret/a.shop']],
    ['all --all -n prod', ['Service/s.prod']],
    ['cm a --wait=false --grace-period=-1', ['ConfigMap/a.shop']],
    // pflag takes a value right after the letter of its flag, and no grace below 0 counts.
    ['cm -lapp=web -nshop', ['ConfigMap/a.shop']],
    ['secret a -nprod --grace-period=-5', ['Secret/a.prod']],
    ['secret --field-selector metadata.name=a,metadata.namespace!=shop', ['Secret/a.prod']],
    ['po --field-selector=status.phase!=Failed,spec.restartPolicy==Always', ['Pod/p.shop']],
    // With a group, the beginning of one, or a version; a kind of a definition, and its category.
    ['po.v1. p -n shop', ['Pod/p.shop']],
    ['gz.v1.acme.io/g', ['Gizmo.acme.io/g.shop']],
    ['gizmos.acme g', ['Gizmo.acme.io/g.shop']],
    ['ACME --all', ['Gizmo.acme.io/g.shop']],
    // OpenShift's view of a namespace.
    ['projects.project.openshift.io/shop', ['Namespace/shop']],
  ])('%s', async (words, wanted) => {
    expect([...(await targets(...words.split(' ')))].sort()).toEqual([...wanted].sort());
  });

  it.each<readonly [string, RegExp]>([
    ['gizmos.v2.acme.io/g', /gizmos\.v2\.acme\.io\/g is not in/],
    ['cm', /does not name an object[\s\S]*--all or -l/],
    ['cm/a b', /"b" beside cm\/a is neither a kind nor an object/],
    ['cm/a --all', /--all takes kinds, and "cm\/a" names an object/],
    ['cm --all -l app=web', /--all and --selector contradict/],
    ['cm/a -A', /--all-namespaces goes with --all or --selector/],
    ['cm --all -n shop -A', /--namespace and --all-namespaces contradict/],
    ['secret --all', /selects objects in 2 namespaces: prod, shop[\s\S]*-A for all/],
    ['secret -l app=none', /"secret -l app=none" selects nothing/],
    ['svc -l app=none -n shop', /selects nothing[^\n]*\n {2}reapcheck --help/],
    // No kind of the dump, whatever else has its name.
    [
      'deploy/a',
      /has no objects of kind Deployment\.apps: reapcheck dump-command[^"]+"kubectl get deployments\.apps -A /,
    ],
    ['pv/a', /has no objects of kind PersistentVolume:[^"]+"kubectl get persistentvolumes -o /],
    ['sa --all -n shop', /selects nothing[^\n]+\n[^\n]+has no objects of kind ServiceAccount/],
    ['nothing --all', /"nothing" is no kind of/],
    ['pod/p --force --grace-period 5', /--force and a grace period above 0 contradict/],
    ['pod/p --now --grace-period 5', /--now and --grace-period contradict/],
    ['pod/p --ignore-not-found', /--ignore-not-found of kubectl delete has no meaning here/],
    ['cm --field-selector metadata.name=c', /"cm --field-selector" selects nothing/],
    [
      'pods --field-selector status.podIP=10.0.0.1',
      /of Pod takes [^"]+, not "status\.podIP"\n {2}kubectl get KIND --field-selector/,
    ],
    ['po,cm --field-selector status.phase=Failed', /--field-selector of ConfigMap takes metadata/],
    [
      'ns --field-selector metadata.namespace=x',
      /of Namespace takes metadata\.name, status\.phase,/,
    ],
    ['po --field-selector status.phase', /takes FIELD=VALUE and FIELD!=VALUE, not "status.phase"/],
    ['po --field-selector spec.serviceAccountName=x', /Pod\/p\.shop has no spec\.service/],
    ['cm --all --field-selector metadata.name=a', /--all and --field-selector contradict/],
    ['cm/a -o name', /"name" is a format of kubectl[\s\S]*-o \.\/name/],
    ['cm/a -o jsonpath={.metadata.name}', /is a format of kubectl/],
    ['pod/p --dry-run=client', /--dry-run of kubectl delete has no meaning here/],
    ['pod/p --as=jane', /--as of kubectl[^\n]+\n {2}authorization is not judged/],
    ['pod/p --propagation-policy=Orphan', /did you mean --cascade\?/],
    ['-f x.yaml', /-f of kubectl delete has no meaning here\n {2}name the objects/],
    ['', /delete needs a dump and an object/],
    ['cmm/s', /cmm\/s is not in[\s\S]*available: Service\/s\.prod$/m],
    ['pod/p --wait=no', /--wait takes no value but true or false/],
  ])('refuses %s', async (words, message) => {
    const { code, stderr } = await asked(...words.split(' ').filter((word) => word !== ''));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('says that --wait changes nothing', async () => {
    expect((await asked('cm/a', '--wait')).stderr).toMatch(/^--wait changes nothing here/);
    expect((await asked('cm/a', '--wait', '--quiet')).stderr).toBe('');
  });

  it('deletes a pod at once by force, and only then', async () => {
    const force = await runCli(['delete', DUMP(), 'pod', 'p', '--force', '--grace-period=0']);
    expect(force.code).toBe(0);
    expect(force.stdout.replaceAll(/\s+/g, ' ')).toMatch(/goes at once, and its containers run/);
    // As in kubectl, no grace without force is one second.
    for (const flag of ['--grace-period=0', '--now']) {
      expect((await asked('pod/p', flag)).code).toBe(1);
    }
  });

  it.each([
    ['--cascade cm/a', 'background'],
    ['cm/a --cascade', 'background'],
    ['cm/a --cascade=true', 'background'],
    ['cm/a --cascade=false', 'orphan'],
  ])('takes %s as older kubectl does', async (words, policy) => {
    const { stdout } = await asked(...words.split(' '));
    expect((JSON.parse(stdout) as ResultDocument).answer?.outcomes[0]?.name).toBe(policy);
  });

  it.each([
    ['90', 90],
    ['30s', 30],
    ['1m30.5s', 90.5],
    ['500ms', 0.5],
  ])('takes the time %s', (given, expected) => {
    expect(limitsOf({ timeout: given }).seconds).toBe(expected);
    expect(() => limitsOf({ timeout: '0s' })).toThrow(/--timeout does not take "0s"/);
  });

  it('makes tokens about the objects that were selected', async () => {
    const words = ['cm', '-l', 'app=db', '--force', '-n', 'shop'];
    const { stdout } = await asked(...words);
    const [token = ''] = /rt1:[^"]*/.exec(stdout) ?? [];
    expect(token).toMatch(/delete=ConfigMap\/b\.shop,grace=0,namespace=shop/);
    expect((await runCli(['replay', token])).code).toBe(0);
  });
});
