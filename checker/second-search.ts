import { DefectError } from './errors.ts';
import type { Check, CheckOptions } from './options.ts';
import type { CheckResult } from './result.ts';
import type { Unsettled } from './verdicts.ts';

/** Whether any property has to be judged again. */
export function isUnsettled({ bySymmetry, byConfluence }: Unsettled): boolean {
  return bySymmetry.size + byConfluence.size > 0;
}

/**
 * Judges the properties that the reduced graph does not settle once more, on one that is not reduced
 * in what stood in their way. What was found about the others stays as it is.
 */
export async function settled<State>(
  options: CheckOptions<State>,
  first: CheckResult,
  { bySymmetry, byConfluence }: Unsettled,
  check: Check<State>,
): Promise<CheckResult> {
  const { stateGraph: _, ...rest } = options;
  const { limits = {}, properties } = rest;
  const { seconds } = limits;
  const left = seconds === undefined ? {} : { seconds: remaining(seconds, first) };
  const names = new Set([...bySymmetry, ...byConfluence]);
  // Without confluence there may be no need to do without symmetry as well.
  const full = byConfluence.size > 0 ? { confluence: false } : { symmetry: false };
  const second = await check({
    ...rest,
    ...full,
    properties: properties.filter(({ name }) => names.has(name)),
    limits: { ...limits, ...left },
  });
  if (second.defect !== null) throw new DefectError(second.defect);
  const answers = new Map(second.properties.map((property) => [property.name, property]));
  const { symmetry, confluence, statistics } = first;
  const againBySymmetry = [
    ...(byConfluence.size > 0 ? [] : bySymmetry),
    ...(second.symmetry?.judgedWithout ?? []),
  ];
  const againByConfluence =
    byConfluence.size > 0 ? names : (second.confluence?.judgedWithout ?? []);
  return {
    ...first,
    outcome: second.outcome,
    limit: second.limit,
    symmetry: symmetry && { ...symmetry, judgedWithout: againBySymmetry },
    ...(confluence === undefined
      ? {}
      : {
          confluence: {
            ...confluence,
            judgedWithout: [...againByConfluence],
            leftOpen: [...confluence.leftOpen, ...(second.confluence?.leftOpen ?? [])],
          },
        }),
    statistics: {
      ...statistics,
      cpuSeconds: statistics.cpuSeconds + second.statistics.cpuSeconds,
      wallSeconds: statistics.wallSeconds + second.statistics.wallSeconds,
    },
    properties: first.properties.map((property) => answers.get(property.name) ?? property),
  };
}

function remaining(seconds: number, { statistics }: CheckResult): number {
  return Math.max(0, seconds - statistics.wallSeconds);
}
