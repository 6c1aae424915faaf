import { gatherSurvey, type SurveyedRoot } from '../../input/gather-questions.ts';
import { packageVersion } from '../../input/package-files.ts';
import { CASCADES } from '../../input/plan.ts';
import { secondsHere, timed } from '../../input/work-clock.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { ANY_TRACE } from '../../report/document/traces.ts';
import { formatNamed } from '../../report/format-names.ts';
import { surveyed } from '../../run/questions/survey.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { plural, shellQuoted } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { SurveyArguments } from '../check-arguments.ts';
import { atPlace } from '../fleet-arguments.ts';
import type { Io } from '../io.ts';
import { openReports } from '../reports.ts';
import { searchOf } from './delete.ts';

/** Seconds on a quiet machine. */
export const ROW_SECONDS_DEFAULT = 10;
export const SURVEY_SECONDS_DEFAULT = 300;

/** What a fleet may take to say that its time is up. */
const GRACE_SECONDS = 5;
const QUIET_SECONDS = 2;
/** The part of the time in which deletions are planned, at most. */
const PLANNING = 0.5;
const BAR = 30;

/** Says what each root object would take along or leave hanging, and returns the exit code. */
export async function surveyCommand(given: SurveyArguments, io: Io): Promise<ExitCode> {
  const cascades = given.cascades.length === 0 ? CASCADES : given.cascades;
  const { shows, prefersAnswer } = formatNamed(given.reports.format);
  // Before the work, which can take long.
  if (shows === 'answer' || prefersAnswer === true) throw MESSAGES.noTreeOfSurvey();
  const { asked, left } = timed(given, SURVEY_SECONDS_DEFAULT);
  const isLate = (): boolean => left() < (1 - PLANNING) * (asked.limits.seconds ?? 0);
  const roots = await gatherSurvey(asked, cascades, given.only, io.stdin, isLate);
  const reports = await openReports(given.reports, io);
  const { quiet, limits, words } = given;
  const begun = performance.now();
  let isShown = false;
  let interrupted = false;
  const stopListening = io.onInterrupt(() => {
    interrupted = true;
  });
  const clear = (): void => {
    if (isShown) io.stderr.write('\r\u001b[2K');
    isShown = false;
  };
  try {
    const seconds = left();
    const options = {
      search: searchOf(given),
      acceptBounded: given.acceptBounded,
      limits,
      cascades,
      // The machines of a fleet are others.
      rowSeconds:
        given.rowSeconds ??
        (given.fleet === null ? secondsHere(ROW_SECONDS_DEFAULT) : ROW_SECONDS_DEFAULT),
      totalSeconds: seconds,
      commandFor: (root: SurveyedRoot, cascade: string) => commandFor(root, cascade, given),
      interrupted: () => interrupted,
      onDone: (done: number, of: number) => {
        const shown = (performance.now() - begun) / 1000;
        if (quiet || !io.stderr.isTerminal || shown < QUIET_SECONDS) return;
        io.stderr.write(`\r\u001b[2K${progressBar(done, of)}`);
        isShown = true;
      },
    };
    const until = Date.now() + (seconds + GRACE_SECONDS) * 1000;
    const { processes } = given;
    const survey = await atPlace(given.fleet, { processes, until, quiet }, io, (place) =>
      surveyed(roots, { ...options, place }),
    );
    clear();
    const codes = survey.map(({ exitCode }) => exitCode as ExitCode);
    const [first] = roots;
    const unread = given.cluster?.live?.unread ?? [];
    const document: ResultDocument = {
      schema: 'reapcheck.result/v1',
      command: ['reapcheck', ...words].map(shellQuoted).join(' '),
      version: packageVersion(),
      answer: {
        question: 'survey',
        title: `survey ${(given.cluster ?? given).inputs.join(', ')}`,
        targets: [],
        objects: [],
        outcomes: [],
        survey: [...survey],
        missing: unread.map(({ what, settle }) => ({ text: what, settle })),
        actors: [],
        besides: [],
        finalizers: [],
        protocol: first?.plans[0]?.protocol ?? '',
      },
      checks: [],
      notRun: [],
      exitCode: worst([
        ...codes,
        ...(unread.length > 0 ? [EXIT.inconclusive] : []),
        ...(interrupted ? [EXIT.interrupted] : []),
      ]),
    };
    await reports.deliver(document, { traces: false, full: false, quiet, choice: ANY_TRACE });
    return document.exitCode as ExitCode;
  } catch (error) {
    await reports.discard();
    throw error;
  } finally {
    clear();
    stopListening();
  }
}

/** `[#########---------------------] 12 of 40 objects` */
export function progressBar(done: number, of: number): string {
  const full = of === 0 ? BAR : Math.floor((BAR * done) / of);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${done} of ${plural(of, 'object')}`;
}

/** The command that shows one row in full, with the options that say what surrounds the objects. */
function commandFor(
  { target, namespace }: SurveyedRoot,
  cascade: string,
  { inputs, aroundWords }: SurveyArguments,
): string {
  const [input, ...dumps] = inputs;
  return [
    ...['reapcheck', 'delete', ...(input === undefined ? [] : [input]), target],
    ...(namespace === '' ? [] : ['--namespace', namespace]),
    ...['--cascade', cascade],
    ...dumps.flatMap((dump) => ['--dump', dump]),
    ...aroundWords,
  ]
    .map(shellQuoted)
    .join(' ');
}
