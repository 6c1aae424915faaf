import { mkdirSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dump,
  expectError,
  type Outcome,
  runCli,
  temporaryFile,
  temporaryFolder,
} from './run-cli.ts';

/** Everything that a person can get wrong: one clear error, exit code 2, nothing on stdout. */

function checkFile(content: string, name = 'input.yaml'): Promise<Outcome> {
  return runCli(['check', temporaryFile(name, content)]);
}

function deleteIn(content: string, target = 'cm/a', name = 'dump.yaml'): Promise<Outcome> {
  return runCli(['check', temporaryFile(name, content), '--delete', target]);
}

function configMap(metadata: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  ${metadata.split('\n').join('\n  ')}\n`;
}

describe('words on the command line', () => {
  it.each([
    [['chekc'], /no command "chekc"/, /did you mean check\?/],
    [[], /no command is given/, /--help/],
    [['check', '--delte', 'cm/a'], /no option --delte/, /did you mean --delete\?/],
    [['check', '--check', 'wrong-uid'], /no option --check/, /did you mean --checkpoint\?/],
    [['check', '--no-quiet'], /no option --no-quiet/, /quiet/],
    [['list', 'properteis'], /does not know "properteis"/, /did you mean properties\?/],
    [['list'], /a word is missing/, /scenarios/],
    [['list', 'rules', 'twice'], /"twice" is one word too many/, /--help/],
    [['check', '--max-states', 'many'], /--max-states does not take "many"/, /whole number from 1/],
    [['check', '--timeout', '0'], /--timeout does not take "0"/, /above 0/],
    [['check', '--memory', '79'], /--memory does not take "79"/, /at least 80 megabytes/],
    [['check', '--max-states', '1', '--max-states', '2'], /--max-states is given twice/, /--help/],
    [['check', '--workers', '1000000'], /--workers does not take "1000000"/, /at most 8/],
    [['check', 'wrong-uid', '--output', ''], /'' cannot be written/, /--output/],
    [['export', '-', '--to', 'kubectl', '-o', 'name'], /"name" is a format/, /-o \.\/name/],
    [['check', '--output'], /--output needs a value/, /--help/],
    [['check', '--quiet=no'], /--quiet takes no value/, /--help/],
    [['render', '-', '--traces=no'], /--traces takes no value/, /--help/],
    [['replay', '-', '--extend=no'], /--extend takes no value/, /--help/],
    [['conform', 'facts', '-', '--partial=no'], /--partial takes no value/, /--help/],
    [['check', '--format', 'jsn'], /--format does not take "jsn"/, /did you mean json\?/],
    [['check', '--cascade', 'orphan'], /--cascade has no effect without --delete/, /--help/],
    [['check', '--max-input', '5000'], /--max-input does not take "5000"/, /at most 500/],
    [['check', '--rule', 'cycleBreaking'], /--rule does not take/, /NAME=VALUE/],
    [
      ['check', '--rule', 'cycleBreaking=none', '--rule', 'cycleBreaking=searchCycle'],
      /--rule cycleBreaking is given twice/,
      /--help/,
    ],
  ])('%j', async (words, ...parts) => {
    expectError(await runCli(words), ...parts);
  });

  it.each([
    ['--protocol', 'v1.2', /no protocol "v1.2"/, /did you mean "v1.20"\?/],
    ['--rule', 'cycelBreaking=none', /no rule "cycelBreaking"/, /did you mean "cycleBreaking"\?/],
    [
      '--rule',
      'cycleBreaking=never',
      /has no value "never"/,
      /none or searchCycle or unblockOwners/,
    ],
    ['--rule', '__proto__=none', /no rule "__proto__"/, /list rules/],
    ['--reduction', 'maybe', /reduction/, /none, or one or more of symmetry/],
    ['--reduction', 'none,symmetry', /reduction/, /none, or/],
    ['--reduction', 'confluence,confluence-only', /reduction/, /none, or/],
    ['--protocol', 'constructor', /no protocol "constructor"/, /v1\.20/],
    [
      '--property',
      'evry deletion finishes',
      /no property/,
      /did you mean "every deletion finishes"\?/,
    ],
    ['--stuck-finalizer', 'a/b', /no object has the finalizer "a\/b"/, /no third-party finalizers/],
  ])('%s %s', async (option, value, ...parts) => {
    expectError(await runCli(['check', 'background-chain', option, value]), ...parts);
  });

  it('suggests a scenario for a wrong name', async () => {
    expectError(
      await runCli(['check', 'foregruond-chain']),
      /no built-in scenario "foregruond-chain"/,
      /did you mean "foreground-chain"\?/,
    );
  });
});

describe('files', () => {
  it('refuses what is not there, a folder, and what is not text', async () => {
    expectError(await runCli(['check', './nowhere.yaml']), /no file \.\/nowhere\.yaml/);
    expectError(await runCli(['check', `${temporaryFolder()}/`]), /is a folder/);
    const binary = temporaryFile('dump.yaml', new Uint8Array([0x80, 0x81]));
    expectError(await runCli(['check', binary]), /not UTF-8 text/);
  });

  it('refuses a 200 MB dump by its size, and names the limit', async () => {
    const file = join(temporaryFolder(), 'dump.json');
    openSync(file, 'w');
    truncateSync(file, 200_000_000);
    expectError(
      await runCli(['check', file, '--delete', 'cm/a']),
      /has 200 MB, the limit is 64 MB/,
      /--max-input/,
    );
  });

  it('stops reading stdin at the limit', async () => {
    const chunk = Buffer.alloc(1_000_000, ' ');
    let read = 0;
    const stdin = {
      *[Symbol.iterator]() {
        for (; read < 200; read++) yield chunk;
      },
    } as unknown as readonly Uint8Array[];
    const outcome = await runCli(['check', '-', '--delete', 'cm/a', '--max-input', '3'], { stdin });
    expectError(outcome, /<stdin> is larger than the limit of 3 MB/);
    expect(read).toBeLessThan(5);
  });

  it('says line and column of a syntax error, in YAML and JSON, behind other documents too', async () => {
    expectError(await checkFile('a: 1\n b: 2\n'), /not valid YAML/, /input\.yaml:1:4/);
    const cut = /the input ends there: collect it again if it was cut off/;
    expectError(await checkFile('a: 1\n---\nb: [1,\n'), /not valid YAML/, /input\.yaml:4:1/, cut);
    expectError(await checkFile('a: "x\n'), /not valid YAML/, cut);
    expectError(
      await checkFile('{"a": 1,\n "b": tru}', 'x.json'),
      /not valid JSON: this word is not a value/,
      /x\.json:2:7/,
    );
    expectError(await checkFile('{"a": 1', 'x.json'), /not valid JSON/, /x\.json:1:8/, cut);
  });

  it('says line and column within an item of a list', async () => {
    const list = `apiVersion: v1\nitems:\n- ${configMap('name: a\nuid: u').replaceAll('\n', '\n  ').trimEnd()}\n- a: "x\nkind: List\n`;
    expectError(await deleteIn(list), /not valid YAML/, /dump\.yaml:\d+:\d+/);
  });

  it('refuses an alias bomb and bottomless nesting', async () => {
    const levels = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi']) {
      levels.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(',')}]`);
    }
    expectError(await checkFile(levels.join('\n')), /more than 100 YAML aliases/);
    expectError(await checkFile('['.repeat(100_000)), /nested too deeply/);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expectError(await deleteIn(deep, 'cm/a', 'x.json'), /nested too deeply/);
  });

  it('refuses an output that cannot be written before it begins to work', async () => {
    const words = ['check', 'background-chain', '--output'];
    expectError(
      await runCli([...words, '/nowhere/x.json']),
      /\/nowhere\/x\.json cannot be written/,
    );
    const folder = join(temporaryFolder(), 'inner');
    mkdirSync(folder);
    expectError(await runCli([...words, folder]), /cannot be written \(EISDIR\)/);
  });
});

describe('dumps', () => {
  it('says what kubectl get all leaves out, and which namespaces there are', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: shop, uid: p1}\n';
    const file = temporaryFile('all.yaml', pod);
    const lacking = await runCli(['delete', file, 'ns/shop']);
    expectError(lacking, /kubectl get all", which leaves out Namespace: reapcheck dump-command/);
    const event = await runCli(['delete', file, 'event/p.17', '-n', 'shop']);
    expectError(
      event,
      /event\/p\.17 is not in .*all\.yaml/,
      /events are not read: nothing depends/,
    );
    for (const word of ['binding/b', 'evictions.policy/e', 'cs/etcd-0']) {
      const request = await runCli(['delete', file, word]);
      expectError(request, /Kubernetes stores no object of this kind/);
    }
    const wrong = await runCli(['delete', file, 'pod/p', '-n', 'prod']);
    expectError(wrong, /nothing in namespace prod; it has the namespaces shop$/m);
  });

  it('refuses an object that no API server can have stored', async () => {
    const both = 'metadata: {name: a, namespace: shop, finalizers: [orphan, foregroundDeletion]}';
    const file = temporaryFile('both.yaml', `apiVersion: v1\nkind: ConfigMap\n${both}\n`);
    const refused = await runCli(['delete', file, 'cm/a', '-n', 'shop']);
    expectError(refused, /both orphan and foregroundDeletion are set/);
  });

  it('says what there is when the named object is not', async () => {
    const file = dump('ledger.yaml');
    const outcome = await runCli(['check', file, '--delete', 'cm/lfet']);
    expectError(
      outcome,
      /cm\/lfet is not in .*ledger\.yaml/,
      /did you mean "ConfigMap\/left\.ledger"\?/,
    );
    expectError(await runCli(['check', file, '--delete', 'cm/zzz']), /available: ConfigMap\//);
    expectError(
      await runCli(['check', file, '--delete', 'cm/left', '-n', 'shop']),
      /in namespace shop/,
    );
    expectError(
      await runCli(['check', file, '--delete', 'left']),
      /"left" does not name an object/,
    );
  });

  it('asks for the namespace when a name is ambiguous', async () => {
    const both = `${configMap('name: a\nuid: u1\nnamespace: x')}---\n${configMap('name: a\nuid: u2\nnamespace: y')}`;
    expectError(await deleteIn(both), /ambiguous: ConfigMap\/a\.x, ConfigMap\/a\.y/, /--namespace/);
  });

  it('refuses duplicates and says where the first one is', async () => {
    const twoUids = `${configMap('name: a\nuid: u1')}---\n${configMap('name: b\nuid: u1')}`;
    expectError(
      await deleteIn(twoUids),
      /same uid u1/,
      /dump\.yaml:11:3, metadata\.uid/,
      /dump\.yaml:5:3/,
    );
    const twoNames = `${configMap('name: a\nuid: u1')}---\n${configMap('name: a\nuid: u2')}`;
    expectError(
      await deleteIn(twoNames),
      /the input has ConfigMap\/a twice, with different uids/,
      /dump\.yaml:11:3/,
      /dump\.yaml:5:3/,
    );
  });

  it.each([
    ['uid: u', /metadata\.name is missing/],
    ['name: 7\nuid: u', /metadata\.name is 7/],
    ['name: a\nuid: u\nnamespace: Shop', /"Shop" is not a valid namespace/],
    ['name: a_b\nuid: u', /"a_b" is not a valid name for a ConfigMap/],
    ['name: a\nuid: u\ndeletionTimestamp: yesterday', /deletionTimestamp is "yesterday"/],
    [
      'name: a\nuid: u\nownerReferences: [{kind: Pod, name: p, uid: x}]',
      /ownerReferences\[0\]\.apiVersion is missing/,
    ],
    [
      'name: a\nuid: u\nownerReferences: [{apiVersion: v1, kind: Pod, name: "", uid: x}]',
      /ownerReferences\[0\]\.name is ""/,
    ],
    [
      'name: a\nuid: u\nownerReferences: [{apiVersion: v1, kind: Event, name: e, uid: x}]',
      /an Event cannot be an owner/,
    ],
    ['name: a\nuid: __proto__', /"__proto__" is not a valid uid/],
  ])('%j', async (metadata, message) => {
    expectError(await deleteIn(configMap(metadata)), message, /dump\.yaml:\d+:\d+/);
  });

  it('refuses an empty dump, a scenario without --delete, and a dump without it', async () => {
    expectError(await deleteIn('apiVersion: v1\nitems: []\nkind: List\n'), /no objects in/);
    expectError(
      await checkFile(configMap('name: a\nuid: u')),
      /is not a scenario/,
      /--delete KIND\/NAME/,
    );
    expectError(await runCli(['check', '--delete', 'cm/a']), /--delete needs a dump/);
    expectError(
      await deleteIn('about: a test\nobjects: []\nrequests: []\n'),
      /apiVersion is missing/,
      /kubectl get \.\.\. -o yaml prints manifests/,
    );
    expectError(await deleteIn('NAME   READY\nweb    1/1\n'), /kubectl prints a table/);
    expectError(
      await deleteIn('Error from server (Forbidden): pods is forbidden: User "bob" cannot list\n'),
      /this line is what kubectl says on stderr/,
    );
  });

  it('shows control characters and terminal escapes of names in words', async () => {
    const name = 'name: "a\\e[31m\\u202eb\\nerror: forged"\nuid: u';
    const outcome = await deleteIn(configMap(name));
    expectError(outcome, /"a\\x1b\[31m\\u202eb\\x0aerror: forged" is not a valid name/);
    expect(outcome.stderr).not.toMatch(/[\u001b\u202e]/);
  });

  it('shows them in JSON as escapes that read back as the same text', async () => {
    const uid = 'u\u009b2J\u202e\u{e0041}';
    const file = temporaryFile(
      'dump.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', namespace: 'shop', uid },
      }),
    );
    const { code, stdout } = await runCli([
      'check',
      file,
      '--delete',
      'cm/a.shop',
      '--format',
      'json',
    ]);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\u0080-\u009f\u202e\u{e0041}]/u);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(uid);
  });
});
