import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element, embedded, embeddedJson } from '../../report/page/markup.ts';
import { ATTACKS } from './hostile.ts';

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...ATTACKS));

describe('markup', () => {
  it('keeps text from ending an attribute or an element', () => {
    fc.assert(
      fc.property(text, text, (attribute, content) => {
        const { html } = element('a', { href: attribute }, content);
        expect(html).toMatch(/^<a href="[^"<>'`]*">[^<>"'`]*<\/a>$/);
      }),
    );
  });

  it('carries data that reads back as it was, and neither ends nor opens anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), text, (value, name) => {
        const data = { [name]: value };
        const { html } = embeddedJson({ class: 'data' }, data);
        const inside = html.replace(
          /^<script type="application\/json" class="data">|<\/script>$/g,
          '',
        );
        expect(inside).not.toMatch(/[<>\u2028\u2029]/);
        expect(JSON.parse(inside)).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it('takes no attribute that the policy of the page forbids', () => {
    expect(() => element('p', { onclick: 'x' })).toThrow('unsafe-inline');
    expect(() => element('p', { style: 'x' })).toThrow('unsafe-inline');
    expect(() => embedded('script', 'a("</script>")')).toThrow('too early');
  });
});
