import { type ApiObject, allFinalizers, keyOf } from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { abandonedBy } from '../doubts/abandoned.ts';
import { type KnownFinalizer, knownFinalizer } from '../known/index.ts';
import { marksOn } from '../marks.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/**
 * What becomes of the databases, buckets and networks in clouds for which objects stand that go.
 */
export function externalIn(
  given: BesidesGiven,
  table: readonly KnownFinalizer[],
): readonly Besides[] {
  const { all, kept, goes, observations } = given;
  const found = kept.filter(goes).flatMap((object): readonly External[] => {
    const held = allFinalizers(object).flatMap((finalizer): readonly External[] => {
      const known = knownFinalizer(finalizer, table, object.kind);
      const what = known?.external === true ? known.leaves : known?.deletes;
      if (known === null || what === undefined) return [];
      const by = abandonedBy(object, known, all, observations);
      return [{ object, what, by, when: UNLESS }];
    });
    return held.length > 0 ? held : followedBy(object, given);
  });
  const groups = groupedBy(found, ({ what, by, when }) => `${what} ${by} ${when}`);
  return [...groups.values()].flatMap((group): readonly Besides[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { object, what, by, when, many = false } = first;
    const behind = `${what} behind ${namesOf(group.map((one) => one.object))}`;
    const deleted = `${many ? 'are' : 'is'} deleted as well${when}`;
    const fate = by === null ? deleted : `${many ? 'stay' : 'stays'}, as ${by} says`;
    return [{ object: keyOf(object), what: `${behind} ${fate}` }];
  });
}

interface External {
  readonly object: ApiObject;
  /** The thing outside. */
  readonly what: string;
  /** They are several. */
  readonly many?: boolean;
  /** What says that it outlives the object; null: nothing. */
  readonly by: string | null;
  readonly when: string;
}

const UNLESS = ', unless a policy that the object does not show says otherwise';

/** What a controller deletes once it no longer sees an object, which has no finalizer for that. */
const FOLLOWING: Readonly<Record<string, { readonly what: string; readonly who: string }>> = {
  'KafkaTopic.kafka.strimzi.io': {
    what: 'the topic in Kafka, with its data,',
    who: "Strimzi's topic operator",
  },
  'KafkaUser.kafka.strimzi.io': {
    what: 'the user in Kafka, with its rights,',
    who: "Strimzi's user operator",
  },
  'KafkaConnector.kafka.strimzi.io': {
    what: 'the connector in Kafka Connect',
    who: "Strimzi's cluster operator",
  },
};

function followedBy(object: ApiObject, { all, observations }: BesidesGiven): readonly External[] {
  const marks = marksOn(observations, object);
  const destroys = marks.find(({ mark }) => mark === 'destroys');
  if (destroys?.mark === 'destroys') {
    const what = 'the data on the disks of the hosts';
    return [{ object, what, many: true, by: null, when: `, as ${destroys.by} says` }];
  }
  const found = Object.hasOwn(FOLLOWING, object.kind) ? FOLLOWING[object.kind] : undefined;
  if (found === undefined) return [];
  const { who, ...what } = found;
  const by = abandonedBy(object, null, all, observations);
  return [{ object, ...what, by, when: ` if ${who} runs` }];
}

function namesOf([first, ...others]: readonly ApiObject[]): string {
  const name = first === undefined ? '' : displayName(first);
  return others.length === 0 ? name : `${name} and ${plural(others.length, 'other object')}`;
}
