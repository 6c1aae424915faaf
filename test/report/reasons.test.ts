import { describe, expect, it } from 'vitest';
import { lastWait, reasonsOf, reasonWords } from '../../report/answer/reasons.ts';
import type { Answer, AnswerObject, ObjectFate, Wait } from '../../report/document/answer.ts';
import { ANSWERS } from './answers.ts';

type Waits = Readonly<Record<string, readonly Wait[]>>;

function wait(name: string, kind: Wait['for'], what: string): Wait {
  const words = { finalizer: `the owner of ${what}`, kubelet: `the kubelet of ${what}` };
  const said = kind === 'finalizer' || kind === 'kubelet' ? words[kind] : `its ${kind} ${what}`;
  return { for: kind, what, text: `${name} waits for ${said}` };
}

/** The lines of "Why" where these objects hang. */
function why(waits: Waits, cooperative: readonly string[] = []): readonly string[] {
  const objects = Object.keys(waits).map((name): AnswerObject => {
    return { name, namespace: '', uid: name, parent: null, asked: false, deleting: false };
  });
  const fates = Object.values(waits).map((own): ObjectFate => {
    return { fate: 'hangs', replaced: false, on: [], waits: own };
  });
  const [outcome] = ANSWERS.delete.outcomes;
  const finalizers = cooperative.map((finalizer) => ({
    ...{ finalizer, judgement: 'cooperative' as const, evidence: '', owner: null },
    ...{ leaves: null, overrule: '' },
  }));
  const answer: Answer = { ...ANSWERS.delete, objects, finalizers };
  return reasonsOf({ ...outcome!, fates }, answer).map(reasonWords);
}

const topics = ['Topic/a', 'Topic/b', 'Topic/c', 'Topic/d'];

describe('the reasons of an answer', () => {
  it('begin with what nothing else explains, and say once what is alike', () => {
    const held: Waits = {
      'Namespace/x': topics.map((topic) => wait('Namespace/x', 'contents', topic)),
      ...Object.fromEntries(topics.map((name) => [name, [wait(name, 'finalizer', 'f')]])),
      'Config/y': [wait('Config/y', 'finalizer', 'g')],
      'Config/z': [wait('Config/z', 'dependent', 'Role/r')],
    };
    expect(why(held, ['g'])).toEqual([
      'Topic/a, Topic/b, Topic/c and 1 more: waits for the owner of f',
      // Nothing deletes what it waits for.
      'Config/z waits for its dependent Role/r',
      'Config/y waits for the owner of g',
      'Namespace/x waits for 4 objects in it: Topic/a, Topic/b, Topic/c and 1 more',
    ]);
  });

  it('join what several owners and pods wait for', () => {
    const pods = topics.map((topic, index) => [
      ...[topic.replace('Topic', 'Set'), topic.replace('Topic', 'Pod'), `n${index}`],
    ]);
    const lines = why(
      Object.fromEntries(
        pods.flatMap(([set = '', pod = '', node = '']) => [
          [set, [wait(set, 'dependent', pod)]],
          [pod, [wait(pod, 'kubelet', node)]],
        ]),
      ),
    );
    expect(lines).toEqual([
      'Pod/a, Pod/b, Pod/c and 1 more: waits for the kubelet of its node to end its grace period',
      'Set/a, Set/b, Set/c and 1 more: waits for its dependents',
    ]);
  });

  it('follow an object to what it waits for in the end, also around a circle', () => {
    const waits = new Map([
      ['A', [wait('A', 'dependent', 'B')]],
      ['B', [wait('B', 'contents', 'A'), wait('B', 'tracked', 'C')]],
      ['C', [wait('C', 'finalizer', 'f')]],
      ['D', [wait('D', 'dependent', 'D')]],
    ]);
    expect(lastWait('A', waits)?.what).toBe('f');
    expect(lastWait('D', waits)?.what).toBe('D');
  });
});
