import type { Answer, Basis, ObjectFate } from '../../report/document/answer.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import type { SurveyRow } from '../../report/document/survey.ts';
import { EXIT } from '../../text/exit-codes.ts';
import { someNames } from '../../text/layout.ts';
import { type Answered, answered, type Column } from './answer.ts';
import type { SurveyAnswer, SurveyQuestion } from './survey.ts';

/** What a worker process answers. */
export async function surveyAnswer(question: SurveyQuestion): Promise<SurveyAnswer> {
  const { columns, seconds, search, acceptBounded, limits, commands } = question;
  const found = await answered('survey', columns, seconds, {
    search,
    acceptBounded,
    limits,
    onProgress: () => undefined,
    interrupted: () => false,
  });
  return surveyRows(found, columns, (cascade) => commands[cascade] ?? '');
}

/** One row for each outcome of an answer about the deletion of one object. */
export function surveyRows(
  { answer, checks }: Answered,
  columns: readonly Column[],
  commandFor: (cascade: string) => string,
): readonly SurveyRow[] {
  return answer.outcomes.map((outcome, index): SurveyRow => {
    const target = answer.objects.find(({ asked }) => asked);
    const { name, fates, risks, basis, exitCode } = outcome;
    const named = (wanted: (fate: ObjectFate) => boolean): readonly string[] =>
      answer.objects.flatMap((object, at) => {
        const fate = fates[at];
        return fate !== undefined && wanted(fate) ? [object.name] : [];
      });
    const goes = named(({ fate }) => fate === 'goes');
    const stays = named(({ fate }) => fate === 'stays');
    const hangs = named(({ fate }) => fate === 'hangs');
    const open = named(({ fate }) => fate === 'depends' || fate === 'unknown');
    const isStaying = target !== undefined && stays.includes(target.name);
    const unexpected = unexpectedIn(answer, index);
    const admitted = columns[index]?.plan.cluster?.admitted ?? [];
    const undocumented = risks.filter(({ documented }) => documented === null);
    const why = reasons(answer, fates);
    const row = {
      object: target?.name ?? '',
      uid: target?.uid ?? '',
      place: placeOf(checks),
      cascade: name,
      goes: byKind(goes),
      stays: byKind(stays),
      hangs,
      open,
      ...(isAdmissionOnly(fates, basis) ? { admission: true as const } : {}),
      ...(admitted.length > 0 ? { admitted } : {}),
      unexpected,
      why: why.length > 0 || exitCode !== EXIT.inconclusive ? why : lacks(answer),
      risks: undocumented.map(({ text, check, property }) => ({
        text,
        token: tokenOf(checks[check], property),
      })),
      basis: basis.text,
      exitCode,
      command: commandFor(name),
    };
    return { ...row, verdict: verdictOf(row, isStaying) };
  });
}

/** Whether all would go if admission let everything through. */
function isAdmissionOnly(fates: readonly ObjectFate[], basis: Basis): boolean {
  const open = fates.filter(({ fate }) => fate === 'depends' || fate === 'unknown');
  const isAlone = ({ on }: ObjectFate): boolean => on.every(({ kind }) => kind === 'admission');
  return basis.kind === 'search' && open.length > 0 && open.every(isAlone);
}

function placeOf([first]: readonly CheckReport[]): SurveyRow['place'] {
  const place = first?.place ?? null;
  return place === null ? null : { file: place.file, line: place.line };
}

function verdictOf(
  { hangs, open, unexpected, risks, exitCode }: Omit<SurveyRow, 'verdict'>,
  isStaying: boolean,
): SurveyRow['verdict'] {
  if (hangs.length > 0 || isStaying) return 'hangs';
  if (risks.length > 0 || exitCode === EXIT.violated) return 'risky';
  if (unexpected.length > 0) return 'unexpected';
  return open.length > 0 || exitCode !== EXIT.asExpected ? 'open' : 'plain';
}

function kindOf(name: string): string {
  return name.slice(0, name.indexOf('/')).split('.')[0] ?? '';
}

function byKind(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[kindOf(name)] = (counts[kindOf(name)] ?? 0) + 1;
  return counts;
}

const STORED: readonly string[] = ['PersistentVolumeClaim', 'PersistentVolume'];

/** What people do not expect to go along: data, instances, objects of other namespaces. */
function unexpectedIn({ objects, outcomes }: Answer, index: number): readonly string[] {
  const target = objects.find(({ asked }) => asked);
  if (target === undefined) return [];
  const kind = kindOf(target.name);
  const along = objects.filter(({ asked, deleting }, at) => {
    const fate = outcomes[index]?.fates[at]?.fate;
    return !asked && !deleting && (fate === 'goes' || fate === 'hangs' || fate === 'depends');
  });
  const stored = along.filter(({ name }) => STORED.includes(kindOf(name)));
  const elsewhere = along.filter(({ namespace }) => namespace !== target.namespace);
  return [
    ...(kind === 'CustomResourceDefinition' && along.length > 0
      ? [`its instances go along: ${someNames(along.map(({ name }) => name))}`]
      : []),
    ...(stored.length > 0 ? [`data goes along: ${someNames(stored.map(({ name }) => name))}`] : []),
    // Of a cluster-scoped object it is no surprise.
    ...(target.namespace !== '' && elsewhere.length > 0
      ? [`outside of its namespace: ${someNames(elsewhere.map(({ name }) => name))}`]
      : []),
  ];
}

function reasons({ objects }: Answer, fates: readonly ObjectFate[]): readonly string[] {
  const texts = fates.flatMap(({ fate, on, waits }, index) => {
    const isAsked = objects[index]?.asked === true;
    if (fate === 'depends' || fate === 'unknown') return on.map(({ text }) => text);
    if (fate === 'hangs' || (fate === 'stays' && isAsked)) return waits.map(({ text }) => text);
    return [];
  });
  return [...new Set(texts)];
}

/** Why an outcome is not certain although each fate is known. */
function lacks({ missing }: Answer): readonly string[] {
  return missing.slice(0, 1).map(({ text }) => text);
}

function tokenOf(report: CheckReport | undefined, property: string): string | null {
  const found = report?.tokens.find(
    (known) => known.property === property && known.alternative === undefined,
  );
  return found?.token ?? null;
}
