import {
  BlockError,
  CheckerError,
  check,
  checkPartitioned,
  type Limits,
  type ProgressEvent,
} from '../../checker/index.ts';
import type { Plan } from '../../input/plan.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { reportOn } from '../../run/assemble.ts';
import { MESSAGES } from '../../text/messages.ts';
import { FLEET_ERRORS } from '../errors.ts';
import { type FleetSearch, openTeam } from './fleet-team.ts';

/** What a search needs of who asked for it. */
export interface Asking {
  readonly limits: Limits;
  /** Null: none. All but symmetry were refused. */
  readonly reductions: readonly string[] | null;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly interrupted: () => boolean;
}

/** Checks one plan, with its states divided among the workers of a fleet. Throws `InputError`. */
export function fleetReport(
  place: FleetSearch,
  plan: Plan,
  asking: Asking,
  again: string,
): Promise<CheckReport> {
  const { limits, onProgress, interrupted } = asking;
  const reductions = (asking.reductions ?? []).filter((name) => name === 'symmetry');
  return reportOn(
    plan,
    again,
    async (question) => {
      // What no limit let be made cannot be divided.
      if (question.reached !== undefined) {
        return check({ ...question, limits, onProgress, interrupted });
      }
      const team = await openTeam(place, { plan, limits, reductions });
      try {
        return await checkPartitioned(
          { ...question, limits, reductions, onProgress, interrupted },
          team,
        );
      } catch (error) {
        if (error instanceof CheckerError && error.code === 'badOption') {
          throw MESSAGES.usage(`--fleet cannot divide this search: ${error.message}`);
        }
        if (!(error instanceof BlockError)) throw error;
        throw FLEET_ERRORS.stepFailed(place.address.shown, error.message);
      } finally {
        await team.close();
      }
    },
    asking,
  );
}
