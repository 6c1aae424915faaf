import type { Verdict } from '../../checker/index.ts';
import { worldsOf, worldWords } from '../../input/cluster/worlds.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import type { Outcome, Risk } from '../../report/document/answer.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { EXIT, type ExitCode, worst } from '../../text/exit-codes.ts';
import { runPlan } from '../assemble.ts';
import { type Budget, clusterOf, isLate } from './deciding/decision.ts';
import { planIn } from './deciding/grow.ts';
import { claimsUsedAgain } from './new-users.ts';

type Expectation = NonNullable<Outcome['expected']>[number];

/** What was found out about the properties that a person expects to hold. */
export interface JudgedExpectations {
  readonly found: readonly Expectation[];
  readonly risks: readonly Risk[];
  readonly reports: readonly CheckReport[];
  readonly exitCode: ExitCode;
}

const NONE: JudgedExpectations = { found: [], risks: [], reports: [], exitCode: EXIT.asExpected };

/**
 * Judges the properties of `--expect` in each world that the dump leaves open. They can speak of
 * any objects together, so each search is of all objects: neither of parts, nor of some of those
 * that are alike.
 *
 * @param offset the number of checks before these.
 */
export async function judgedExpectations(
  plan: Plan,
  budget: Budget,
  offset: number,
): Promise<JudgedExpectations> {
  const { expected = [] } = plan;
  if (expected.length === 0) return NONE;
  const { limits, onProgress, interrupted, deadline } = budget;
  const worlds = worldsOf(clusterOf(plan));
  const reports: CheckReport[] = [];
  for (const [place, world] of worlds.entries()) {
    if (isLate(budget)) break;
    const seconds = Math.max(0, deadline - Date.now()) / 1000 / (worlds.length - place);
    const { plan: current } = planIn(plan, world);
    const report = await runPlan(
      { ...current, properties: expected, fates: false },
      {
        ...budget.search,
        limits: { ...limits, seconds },
        onProgress: (event) => onProgress(plan.title, event),
        interrupted,
      },
      '',
    );
    reports.push(report);
  }
  const verdicts = (name: string): readonly Verdict[] =>
    worlds.map((_, place) => {
      const judged = reports[place]?.result.properties.find((property) => property.name === name);
      return judged?.verdict ?? 'inconclusive';
    });
  const found = expected.map((name) => {
    const [plain = 'inconclusive', ...others] = verdicts(name);
    const otherwise = others.indexOf('violated');
    const world = worlds[otherwise + 1];
    if (plain === 'violated') return { name, verdict: plain, text: `violated: ${name}` };
    if (otherwise >= 0 && world !== undefined) {
      const text = `not certain: ${name}; it is violated if ${worldWords(world).join(' and ')}`;
      return { name, verdict: 'inconclusive' as const, text };
    }
    if ([plain, ...others].includes('inconclusive')) {
      const text = `not decided in the time: ${name}`;
      return { name, verdict: 'inconclusive' as const, text };
    }
    const [again] = claimsUsedAgain(plan);
    if (plain === 'holds' && again !== undefined) {
      const text = `not certain: ${name}; a new pod of ${displayName(again.by)} may use ${displayName(again.claim)}`;
      return { name, verdict: 'inconclusive' as const, text };
    }
    const why = plain === 'vacuous' ? `, as nothing ever put it to the test` : '';
    return { name, verdict: plain, text: `${plain}: ${name}${why}` };
  });
  const risks = found.flatMap(({ name, verdict, text }): readonly Risk[] =>
    verdict === 'violated' ? [{ text, documented: null, check: offset, property: name }] : [],
  );
  return { found, risks, reports, exitCode: worst(found.map(({ verdict }) => CODES[verdict])) };
}

const CODES: Readonly<Record<Verdict, ExitCode>> = {
  holds: EXIT.asExpected,
  violated: EXIT.violated,
  inconclusive: EXIT.inconclusive,
  vacuous: EXIT.vacuous,
};
