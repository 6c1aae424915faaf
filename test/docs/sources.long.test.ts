import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { isAbout, ROW_LINES } from '../../tools/mutate/known/rows.ts';
import { allMutants, mutantWords } from '../../tools/mutate/mutants.ts';
import { answersOf, planOf } from '../../tools/mutate/rows/answers.ts';
import type { Closeness } from '../../tools/mutate/rows/candidates.ts';
import { proveRows, type RowsDocument, STATES } from '../../tools/mutate/rows/prove.ts';
import {
  cellsOf,
  quoted,
  sectionsOf,
  sourceRows,
  sourcesText,
} from '../../tools/mutate/rows/source-rows.ts';

/**
 * docs/sources.md says of every statement of four documents how the model comes out. Here each
 * scenario that it names is run with the options that it names, once.
 */

const docs = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs');
const text = sourcesText();
const modelTable = readFileSync(join(docs, 'model.md'), 'utf8');

const VERDICTS = [
  ...['holds', 'violated', 'abstracted'],
  ...['possible', 'impossible', 'unavoidable', 'avoidable'],
];

const sections = sectionsOf(text);
const rows = sourceRows(text);

const judged = rows.filter(({ verdict }) => verdict !== 'abstracted');

const V1_7: Readonly<Record<string, string>> = { ...PROTOCOLS['v1.7'] };

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
      expect([row.command !== '', row.question !== ''], row.statement).toEqual([run, run]);
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
        .map(({ command }) => command);
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

  it('has a proof of each row in docs/source-rows.json, and says how many have none', () => {
    const { rows: proofs } = JSON.parse(
      readFileSync(join(docs, 'source-rows.json'), 'utf8'),
    ) as RowsDocument;
    expect(
      proofs.map(({ document, where, statement, scenario, question, verdict }) => ({
        ...{ document, where, statement, scenario, question, verdict },
      })),
      'npm run --silent mutate -- --rows --format json > docs/source-rows.json',
    ).toEqual(
      judged.map(({ document, where, statement, command: scenario, question, verdict }) => ({
        ...{ document, where, statement, scenario, question, verdict },
      })),
    );
    const known = new Set(allMutants().map(mutantWords));
    const proved = proofs.flatMap(({ turnedBy }) => (turnedBy === null ? [] : [turnedBy.mutant]));
    expect(proved.filter((mutant) => !known.has(mutant))).toEqual([]);
    const closest = (wanted: Closeness) =>
      proofs.filter(({ turnedBy }) => turnedBy?.closeness === wanted).length;
    expect(text.replaceAll('\n', ' ')).toContain(
      `Of ${proofs.length} rows, ${closest('line')} are turned by their own line, ${closest('named')} by a function or rule that they name, ${closest('file')} only by another function of a file that they link, and ${proofs.length - proved.length} by none.`,
    );
    for (const one of ROW_LINES) {
      expect(
        judged.some((row) => isAbout(one, row)),
        one.statement,
      ).toBe(true);
    }
  });

  it('turns rows when what they are about is disabled', async () => {
    const some = judged.filter(({ where }) => where === '`processDeletingDependentsItem`');
    const proofs = await proveRows(some, { processes: 1 });
    expect(proofs).toHaveLength(2);
    expect(proofs.filter(({ turnedBy }) => turnedBy === null)).toEqual([]);
  });

  const commands = [...new Set(judged.map(({ command }) => command))];
  it.each(commands)('comes out as it says: %s', async (command) => {
    const own = judged.filter((row) => row.command === command);
    const plan = await planOf(command);
    const stated = Object.fromEntries(own.map(({ question, verdict }) => [question, verdict]));
    for (const { document, protocols, question, verdict } of own) {
      expect(protocols, `${document}: ${question}`).toContain(plan.protocol);
      expect(stated[question], question).toBe(verdict);
    }
    const { words, result } = await answersOf(plan, Object.keys(stated), { states: STATES });
    expect(result.outcome, plan.title).toBe('complete');
    expect(words).toEqual(stated);
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
