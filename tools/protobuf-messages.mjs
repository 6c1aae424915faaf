// Writes serve/protobuf/messages.json: the field numbers of the messages of the Kubernetes API,
// from the struct tags of its types; and serve/schemas/merging.json: how their fields merge, from
// the markers in the comments. Run it with checkouts of the two repositories that have them:
//
//   node tools/protobuf-messages.mjs ../api ../apimachinery
//
// Each message is one line: `NUMBER NAME TYPE` for each field, separated by commas. An empty name
// is a field whose own fields are written in its place. `[]T` is a list, `{}T` a mapping from
// texts. Go leaves out a field of the type `T?` that is 0 or false; it writes the 0 of any other
// field.
//
// A field merges as `map KEY KEY` (a list of mappings, told apart by these keys), as `set`, or is
// `atomic`. Lists that are not named are atomic, everything else merges.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [api, machinery] = process.argv.slice(2);
const GROUPS = [
  'admissionregistration/v1',
  'apps/v1',
  'authentication/v1',
  'authorization/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'batch/v1',
  'coordination/v1',
  'core/v1',
  'discovery/v1',
  'events/v1',
  'networking/v1',
  'node/v1',
  'policy/v1',
  'rbac/v1',
  'scheduling/v1',
  'storage/v1',
];

/** Types with a form of their own in JSON. */
const SPECIAL = {
  'meta/v1.Time': 'time',
  'meta/v1.MicroTime': 'microTime',
  'meta/v1.Duration': 'duration',
  'meta/v1.FieldsV1': 'raw',
  'runtime.RawExtension': 'raw',
  'intstr.IntOrString': 'intOrString',
  'resource.Quantity': 'quantity',
};
const PLAIN = {
  string: 'text',
  bool: 'flag',
  int: 'whole',
  int32: 'whole',
  int64: 'whole',
  uint32: 'whole',
  uint64: 'whole',
  float64: 'double',
  'types.UID': 'text',
  'types.NodeName': 'text',
  '[]byte': 'bytes',
};

const aliases = new Map();
const structs = new Map();
const merging = new Map();
const atomic = new Set();

function mergingOf(markers) {
  const named = (marker) =>
    markers.flatMap((line) => line.match(new RegExp(`\\+${marker}=(\\w+)`))?.[1] ?? []);
  const [list] = named('listType');
  if (list === 'map') return ['map', ...named('listMapKey')].join(' ');
  if (list === 'set') return 'set';
  const isAtomic = [...named('structType'), ...named('mapType')].includes('atomic');
  return isAtomic ? 'atomic' : '';
}

function read(file, place) {
  if (!existsSync(file)) return;
  const text = readFileSync(file, 'utf8');
  for (const [, name, target] of text.matchAll(/^type (\w+) ([\w.[\]*]+)$/gm)) {
    if (target !== 'struct') aliases.set(`${place}.${name}`, [target, place]);
  }
  const types = /((?:^\/\/.*\n)*)^type (\w+) struct \{\n([\s\S]*?)\n\}/gm;
  for (const [, above, name, body] of text.matchAll(types)) {
    const fields = [];
    if (above.includes('+structType=atomic')) atomic.add(`${place}.${name}`);
    let markers = [];
    for (const line of body.split('\n')) {
      const match = line.match(/^\s+(?:(\w+)\s+)?(\*?[\w.[\]*]+)\s+`(.*)`/);
      if (match === null) markers = /^\s*\/\//.test(line) ? [...markers, line] : [];
      const merges = match === null ? '' : mergingOf(markers);
      if (match !== null) markers = [];
      const number = match?.[3].match(/protobuf:"[a-z0-9]+,(\d+),/)?.[1];
      if (number === undefined) continue;
      const json = match[3].match(/json:"([^",]*)(,inline)?/);
      const isInline = match[1] === undefined && json?.[1] === '';
      const leavesZeroOut = !match[2].startsWith('*') && /json:"[^"]*,omitempty/.test(match[3]);
      fields.push([Number(number), isInline ? '' : (json?.[1] ?? ''), match[2], leavesZeroOut]);
      if (merges !== '') merging.set(`${place}.${name}.${json?.[1] ?? ''}`, merges);
    }
    structs.set(`${place}.${name}`, fields);
  }
}

for (const group of GROUPS) read(join(api, group, 'types.go'), group);
read(join(machinery, 'pkg/apis/meta/v1/types.go'), 'meta/v1');

function resolved(type, place) {
  const bare = type.replace(/^\*/, '');
  if (PLAIN[bare] !== undefined) return PLAIN[bare];
  const map = bare.match(/^map\[[\w.]+\](.*)$/);
  if (map !== null) return `{}${resolved(map[1], place)}`;
  if (bare.startsWith('[]')) return `[]${resolved(bare.slice(2), place)}`;
  const [prefix, name] = bare.includes('.') ? bare.split('.') : ['', bare];
  const at =
    prefix === ''
      ? place
      : prefix === 'metav1'
        ? 'meta/v1'
        : ['v1', 'corev1', 'apiv1'].includes(prefix)
          ? 'core/v1'
          : prefix;
  const full = `${at}.${name}`;
  if (SPECIAL[full] !== undefined) return SPECIAL[full];
  const alias = aliases.get(full);
  if (alias !== undefined) return resolved(alias[0], alias[1]);
  if (structs.has(full)) {
    reached.add(full);
    return full;
  }
  throw new Error(`${type} in ${place} is not known`);
}

const reached = new Set();
for (const [name, fields] of structs) {
  const isKind = fields.some(([, json, type]) => json === 'metadata' && /ObjectMeta$/.test(type));
  if (isKind) reached.add(name);
}
reached.add('meta/v1.DeleteOptions');
const messages = {};
for (const name of reached) {
  const place = name.slice(0, name.lastIndexOf('.'));
  messages[name] = structs
    .get(name)
    // Types of groups that are not served, such as those in alpha.
    .filter(([, , type]) => !/v\d+(alpha|beta)\d+\./.test(type))
    .map(([number, json, type, leavesZeroOut]) => {
      const name = resolved(type, place);
      const mark = leavesZeroOut && ['flag', 'whole', 'double'].includes(name) ? '?' : '';
      return `${number} ${json} ${name}${mark}`;
    })
    .join(',');
}
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'serve', 'protobuf', 'messages.json');
const sorted = Object.fromEntries(Object.entries(messages).sort());
writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
const kept = [...merging].filter(([field]) => messages[field.replace(/\.\w+$/, '')] !== undefined);
const whole = [...atomic].filter((name) => messages[name] !== undefined);
const rows = [...kept, ...whole.map((name) => [name, 'atomic'])].sort();
writeFileSync(
  join(root, 'serve', 'schemas', 'merging.json'),
  `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`,
);
console.log(`${basename(file)}: ${Object.keys(sorted).length} messages`);
