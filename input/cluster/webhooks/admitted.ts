import { type ApiObject, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import { hint, MESSAGES } from '../../../text/messages.ts';
import type { Dump } from '../../manifests/dump.ts';
import type { KindCatalogue } from '../../manifests/kind-catalogue.ts';
import { displayName } from '../../manifests/names.ts';
import { findTarget } from '../../manifests/target.ts';
import type { Besides } from '../beside/besides.ts';
import type { Asked } from './asked.ts';

/** What a person has found out with a dry run. */
export interface AdmissionOptions {
  /** By store key of an object, or by the name of a webhook or policy: the word that says it. */
  readonly admitted: ReadonlyMap<string, string>;
}

/**
 * The words of `--admitted`. One with a slash is an object, whose DELETE gets past admission for
 * any sender. Another one is a webhook, a configuration of webhooks or a policy, which lets
 * everything through that the question is about. Throws `InputError` for what the dump does not
 * have.
 *
 * @param namespace of the objects; null: any.
 */
export function admittedIn(
  words: readonly string[],
  namespace: string | null,
  dump: Dump,
  kinds: KindCatalogue,
): AdmissionOptions['admitted'] {
  if (words.length === 0) return new Map();
  const objects = dump.objects.map(({ object }) => object);
  const names = objects.flatMap((object): readonly string[] => {
    const observed = dump.observations.get(keyOf(object));
    if (observed?.of === 'admission policy' || observed?.of === 'mutating policy') {
      return [object.name];
    }
    // A policy may be missing from the dump.
    if (observed?.of === 'admission binding' || observed?.of === 'mutating binding') {
      return [object.name, observed.policy];
    }
    return observed?.of === 'webhooks'
      ? [object.name, ...observed.webhooks.map(({ name }) => name)]
      : [];
  });
  return new Map(
    words.map((word): [string, string] => {
      if (word.includes('/')) {
        return [keyOf(findTarget(word, namespace, objects, kinds, dump.files.join(', '))), word];
      }
      if (names.includes(word)) return [word, word];
      throw MESSAGES.usage(
        `--admitted ${word} names no webhook or policy of the dump`,
        hint(word, names) ?? 'expected KIND/NAME of an object, or the name of a webhook or policy',
      );
    }),
  );
}

/** What is taken as admitted, and what comes of it. */
export class Admitted {
  private readonly admitted: AdmissionOptions['admitted'];
  private readonly used = new Map<string, Set<ApiObject>>();
  private readonly silent = new Set<string>();

  constructor({ admitted }: AdmissionOptions) {
    this.admitted = admitted;
  }

  /** Whether something with one of these names lets the DELETE of the object through. */
  has(object: ApiObject, names: readonly string[]): boolean {
    const [word] = [keyOf(object), ...names].flatMap((name) => this.admitted.get(name) ?? []);
    if (word === undefined) return false;
    this.used.set(word, (this.used.get(word) ?? new Set()).add(object));
    return true;
  }

  /** Whether what has this name lets everything through. */
  lets(name: string): boolean {
    return this.admitted.has(name);
  }

  /** Whether it still has to be asked. */
  asked(object: ApiObject, names: readonly string[], asked: Asked): Asked {
    return asked !== 'no' && this.has(object, names) ? 'no' : asked;
  }

  /** The server of what has these names goes: a dry run says nothing of what it answers then. */
  silence(names: readonly string[]): void {
    for (const name of names) this.silent.add(name);
  }

  /** The words that change something here. */
  words(): readonly string[] {
    return [...this.used.keys()];
  }

  /** What an answer says of it. */
  notes(): readonly Besides[] {
    return [...this.admitted].map(([key, word]): Besides => {
      const [first, ...others] = this.used.get(word) ?? [];
      if (first === undefined) {
        const what = this.silent.has(key)
          ? `--admitted ${word} says nothing of what is asked once its server goes`
          : `--admitted ${word} changes nothing: nothing here is asked`;
        return { object: key, what };
      }
      const more = others.length === 0 ? '' : ` and of ${plural(others.length, 'more object')}`;
      const what = `admission lets the DELETE of ${displayName(first)}${more} through: --admitted ${word} says so`;
      return { object: keyOf(first), what };
    });
  }
}
