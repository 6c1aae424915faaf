import { createHash } from 'node:crypto';
import type * as Sarif from 'sarif';
import { propertyMeant } from '../../properties/index.ts';
import { EXIT } from '../../text/exit-codes.ts';
import {
  ALARMS,
  type CasePlace,
  type CaseRule,
  type ReportCase,
  sentenceOf,
} from '../cases/cases.ts';
import { suitesOf } from '../cases/suites.ts';
import type { ReportDocument } from '../document/documents.ts';
import { renderJson } from './json.ts';
import { codeFlow, plain } from './sarif-flow.ts';

/**
 * SARIF 2.1.0 for code scanning: a result for each case that is not green, at its line of the
 * scenario. A known case is a note that is suppressed with its reason. The rules are the
 * properties.
 */
export function renderSarif(document: ReportDocument): string {
  const shown = suitesOf(document).flatMap(({ name, cases }) =>
    cases.filter(isShown).map((one) => ({ suite: name, one })),
  );
  const found = shown.filter(({ one }) => !isNotification(one));
  const rules = ruleTable(found.map(({ one }) => one.rule));
  const prints = fingerprints(found.map(({ suite, one }) => [suite, one.name]));
  const log: Sarif.Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'reapcheck',
            version: plain(document.version),
            rules: [...rules.values()].map(({ descriptor }) => descriptor),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: wasFinished(document),
            exitCode: document.exitCode,
            toolExecutionNotifications: shown
              .filter(({ one }) => isNotification(one))
              .map(({ suite, one: { message } }) => ({
                level: 'warning',
                message: { text: plain(`${suite}: ${message}`) },
              })),
          },
        ],
        results: found.map(({ suite, one }, index) => ({
          ...resultOf(suite, one, rules),
          partialFingerprints: { 'reapcheckCase/v1': prints[index]! },
        })),
      },
    ],
  };
  return renderJson(log);
}

function isShown({ status, known }: ReportCase): boolean {
  return ALARMS[status] !== null || known !== null;
}

/**
 * Checks that an interruption left out have no place in a file. GitHub rejects the whole log if a
 * result has no file: https://github.com/github/codeql-action/issues/1738
 */
function isNotification({ verdict, place }: ReportCase): boolean {
  return verdict === 'not run' && place === null;
}

function wasFinished({ exitCode }: ReportDocument): boolean {
  return exitCode !== EXIT.defect && exitCode !== EXIT.interrupted;
}

interface Rule {
  readonly index: number;
  readonly descriptor: Sarif.ReportingDescriptor;
}

type RuleTable = ReadonlyMap<string, Rule>;

function ruleTable(rules: readonly CaseRule[]): RuleTable {
  const table = new Map<string, Rule>();
  const ids = new Set<string>();
  for (const rule of rules) {
    if (table.has(rule.name)) continue;
    const wanted = slug(rule.id ?? rule.name);
    let id = wanted;
    // Names that differ in their punctuation only.
    for (let number = 2; ids.has(id); number++) id = `${wanted}-${number}`;
    ids.add(id);
    table.set(rule.name, { index: table.size, descriptor: descriptorOf(id, rule) });
  }
  return table;
}

function slug(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['unnamed'];
  return words.join('-');
}

function descriptorOf(id: string, rule: CaseRule): Sarif.ReportingDescriptor {
  const { name, about, source } = rule;
  const link = source?.match(/https:\/\/[^\s,;)"'<>]+/)?.[0];
  const isOwn = rule.isAuthored === true;
  const isListed = !isOwn && rule.id !== undefined && propertyMeant(rule.id) !== undefined;
  const help = [
    about,
    ...(source === null ? [] : [`Source: ${source}`]),
    ...(isListed ? [`See docs/properties.md#${rule.id}`] : []),
  ].join('\n\n');
  return {
    id,
    shortDescription: { text: plain(name) },
    fullDescription: { text: plain(about) },
    help: { text: plain(help) },
    ...(link === undefined ? {} : { helpUri: link }),
    defaultConfiguration: { level: 'error' },
    properties: { tags: isOwn ? ['model-checking'] : ['kubernetes', 'deletion'] },
  };
}

function resultOf(suite: string, one: ReportCase, rules: RuleTable): Sarif.Result {
  const { name, rule, status, place, known, trace } = one;
  const { index, descriptor } = rules.get(rule.name)!;
  const location = locationOf(suite, name, place);
  return {
    ruleId: descriptor.id,
    ruleIndex: index,
    // Never `none`, which viewers show as success.
    level: ALARMS[status] ?? 'note',
    message: { text: plain(`${suite}: ${name}: ${sentenceOf(one)}`) },
    locations: [location],
    ...(trace === null ? {} : { codeFlows: [codeFlow(trace, location)] }),
    // Either all results of a run have this list or none (SARIF 2.1.0, 3.27.23).
    suppressions:
      known === null ? [] : [{ kind: 'external', status: 'accepted', justification: plain(known) }],
  };
}

/**
 * For each result, a digest of the names of check and property, which does not depend on their
 * place
 * in a file. A number distinguishes several results with the same names.
 */
function fingerprints(names: readonly (readonly string[])[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((parts) => {
    const text = JSON.stringify(parts);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    const counted = times === 0 ? text : `${text} ${times}`;
    return createHash('sha256').update(counted).digest('hex').slice(0, 32);
  });
}

function locationOf(suite: string, name: string, place: CasePlace | null): Sarif.Location {
  const named = { logicalLocations: [{ fullyQualifiedName: plain(`${suite}: ${name}`) }] };
  if (place === null) return named;
  const region = place.line === null ? {} : { region: { startLine: place.line } };
  return {
    ...named,
    physicalLocation: { artifactLocation: artifactOf(place.file), ...region },
  };
}

/** The address of a file; below the working directory it is relative to the root of the sources. */
function artifactOf(file: string): Sarif.ArtifactLocation {
  // Replaces lone surrogates, which cannot be encoded in an address.
  const parts = Buffer.from(file).toString().split('/').map(encodeURIComponent);
  const [first = '', ...rest] = parts;
  if (first === '') return { uri: `file://${parts.join('/')}` };
  if (/^[A-Za-z]%3A$/.test(first)) return { uri: `file:///${first[0]}:/${rest.join('/')}` };
  return { uri: parts.join('/'), uriBaseId: '%SRCROOT%' };
}
