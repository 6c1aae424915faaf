import { describe, expect, it } from 'vitest';
import { answerTo } from './truth-rows.ts';

/** Dumps that are written where they are asked about. */

interface Parts {
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Names of objects that `made` has made: `Kind/name`. */
  readonly owners?: readonly object[];
  /** It is being deleted. */
  readonly leaving?: boolean;
  readonly [field: string]: unknown;
}

/**
 * An object of a dump.
 *
 * @param type `apiVersion Kind`.
 * @param name `namespace/name`, or the name alone.
 */
export function made(type: string, name: string, parts: Parts = {}): object {
  const [apiVersion = '', kind = ''] = type.split(' ');
  const [namespace, own] = name.includes('/') ? name.split('/') : [undefined, name];
  const { finalizers, labels, annotations, owners, leaving, ...more } = parts;
  return {
    ...{ apiVersion, kind },
    metadata: {
      ...{ name: own, namespace, uid: uidOf(kind, own ?? '', namespace), labels, annotations },
      ...{ finalizers, ownerReferences: owners },
      ...(leaving === true ? { deletionTimestamp: '2026-01-02T03:04:05Z' } : {}),
    },
    ...more,
  };
}

function uidOf(kind: string, name: string, namespace = ''): string {
  return `${kind}-${namespace}-${name}`.toLowerCase();
}

/** A reference to an object as `made` makes it. */
export function owner(type: string, name: string): object {
  const [apiVersion = '', kind = ''] = type.split(' ');
  const [namespace, own = ''] = name.includes('/') ? name.split('/') : [undefined, name];
  const uid = uidOf(kind, own, namespace);
  return { apiVersion, kind, name: own, uid, controller: true, blockOwnerDeletion: true };
}

/** A controller that runs. */
export function runs(name: string, spec: object = {}, ready = 1): object {
  const pods = { containers: [{ name: 'manager', image: 'manager' }], ...spec };
  return made('apps/v1 Deployment', name, {
    spec: { replicas: 1, template: { spec: pods } },
    status: { readyReplicas: ready },
  });
}

export interface Question {
  /** The function and version whose behaviour is the truth. */
  readonly truth: string;
  readonly objects: readonly object[];
  /** The command without the dump; `delete` if it does not begin with another one. */
  readonly ask: string;
  /** `goes`: exit code 0. `open`: 3. `hangs`: 1. */
  readonly answer: 'goes' | 'open' | 'hangs';
  /** The fates by the beginning of the name, without the groups of kinds. */
  readonly fates?: Readonly<Record<string, string>>;
  readonly says?: RegExp;
}

const CODES = { goes: 0, open: 3, hangs: 1 } as const;
const COMMANDS = ['delete', 'explain', 'who', 'collect', 'survey', 'uninstall'];

/** A test for each question. */
export function describeQuestions(about: string, questions: readonly Question[]): void {
  describe(about, () => {
    it.each(questions.map((one) => [`${one.ask}: ${one.truth}`, one] as const))(
      '%s',
      async (_, { objects, ask, answer, fates = {}, says }) => {
        const [first = '', ...rest] = ask.split(' ');
        const words = COMMANDS.includes(first)
          ? [first, '-', ...rest]
          : ['delete', '-', first, ...rest];
        const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
        const { code, stderr, text, named } = await answerTo(words, stdin, Object.keys(fates));
        expect(stderr).toBe('');
        const told = Object.keys(fates).map((prefix) => [
          prefix,
          named.find(({ name }) => name.startsWith(prefix))?.fate,
        ]);
        expect({ code, fates: Object.fromEntries(told) }, text).toEqual({
          code: CODES[answer],
          fates,
        });
        if (says !== undefined) expect(text.replace(/\s+/g, ' ')).toMatch(says);
      },
    );
  });
}
