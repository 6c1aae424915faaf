import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { checkArguments } from '../../cli/check-arguments.ts';
import { parseCommandLine } from '../../cli/command-line.ts';
import { gatherPlans } from '../../input/gather.ts';
import type { Plan } from '../../input/plan.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { deletionModel } from '../../model/system.ts';
import { wordOn } from '../../report/document/verdict-word.ts';
import { modelOf, propertiesOf } from '../../run/assemble.ts';

/**
 * docs/sources.md says of every statement of four documents how the model comes out. Here each
 * scenario that it names is run with the options that it names, once.
 */

const docs = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs');
const text = readFileSync(join(docs, 'sources.md'), 'utf8');
const modelTable = readFileSync(join(docs, 'model.md'), 'utf8');

const STATES = 6_000;
const COLUMNS = [
  'where',
  'statement',
  'expressed by',
  'scenario',
  'property or outcome',
  'verdict',
];
const VERDICTS = [
  ...['holds', 'violated', 'abstracted'],
  ...['possible', 'impossible', 'unavoidable', 'avoidable'],
];

interface Row {
  readonly document: string;
  /** Protocols that the document speaks of. */
  readonly protocols: readonly string[];
  readonly where: string;
  readonly statement: string;
  readonly by: string;
  readonly scenario: string;
  readonly question: string;
  readonly verdict: string;
}

/** The cells of a line of a table; null: it is none. */
function cellsOf(line: string): readonly string[] | null {
  if (!line.startsWith('| ') || !line.endsWith(' |')) return null;
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

const sections = text.split(/^## /m).slice(1);

const rows: readonly Row[] = sections.flatMap((section) => {
  const [document = ''] = section.split('\n');
  const [, named = ''] = section.match(/^Protocols?: (.*)$/m) ?? [];
  const protocols = [...named.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const [, table = ''] = section.split(`| ${COLUMNS.join(' | ')} |\n`);
  const [, ...lines] = table.trimEnd().split('\n');
  return lines.map((line) => {
    const cells = cellsOf(line);
    if (cells?.length !== COLUMNS.length)
      throw new Error(`${document}: no row of six cells: ${line}`);
    const [where = '', statement = '', by = '', scenario = '', question = '', verdict = ''] = cells;
    return { document, protocols, where, statement, by, scenario, question, verdict };
  });
});

const judged = rows.filter(({ verdict }) => verdict !== 'abstracted');

/** What stands between backticks. */
const quoted = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const V1_7: Readonly<Record<string, string>> = { ...PROTOCOLS['v1.7'] };

/** `name --option value`, as on the command line. */
const commandOf = ({ scenario }: Row): string => scenario.replaceAll('`', '');

async function planOf(command: string): Promise<Plan> {
  const words = ['check', ...command.split(' ')];
  const line = await parseCommandLine(words, '0');
  if (line.kind === 'print') throw new Error(`${command} runs nothing`);
  const plans = await gatherPlans(checkArguments(line.values, words), (async function* () {})());
  // With a protocol and rules of its own the two sides of an entry of the museum are the same.
  const [plan] = plans;
  if (plan === undefined) throw new Error(`${command} names no scenario`);
  return plan;
}

const WARNING = /^warning: (\w+) about (\S+)$/;

async function warningsOf({ setup }: Plan): Promise<ReadonlySet<string>> {
  const warnings = new Set<string>();
  const model = deletionModel(setup, ({ reason, dependent }) => {
    warnings.add(`warning: ${reason} about ${dependent.kind}/${dependent.name}`);
  });
  const properties = propertiesOf(setup, ['nothing is stuck']);
  await check<Cluster>({ model, properties, limits: { states: STATES } });
  return warnings;
}

/** What comes out, by question. */
async function answers(plan: Plan, questions: readonly string[]): Promise<Record<string, string>> {
  const warnings = questions.some((question) => WARNING.test(question))
    ? await warningsOf(plan)
    : new Set<string>();
  const result = await check<Cluster>({
    model: modelOf(plan.setup),
    properties: propertiesOf(plan.setup, questions),
    limits: { states: STATES },
  });
  expect(result.outcome, plan.title).toBe('complete');
  const verdicts = new Map<string, string>(
    result.properties.map((property) => [property.name, wordOn(property, plan)]),
  );
  return Object.fromEntries(
    questions.map((question) => {
      const warned = warnings.has(question) ? 'holds' : 'violated';
      const verdict = WARNING.test(question) ? warned : verdicts.get(question);
      return [question, verdict ?? 'is neither a property nor an outcome'];
    }),
  );
}

describe('docs/sources.md', () => {
  it('has a section for each document, with its protocol and a table', () => {
    const names = sections.map((section) => section.split('\n')[0]);
    expect(names.map((name) => name?.slice(0, 3))).toEqual(['000', '001', '003', '004']);
    for (const name of names) {
      const own = rows.filter(({ document }) => document === name);
      expect(own.length, name).toBeGreaterThan(30);
      expect(own[0]?.protocols.length, name).toBeGreaterThan(0);
    }
  });

  it('has only complete rows, each of them once', () => {
    for (const row of rows) {
      expect(VERDICTS, row.statement).toContain(row.verdict);
      expect(row.where && row.statement && row.by, row.statement).not.toBe('');
      const run = row.verdict !== 'abstracted';
      expect([row.scenario !== '', row.question !== ''], row.statement).toEqual([run, run]);
    }
    const statements = rows.map(({ document, where, statement }) => document + where + statement);
    expect(new Set(statements).size).toBe(statements.length);
  });

  it('says of what is abstracted under which words docs/model.md has it', () => {
    for (const { by, verdict, statement } of rows) {
      if (verdict !== 'abstracted') continue;
      const [, words = ''] = by.match(/"([^"]+)"/) ?? [];
      expect(words, statement).not.toBe('');
      expect(modelTable, statement).toContain(`| ${words} |`);
    }
  });

  it('links what exists, and names actions and functions that are in the linked file', () => {
    for (const { by, statement } of rows) {
      const links = [...by.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)];
      expect(links.length, statement).toBeGreaterThan(0);
      const sources = links.map(([, , path = '']) => {
        expect(existsSync(join(docs, path)), path).toBe(true);
        return readFileSync(join(docs, path), 'utf8');
      });
      for (const [, name = ''] of by.replace(/"[^"]+"/, '').matchAll(/`(\w+)`/g)) {
        expect(
          sources.some((source) => new RegExp(`\\b${name}\\b`).test(source)),
          `${name} in: ${by}`,
        ).toBe(true);
      }
    }
  });

  it.each(['cascading', 'orphaning'])('tells the story %s step by step', (end) => {
    const transcript = `../test/golden/life-of-a-deployment-${end}.txt`;
    const told = readFileSync(join(docs, transcript), 'utf8').match(/^\d+(?=\. )/gm);
    const linked = rows.flatMap(({ by }) =>
      [...by.matchAll(/\[step (\d+)\]\(([^)]+)\)/g)].flatMap(([, step, path]) =>
        path === transcript ? [step] : [],
      ),
    );
    expect([...new Set(linked)]).toEqual(told);
  });

  it('has each function and each branch of the code in 004', () => {
    const own = rows.filter(({ document }) => document.startsWith('004'));
    const all = own.map(({ where, statement }) => `${where} ${statement}`).join('\n');
    expect(FUNCTIONS.filter((name) => !all.includes(`\`${name}\``))).toEqual([]);
  });

  it('runs what 004 shows of later releases with the rules of these', () => {
    const own = judged.filter(({ document }) => document.startsWith('004'));
    const section = sections.find((one) => one.startsWith('004')) ?? '';
    const [, table = ''] = section.split('| --- | --- | --- |\n');
    const changes = (table.split('\n\n')[0] ?? '').split('\n').map((line) => cellsOf(line) ?? []);
    expect(changes.length).toBeGreaterThan(3);
    for (const [shown = '', , rules = ''] of changes) {
      const commands = own
        .filter(({ where, statement }) =>
          quoted(shown).some((name) => `${where} ${statement}`.includes(`\`${name}\``)),
        )
        .map(commandOf);
      const isOverriding = (command: string) =>
        quoted(rules).some((override) => command.includes(` --rule ${override}`));
      for (const override of quoted(rules)) {
        const [rule = '', value] = override.split('=');
        expect(Object.keys(V1_7)).toContain(rule);
        expect(V1_7[rule], rule).not.toBe(value);
        expect(commands, shown).toContainEqual(expect.stringContaining(` --rule ${override}`));
      }
      for (const command of commands.filter((one) => !isOverriding(one))) {
        const contrast = commands.filter(
          (one) => isOverriding(one) && one.startsWith(`${command} `),
        );
        expect(contrast.length, `${shown}: ${command}`).toBeGreaterThan(0);
      }
    }
  });

  const commands = [...new Set(judged.map(commandOf))];
  it.each(commands)('comes out as it says: %s', async (command) => {
    const own = judged.filter((row) => commandOf(row) === command);
    const plan = await planOf(command);
    const stated = Object.fromEntries(own.map(({ question, verdict }) => [question, verdict]));
    for (const { document, protocols, question, verdict } of own) {
      expect(protocols, `${document}: ${question}`).toContain(plan.protocol);
      expect(stated[question], question).toBe(verdict);
    }
    expect(await answers(plan, Object.keys(stated))).toEqual(stated);
  });
});

