import { describe, expect, it } from 'vitest';
import { readLabelSelector } from '../../input/manifests/label-selector.ts';

const LABELS = { app: 'web', 'app.kubernetes.io/part-of': 'shop', empty: '' };

describe('a label selector', () => {
  it.each([
    ['app=web', true],
    ['app==web', true],
    ['app=db', false],
    ['app!=db', true],
    ['app!=web', false],
    ['other!=web', true],
    ['app', true],
    ['other', false],
    ['!other', true],
    ['! app', false],
    ['empty=', true],
    ['app in (db, web)', true],
    ['app in (db)', false],
    ['other in (db)', false],
    ['app notin (db,web)', false],
    ['other notin (db)', true],
    ['app.kubernetes.io/part-of=shop,app in (web,db),!x', true],
    ['app=web,app.kubernetes.io/part-of=other', false],
    ['constructor', false],
  ])('%s: %s', (selector, selected) => {
    expect(readLabelSelector(selector)(LABELS)).toBe(selected);
  });

  it.each(['', 'app=web,', 'app=we b', 'app in web', 'app>1', '-app=web', 'app in (a'])(
    'refuses %j',
    (selector) => {
      expect(() => readLabelSelector(selector)).toThrow(/selector/);
    },
  );
});
