import { APPLIED_ANNOTATION, KEPT } from './kept.ts';
import { ANYWHERE, type Kept, type KeptFields, type KeptFlags } from './kept-part.ts';

/** Go code prints a value by its type: a template that asks a text for its fields fails. */
const TYPE = '(printf "%T" .)';
const MAPPING = '"map[string]interface {}"';
const LIST = '"[]interface {}"';
const NULL = '"<nil>"';

/**
 * Prints all of a value. Go's `%q` is a valid string in double quotes of YAML, though not of JSON.
 */
const WHOLE = [
  `{{define "whole"}}{{$t := ${TYPE}}}`,
  '{{if eq $t "string"}}{{printf "%q" .}}',
  `{{else if eq $t ${MAPPING}}}{ {{range $k, $e := .}}{{printf "%q" $k}}: {{template "whole" $e}}, {{end}}}`,
  `{{else if eq $t ${LIST}}}[{{range .}}{{template "whole" .}}, {{end}}]`,
  `{{else if eq $t ${NULL}}}null{{else}}{{.}}{{end}}{{end}}`,
].join('');

const SCALAR = `{{define "scalar"}}{{if eq ${TYPE} ${MAPPING} ${LIST}}}null{{else}}{{template "whole" .}}{{end}}{{end}}`;

const ANY_DEPTH = Object.entries(ANYWHERE).map(([kept, names]) =>
  [
    `{{define "${kept}"}}{{if eq ${TYPE} ${MAPPING}}}{ {{range $k, $e := .}}`,
    `{{if eq $k ${names.map((name) => `"${name}"`).join(' ')}}}{{printf "%q" $k}}: {{template "scalar" $e}}, `,
    `{{else if eq (printf "%T" $e) ${MAPPING} ${LIST}}}{{printf "%q" $k}}: {{template "${kept}" $e}}, {{end}}{{end}}}`,
    `{{else if eq ${TYPE} ${LIST}}}[{{range .}}{{template "${kept}" .}}, {{end}}]{{else}}null{{end}}{{end}}`,
  ].join(''),
);

/** Prints what is kept of the value that is the dot. */
function printed(kept: Kept): string {
  if (typeof kept === 'string') return `{{template "${kept}" .}}`;
  if ('flags' in kept) return printedFlags(kept);
  if ('endings' in kept) {
    const ends = kept.endings.map((ending) => {
      // All but as many characters as the ending has, cut off the front, leaves the ending.
      const end = `slice .name (len (slice .name ${ending.length}))`;
      return `{{if ge (len .name) ${ending.length}}}{{if eq (${end}) "${ending}"}}{{$ends = true}}{{end}}{{end}}`;
    });
    return [
      `{{if eq ${TYPE} ${MAPPING}}}{{$ends := false}}`,
      `{{if eq (printf "%T" .name) "string"}}${ends.join('')}{{end}}`,
      `{{if $ends}}${printed(kept.kept)}{{else}}${printed(kept.others)}{{end}}{{else}}null{{end}}`,
    ].join('');
  }
  if ('items' in kept) {
    return `{{if eq ${TYPE} ${LIST}}}[{{range .}}${printed(kept.items)}, {{end}}]{{else}}null{{end}}`;
  }
  return `{{if eq ${TYPE} ${MAPPING}}}{ ${printedFields(kept.fields)}}{{else}}null{{end}}`;
}

/** Go code compares texts, and has no expressions: `%.3s` prints the first three characters. */
function printedFlags({ flags, words }: KeptFlags): string {
  const [quoted, others] = [flags, words].map((list) => list.map((one) => `"${one}"`).join(' '));
  const begins = flags.map((flag) => `(eq (printf "%.${flag.length + 1}s" .) "${flag}=")`);
  return [
    `{{if eq ${TYPE} ${LIST}}}[{{$value := false}}{{range .}}{{if eq ${TYPE} "string"}}`,
    `{{$flag := eq . ${quoted}}}`,
    `{{$dash := eq (printf "%.1s" .) "-"}}`,
    `{{if or $flag (eq . ${others}) (and $value (not $dash)) ${begins.join(' ')}}}{{printf "%q" .}}, {{end}}`,
    `{{$value = $flag}}{{else}}{{$value = false}}{{end}}{{end}}]{{else}}null{{end}}`,
  ].join('');
}

/** Prints what is kept of the fields of the mapping that is the dot. */
function printedFields(fields: KeptFields): string {
  const scalars = Object.keys(fields).filter((name) => fields[name] === 'scalar');
  const branches = [
    ...(scalars.length === 0 ? [] : [branch(scalars, 'scalar')]),
    ...Object.entries(fields)
      .filter(([, kept]) => kept !== 'scalar')
      .map(([name, kept]) => branch([name], kept)),
  ];
  if (branches.length === 0) return '';
  return `{{range $k, $e := .}}{{${branches.join('{{else ')}{{end}}{{end}}`;
}

function branch(names: readonly string[], kept: Kept): string {
  const quoted = names.map((name) => `"${name}"`).join(' ');
  return `if eq $k ${quoted}}}{{$k}}: ${printed(kept)}, `;
}

/** A template of Go that prints a list as YAML, with what is kept of one object on each line. */
export const DUMP_TEMPLATE = [
  WHOLE,
  SCALAR,
  ...ANY_DEPTH,
  'apiVersion: v1\nitems:\n',
  '{{range .items}}- {apiVersion: {{printf "%q" .apiVersion}}, kind: {{printf "%q" .kind}}, metadata: { ',
  '{{range $k, $e := .metadata}}',
  '{{if eq $k "annotations"}}annotations: { {{range $a, $x := $e}}',
  `{{if ne $a "${APPLIED_ANNOTATION}"}}{{printf "%q" $a}}: {{printf "%q" $x}}, {{end}}{{end}}}, `,
  '{{else if ne $k "managedFields"}}{{$k}}: {{template "whole" $e}}, {{end}}{{end}}}, ',
  `${printedFields(KEPT)}}\n{{end}}kind: List\n`,
].join('');
