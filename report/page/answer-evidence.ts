import type { PropertyResult, Trace } from '../../checker/index.ts';
import { plural } from '../../text/layout.ts';
import { propertyCalled } from '../answer/parts.ts';
import type { Answer, Risk } from '../document/answer.ts';
import type { CheckReport, Fate, ResultDocument } from '../document/result-document.ts';

/**
 * The trace that the page opens: of a risk of this cluster, else of what hangs or stays, else of a
 * documented risk, else of what goes; for an uninstall, of an order that gets stuck. Null without
 * one.
 */
export function leadingTrace({ checks }: ResultDocument, answer: Answer): Trace | null {
  const { objects, outcomes, question } = answer;
  const fates = checks.flatMap((report) => report.fates);
  if (question === 'uninstall') {
    return fates.find((fate) => fate.begins && fate.goes.trace !== null)?.goes.trace ?? null;
  }
  const risks = outcomes.flatMap((outcome) => outcome.risks);
  const traceOf = ({ check, property }: Risk): Trace | null => {
    const report = checks[check];
    return report === undefined ? null : (propertyCalled(report, property)?.trace ?? null);
  };
  const wanted = wantedUids(answer);
  const held = new Set(
    outcomes.flatMap(({ fates: words }) =>
      words.flatMap(({ fate }, index) => {
        const uid = objects[index]?.uid ?? '';
        return fate === 'hangs' || (fate !== 'goes' && wanted.has(uid)) ? [uid] : [];
      }),
    ),
  );
  const candidates = [
    ...risks.filter(({ documented }) => documented === null).map(traceOf),
    ...fates.filter(({ uid }) => held.has(uid)).map(({ goes }) => goes.trace),
    ...risks.map(traceOf),
    ...fates.filter(({ uid }) => wanted.has(uid)).map(({ mayGo }) => mayGo.trace),
    ...fates.map(({ goes, mayGo }) => goes.trace ?? mayGo.trace),
  ];
  return candidates.find((trace) => trace !== null) ?? null;
}

/** Of the objects that are asked to go, or are going already. */
function wantedUids({ objects }: Answer): ReadonlySet<string> {
  return new Set(objects.flatMap(({ asked, deleting, uid }) => (asked || deleting ? [uid] : [])));
}

/** As many traces are worth reading. */
const MOST_TRACES = 40;

/**
 * The checks of an answer with the traces that are worth reading: a run on which something stays
 * that should go, and one on which it goes. That an object simply goes or stays needs no trace.
 */
export function worthShowing(
  { checks }: ResultDocument,
  answer: Answer,
  lead: Trace | null,
): { readonly checks: readonly CheckReport[]; readonly left: readonly string[] } {
  if (answer.question === 'uninstall') {
    const isLeading = ({ fates }: CheckReport): boolean =>
      fates.some(({ goes }) => isLead(goes.trace));
    const shown = lead === null ? [] : checks.filter(isLeading).slice(0, 1);
    const left = checks.length - shown.length;
    return {
      checks: shown.map((report) => withTraces(report, isLead)),
      left: left === 0 ? [] : [`${plural(left, 'check')} of the orders that were tried`],
    };
  }
  const wanted = wantedUids(answer);
  let room = MOST_TRACES;
  let left = 0;
  const shown = checks.map((report) =>
    withTraces(report, (trace, fate) => {
      const isShown = isLead(trace) || (isTelling(trace, fate) && room > 0);
      if (isShown) room -= 1;
      else left += 1;
      return isShown;
    }),
  );
  return {
    checks: shown,
    left: left === 0 ? [] : [plural(left, 'further trace')],
  };

  function isLead(trace: Trace | null): boolean {
    return trace === lead;
  }

  function isTelling(trace: Trace, { uid, fate, begins, mayGo }: Fate): boolean {
    if (fate === 'either' || wanted.has(uid)) return true;
    if (trace === mayGo.trace) return answer.question === 'collect';
    return begins;
  }
}

function withTraces(
  report: CheckReport,
  isShown: (trace: Trace, fate: Fate) => boolean,
): CheckReport {
  const kept = (property: PropertyResult, fate: Fate): PropertyResult => {
    const { trace } = property;
    return trace === null || isShown(trace, fate) ? property : { ...property, trace: null };
  };
  return {
    ...report,
    fates: report.fates.map((fate) => ({
      ...fate,
      goes: kept(fate.goes, fate),
      mayGo: kept(fate.mayGo, fate),
    })),
  };
}
