import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Judged } from '../../../conformance/recordings/judge.ts';
import { RULES, type RuleName } from '../../../model/rules/rules.ts';
import { PROPERTIES } from '../../../properties/index.ts';
import { type Case, casesOf } from '../../conformance/fact-files.ts';
import { type NamedScenario, scenarios } from '../../scenarios/read.ts';
import { DISAGREEMENTS } from './disagreements.ts';
import { casesByFunction, recordingsByActions, recordingsBySteps } from './judged.ts';
import type { Transition } from './transition.ts';
import { TRANSITIONS } from './transitions.ts';

/** Generates `docs/fidelity.md`. */

/** How many names are shown. */
const SHOWN = 3;

export const AREAS = [
  'alternate-owner',
  'default-policy',
  'delete-attempt',
  'discovery',
  'finalizers-namespace',
  'finalizers-orphan-option',
  'finalizers-propagation',
  'gc-recorded',
  'gc-trace',
  'grace-period',
  'graph-events',
  'metadata-rules',
  'namespace',
  'owner-admission',
  'scenarios',
  'store-delete',
] as const;

export interface Judges {
  /** Null: the cases cannot be told apart. */
  readonly cases: readonly string[] | null;
  readonly recordings: readonly string[];
}

/** The evidence for each transition, in the order of the table. */
async function judges(
  cases: readonly Case[],
  judged: readonly Judged[],
): Promise<readonly Judges[]> {
  const byFunction = await casesByFunction(cases);
  const bySteps = recordingsBySteps(judged);
  const byActions = await recordingsByActions();
  const ids = cases.map(({ id }) => id);
  return TRANSITIONS.map(({ action, step, functions }) => ({
    cases:
      functions.length === 0
        ? null
        : ids.filter((id) =>
            functions.every((name) => byFunction.get(name)?.includes(id) === true),
          ),
    recordings: bySteps.get(`${action}/${step}`) ?? byActions.get(action) ?? [],
  }));
}

function named(names: readonly string[] | null): string {
  if (names === null) return 'not told apart';
  if (names.length === 0) return 'none';
  const shown = [...names].sort().slice(0, SHOWN).join(', ');
  return names.length <= SHOWN ? shown : `${names.length}: ${shown}, ...`;
}

/** The rules that the file of a transition reads: there the versions differ. */
function rulesIn(file: string): readonly RuleName[] {
  const path = fileURLToPath(new URL(`../../../model/${file}`, import.meta.url));
  const source = readFileSync(path, 'utf8');
  return (Object.keys(RULES) as RuleName[]).filter((rule) =>
    new RegExp(`\\b${rule}\\b`).test(source),
  );
}

function row(transition: Transition, { cases, recordings }: Judges): string {
  const { action, step, kubernetes, file, abstracted } = transition;
  const rules = rulesIn(file).map((rule) => `\`${rule}\``);
  return [
    '',
    step === '' ? `\`${action}\`` : `\`${action}\`: ${step}`,
    `\`${kubernetes}\``,
    `1.20${rules.length === 0 ? '' : `; others by ${rules.join(', ')}`}`,
    `[${file}](../model/${file})`,
    named(cases),
    named(recordings),
    abstracted,
    '',
  ]
    .join(' | ')
    .trim();
}

/** @param judged all runs of all recordings. */
export async function fidelityPage(judged: readonly Judged[]): Promise<string> {
  const cases = AREAS.flatMap((area) => casesOf(area));
  const found = await judges(cases, judged);
  const unjudged = TRANSITIONS.filter(
    (_, index) => (found[index]?.cases ?? []).length === 0 && found[index]?.recordings.length === 0,
  );
  return `${[
    '# How faithful the model is',
    '',
    '<!-- test/conformance/traces.long.test.ts writes this page: UPDATE_GOLDEN=1 npx vitest run test/conformance/traces -->',
    '',
    'This page lists every transition of the model, the function of Kubernetes that it mirrors, and its evidence:',
    "cases from Kubernetes' own tests (`reapcheck conform facts`), and recordings of a real control plane of",
    'version 1.20.2 (`reapcheck conform trace`). A test generates all of it. A case judges a transition if it',
    'passes and runs the functions of the model that make up the transition. A recording judges a transition if',
    'the run of the model that explains the recording takes that step. Some actors are given by the trace. For',
    'these, the final state of the recording must be among those that the explorer finds with the actor. Other',
    'versions differ by named rules; [model.md](model.md) says what is merged and left out around the transitions.',
    '',
    '## Transitions',
    '',
    '| transition | Kubernetes | version | where | cases | recordings | abstracted, and why that is safe |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...TRANSITIONS.map((transition, index) =>
      row(transition, found[index] ?? { cases: null, recordings: [] }),
    ),
    '',
    '### Judged by neither case nor recording',
    '',
    ...(unjudged.length === 0 ? ['None.'] : []),
    ...unjudged.map(({ action, step }) => `- \`${action}\`${step === '' ? '' : `: ${step}`}`),
    '',
    '## Disagreements between sources',
    '',
    '| about | one says | the other says | the model follows | recordings |',
    '| --- | --- | --- | --- | --- |',
    ...DISAGREEMENTS.map(
      ({ about, one, other, won, recordings }) =>
        `| ${about} | ${one} | ${other} | ${won} | ${recordings.join(', ') || 'none'} |`,
    ),
    '',
    "### Kubernetes' tests of later releases",
    '',
    'These cases state what a later release does. Release 1.20.2 deviates, and the model of `v1.20` follows',
    'the release; the later behaviour is the other value of a rule.',
    '',
    ...cases.filter(deviates).map(({ id, title }) => `- ${id}: ${String(title)}`),
    '',
    '### What Kubernetes promises and does not keep',
    '',
    'Documents and proposals promise more than the control plane does. The model follows the control plane:',
    'in these scenarios a property is expected to be violated.',
    '',
    '| property | scenario | who says that it is so |',
    '| --- | --- | --- |',
    ...scenarios().flatMap(brokenPromises),
  ].join('\n')}\n`;
}

function deviates({ differsIn }: Case): boolean {
  return typeof differsIn === 'object' && differsIn !== null && '1.20.2' in differsIn;
}

function brokenPromises({ name, expectation }: NamedScenario): readonly string[] {
  return PROPERTIES.flatMap((property) => {
    const because = expectation.because[property.name];
    if (because === undefined) return [];
    return [
      `| ${property.name} | [${name}](../scenarios/${name}.yaml) | ${because.replaceAll('|', '\\|')} |`,
    ];
  });
}
