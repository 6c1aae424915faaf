import { type ApiObject, keyOf, type Setup } from '../../../model/index.ts';
import type { Dump } from '../../manifests/dump.ts';
import type { KindCatalogue } from '../../manifests/kind-catalogue.ts';
import { type Look, UNLIMITED } from '../../work-clock.ts';
import type { Besides } from '../beside/besides.ts';
import type { Doubt } from '../beside/doubts.ts';
import { type Requested, type Requests, requestsIn } from '../cel/requests.ts';
import { storedIn } from '../cel/stored.ts';
import type { Expressions } from '../cel/value.ts';
import type { Tracking } from '../operators.ts';
import { deletesOf } from '../requests.ts';
import { type AdmissionOptions, Admitted } from './admitted.ts';
import type { Unserved } from './backends.ts';
import { uncreatedIn } from './creations.ts';
import { laterRequestsIn } from './later.ts';
import { mutationsIn } from './mutations.ts';
import { unparametedIn } from './params.ts';
import { policiesIn } from './policies.ts';
import { gapDoubtsIn } from './policy-gaps.ts';
import { askedIn, askedLaterIn, type Refused, refusedIn, unregisteredIn } from './refusals.ts';
import { doubtsOn, notesOn } from './reviews.ts';
import { strandedIn } from './stranded.ts';
import { uninstallsIn } from './uninstalls.ts';
import { keptOpenIn, updatesIn } from './updates.ts';

/** What webhooks and policies have to do with a deletion. */
export interface Admission {
  readonly besides: readonly Besides[];
  readonly doubts: readonly Doubt[];
  readonly refused: readonly Refused[];
  /** The words of `--admitted` that change something. */
  readonly admitted: readonly string[];
}

/** What takes long if there are very many of both. */
const ADMISSION = 'reading what webhooks and policies say of each object';
/** One look at the clock takes as long as to see whether a webhook is asked about an object. */
const LOOKED_EVERY = 100;

interface Given {
  readonly dump: Dump;
  readonly kinds: KindCatalogue;
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly tracking: readonly Tracking[];
  readonly unserved: ReadonlyMap<string, Unserved>;
  readonly requested: Requested;
  readonly options: AdmissionOptions;
  readonly lostNodes: readonly string[];
}

export function admissionIn(given: Given): Admission {
  const { dump, kinds, goes, tracking, requested, options } = given;
  const admitted = new Admitted(options);
  const all = dump.objects.map(({ object }) => object);
  const table = kinds.table();
  const stored = storedIn(dump.objects);
  const { expressions } = dump;
  const requests = requestsIn({
    ...{ all, goes, table, stored, requested },
    expressions: expressions === undefined ? null : looking(expressions, dump.look),
    tracked: new Set(tracking.flatMap((one) => one.tracked)),
    lostNodes: new Set(given.lostNodes),
  });
  const { observations, labels } = dump;
  const hasUnread = dump.unread.length > 0;
  const later = laterRequestsIn({ ...given, table });
  let looks = 0;
  const look = (): void => {
    looks += 1;
    if (looks % LOOKED_EVERY === 0) dump.look?.(ADMISSION);
  };
  const about = { ...given, look, all, table, stored, requests, admitted, later };
  const asking = { ...about, observations, labels, hasUnread };
  const policed = policiesIn(asking);
  const asked = askedIn(asking);
  const askedLater = askedLaterIn(asking);
  const reviews = [...asked, ...policed.reviews, ...uninstallsIn(asking)];
  const refused = [...policed.refused, ...refusedIn(asking)];
  const updates = [
    ...gapDoubtsIn(asking),
    ...keptOpenIn(asking),
    ...updatesIn(asking),
    ...mutationsIn(asking),
  ];
  return {
    besides: [
      // The doubts have all that is known of policies.
      ...notesOn(asked),
      ...askedLater.besides,
      ...strandedIn(asking),
      ...unparametedIn(asking),
      ...uncreatedIn(asking),
      ...unregisteredIn(asking),
      ...accountsIn(asking),
      ...admitted.notes(),
    ],
    doubts: [...doubtsOn(reviews, look), ...policed.doubts, ...askedLater.doubts, ...updates],
    refused,
    admitted: admitted.words(),
  };
}

/** To evaluate an expression takes much longer than a look. */
function looking(expressions: Expressions, look: Look = UNLIMITED): Expressions {
  return {
    evaluate: (expression, variables) => {
      look(ADMISSION);
      return expressions.evaluate(expression, variables);
    },
    cannotFail: (expression) => expressions.cannotFail(expression),
  };
}

/** By what webhooks and policies know controllers. */
function accountsIn({ kept, requests }: Pick<Given, 'kept'> & { requests: Requests }) {
  const [first] = kept;
  if (first === undefined || requests.identified.size === 0) return [];
  const who = [...requests.identified].join(' and ');
  const what = `webhooks and policies know ${who} by a user of its own, as in clusters with --use-service-account-credentials`;
  return [{ object: keyOf(first), what }];
}

/** What these users delete. */
export function requestedBy(users: Setup['users']): Requested {
  return new Map(
    deletesOf({ users }).map(({ key, options }) => [
      key,
      options.propagationPolicy ?? 'Background',
    ]),
  );
}

/** Whether something in a dump has expressions, so that what evaluates them has to be loaded. */
export function hasExpressions({ observations }: Dump): boolean {
  return [...observations.values()].some(
    (observed) =>
      observed.of === 'admission policy' ||
      observed.of === 'mutating policy' ||
      (observed.of === 'webhooks' &&
        observed.webhooks.some(({ conditions }) => conditions.length > 0)),
  );
}
