import { signatureOf } from '../../input/cluster/components.ts';
import type { SurveyedRoot } from '../../input/gather-questions.ts';
import type { SurveyRow } from '../../report/document/survey.ts';
import { EXIT } from '../../text/exit-codes.ts';
import { groupedBy } from '../../text/layout.ts';
import { shareOut } from '../worker-process.ts';
import type { Answerer, Workplace } from '../workplace.ts';
import type { Column } from './answer.ts';
import type { Budget } from './deciding/decision.ts';

/** What a worker process is asked: the rows of one object. */
export interface SurveyQuestion {
  readonly columns: readonly Column[];
  readonly seconds: number;
  readonly search: Budget['search'];
  readonly acceptBounded: boolean;
  readonly limits: Budget['limits'];
  /** By policy: the command that shows the row in full. */
  readonly commands: Readonly<Record<string, string>>;
}
export type SurveyAnswer = readonly SurveyRow[];

export interface SurveyOptions {
  readonly search: Budget['search'];
  readonly acceptBounded: boolean;
  readonly limits: Budget['limits'];
  readonly cascades: readonly string[];
  readonly place: Workplace;
  /** For one object. */
  readonly rowSeconds: number;
  readonly totalSeconds: number;
  readonly commandFor: (root: SurveyedRoot, cascade: string) => string;
  readonly onDone: (done: number, of: number) => void;
  readonly interrupted: () => boolean;
}

const SURVEY_LATE =
  'the time of the survey was up before: give it more (--timeout), or ask about a part (--namespace)';

const WORKER = { main: 'run/questions/survey-worker' };
/** A process that has not answered so long after its time is stuck. */
const GRACE = 5;
const INTERRUPTION_MILLISECONDS = 50;

/**
 * Fills the rows of all objects, in their order. Objects that differ only in names have the same
 * row, which is computed once; if there is something to say in it, it is computed for each, because
 * it contains names.
 */
export async function surveyed(
  roots: readonly SurveyedRoot[],
  options: SurveyOptions,
): Promise<readonly SurveyRow[]> {
  const end = Date.now() + options.totalSeconds * 1000;
  const rows = new Map<SurveyedRoot, SurveyAnswer>();
  const families = familiesOf(roots);
  const workers: readonly Worker[] = options.place.answerers(WORKER, families.length);
  const note = (root: SurveyedRoot, answer: SurveyAnswer): void => {
    rows.set(root, answer);
    options.onDone(rows.size, roots.length);
  };
  const fill = async (worker: Worker, root: SurveyedRoot): Promise<SurveyAnswer> => {
    const answer = await askedFor(worker, root, end, options);
    note(root, answer);
    return answer;
  };
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  const watch = setInterval(() => options.interrupted() && stop(), INTERRUPTION_MILLISECONDS);
  try {
    const left: SurveyedRoot[] = [];
    await shareOut(workers, families, async (worker, [first, ...others]) => {
      if (first === undefined) return;
      const found = await fill(worker, first);
      if (found.some(({ verdict }) => verdict !== 'plain'))
        for (const root of others) left.push(root);
      else for (const root of others) note(root, renamed(found, root, options));
    });
    await shareOut(workers, left, async (worker, root) => void (await fill(worker, root)));
  } finally {
    clearInterval(watch);
    stop();
  }
  return roots.flatMap((root) => rows.get(root) ?? []);
}

type Worker = Answerer<SurveyQuestion, SurveyAnswer>;

function familiesOf(roots: readonly SurveyedRoot[]): readonly (readonly SurveyedRoot[])[] {
  const families = groupedBy(roots, (root) => {
    // What a policy leaves may be in doubt for the one, and not for the other.
    const signatures = root.plans.map(({ setup, cluster }) =>
      cluster === null ? null : signatureOf(setup, cluster),
    );
    const isAlone = root.plans.length === 0 || signatures.includes(null);
    return isAlone ? `alone ${root.namespace}/${root.target}` : JSON.stringify(signatures);
  });
  return [...families.values()];
}

async function askedFor(
  worker: Worker,
  root: SurveyedRoot,
  end: number,
  options: SurveyOptions,
): Promise<SurveyAnswer> {
  const { rowSeconds, search, acceptBounded, limits, cascades } = options;
  const seconds = Math.min(rowSeconds, (end - Date.now()) / 1000);
  if (seconds <= 0 || root.plans.length === 0) return unanswered(root, SURVEY_LATE, options);
  if (options.interrupted()) return unanswered(root, 'interrupted before', options);
  const columns = root.plans.map((plan, index) => ({ name: cascades[index] ?? '', plan }));
  const commands = Object.fromEntries(
    cascades.map((cascade) => [cascade, options.commandFor(root, cascade)]),
  );
  const { megabytes } = options.place;
  const question = {
    ...{ columns, seconds, search, acceptBounded },
    ...{ limits: { ...(megabytes === null ? {} : { megabytes }), ...limits }, commands },
  };
  const told = await worker.ask(question, seconds + GRACE);
  switch (told.reply) {
    case 'answer':
      return told.answer;
    case 'late':
      return unanswered(root, 'its time was up', options);
    case 'died':
      return unanswered(root, options.interrupted() ? 'interrupted before' : told.why, options);
    default:
      throw new Error(`unknown reply ${JSON.stringify(told satisfies never)}`);
  }
}

function nameOf({ target, namespace }: SurveyedRoot): string {
  return namespace === '' || namespace === 'default' ? target : `${target}.${namespace}`;
}

function placeOf({ plans }: SurveyedRoot): SurveyRow['place'] {
  const place = plans[0]?.place ?? null;
  return place === null ? null : { file: place.file, line: place.line };
}

/** The rows of an object that is alike; they name no other objects. */
function renamed(
  rows: SurveyAnswer,
  root: SurveyedRoot,
  { commandFor }: SurveyOptions,
): SurveyAnswer {
  return rows.map((row) => ({
    ...row,
    object: nameOf(root),
    uid: root.uid,
    place: placeOf(root),
    command: commandFor(root, row.cascade),
  }));
}

function unanswered(
  root: SurveyedRoot,
  why: string,
  { cascades, commandFor }: SurveyOptions,
): SurveyAnswer {
  return cascades.map((cascade) => ({
    object: nameOf(root),
    uid: root.uid,
    cascade,
    place: placeOf(root),
    verdict: 'open',
    goes: {},
    stays: {},
    hangs: [],
    open: [nameOf(root)],
    unexpected: [],
    why: [why],
    risks: [],
    basis: why,
    exitCode: EXIT.inconclusive,
    command: commandFor(root, cascade),
  }));
}
