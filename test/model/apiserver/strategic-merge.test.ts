import { describe, expect, it } from 'vitest';
import { mergeReferences } from '../../../model/apiserver/strategic-merge.ts';
import type { OwnerReference } from '../../../model/state/objects.ts';

/** `a` unset, `a+` blocking, `a-` not blocking. */
function references(words: string): readonly OwnerReference[] {
  return words.split(' ').flatMap((word): OwnerReference[] => {
    if (word === '') return [];
    const uid = word.replace(/[+-]$/, '');
    const own = { apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid };
    return [word === uid ? own : { ...own, blockOwnerDeletion: word.endsWith('+') }];
  });
}

describe('a strategic merge of owner references', () => {
  it.each([
    ['a+ b c', 'a-', 'a- b c'],
    ['a b+ c', 'b-', 'a b- c'],
    ['a+ b c+', 'a- c-', 'a- b c-'],
    ['a b', '', 'a b'],
    ['a', 'b-', 'b- a'],
    ['', 'a- b-', 'a- b-'],
    ['a+ b', 'x- a-', 'x- a- b'],
    ['c b a+', 'a- c-', 'b a- c-'],
    ['a+ a+', 'a-', 'a- a+'],
  ])('of %s with %s gives %s', (live, patch, result) => {
    expect(mergeReferences(references(live), references(patch))).toEqual(references(result));
  });
});