/** The functions that document 004 lists or shows. */
const FUNCTIONS: readonly string[] = [
  ...['processGraphChanges', 'insertNode', 'addDependentToOwners', 'processTransitions'],
  ...['startsWaitingForDependentsOrphaned', 'startsWaitingForDependentsDeleted'],
  ...['deletionStartsWithFinalizer', 'markDeletingDependents', 'referencesDiffs'],
  ...['addUnblockedOwnersToDeleteQueue', 'removeDependentFromOwners', 'removeNode'],
  ...['markObserved', 'markBeingDeleted', 'absentOwnerCache', 'uidToNode'],
  ...['attemptToOrphanWorker', 'orphanDependents', 'deleteOwnerRef', 'removeFinalizer'],
  ...['attemptToDeleteWorker', 'attemptToDeleteItem', 'processDeletingDependentsItem'],
  ...['blockingDependents', 'isDeletingDependents', 'classifyReferences', 'isObserved'],
  ...['restMappingError', 'getObject', 'enqueueVirtualDeleteEvent', 'isBeingDeleted'],
  ...['patch', 'deleteOwnerRefStrategicMergePatch', 'deleteOwnerRefJSONMergePatch'],
  ...['unblockOwnerReferencesStrategicMergePatch', 'unblockOwnerReferencesJSONMergePatch'],
  ...['deleteObject', 'hasOrphanFinalizer', 'hasDeleteDependentsFinalizer'],
  ...['CheckGracefulDelete', 'DefaultGarbageCollectionPolicy', 'AddRateLimited'],
];
