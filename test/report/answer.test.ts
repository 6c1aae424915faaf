import { describe, expect, it } from 'vitest';
import type { Answer } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { ANY_TRACE } from '../../report/document/traces.ts';
import { FORMAT_NAMES, type FormatName } from '../../report/format-names.ts';
import { renderersOf } from '../../report/formats.ts';
import { PLAIN } from '../../text/layout.ts';
import { expectGoldenFile } from './golden-file.ts';
import { graphviz } from './graphviz.ts';
import { HOSTILE } from './hostile-documents.ts';
import { document } from './stored-result.ts';

const OPTIONS = { colors: PLAIN, traces: false, full: false, choice: ANY_TRACE };
const FATES = ['hangs', 'goes', 'depends', 'unknown', 'stays'] as const;

/** A stuck namespace, with one object of each fate. */
function answered(text = (words: string): string => words): ResultDocument {
  const settle = text('kubectl get pods -n shop');
  const answer: Answer = {
    question: 'delete',
    title: text('delete Namespace/shop, background'),
    targets: [text('Namespace/shop')],
    objects: FATES.map((fate, index) => ({
      name: text(index === 0 ? 'Namespace/shop' : `ConfigMap/${fate}.shop`),
      namespace: 'shop',
      uid: `u-${index}`,
      parent: index === 0 ? null : 0,
      asked: index === 0,
      deleting: index === 0,
    })),
    outcomes: [
      {
        name: 'background',
        sentence: text('Namespace/shop hangs'),
        basis: { kind: 'search', text: text('every order of events was tried') },
        fates: FATES.map((fate) => ({
          fate,
          replaced: false,
          on: fate === 'unknown' ? [{ kind: 'dump', settle, text: text('no pods are there') }] : [],
          waits: fate === 'hangs' ? [{ for: 'contents', what: 'a', text: text('it waits') }] : [],
        })),
        risks: [],
        invariants: { held: 1, notExercised: 2, undecided: 0, violated: [], text: text('1 holds') },
        exitCode: 1,
      },
    ],
    missing: [{ text: text('the dump has no pods'), settle }],
    actors: [
      { name: text('kubelets'), runs: true, evidence: text('1 pod'), overrule: text('--without') },
    ],
    finalizers: [],
    besides: [],
    protocol: text('newest'),
  };
  return { ...document(), command: text('reapcheck delete'), answer, exitCode: 1 };
}

const RENDERERS = await renderersOf(FORMAT_NAMES);

const rendered = (name: FormatName, shown = answered()): string =>
  RENDERERS.get(name)!.render(shown, OPTIONS);

describe('an answer', () => {
  it.each(['dot', 'mermaid', 'svg', 'markdown', 'junit', 'github'] as const)(
    'is as it was: %s',
    (name) => {
      expectGoldenFile(`answer.${name}`, rendered(name));
    },
  );

  it('is a tree for Graphviz, with a sign and a word for each fate', async () => {
    const drawn = await graphviz(rendered('dot'));
    for (const words of ['! hangs', '- goes', '~ depends', '? unknown', '= stays']) {
      expect(drawn.objects.filter(({ label }) => label.includes(words))).toHaveLength(2);
    }
    expect(drawn.edges).toHaveLength(FATES.length - 1);
  });

  it('shows names as text, whatever they are', async () => {
    const hostile = answered(() => HOSTILE);
    expect(await graphviz(rendered('dot', hostile))).toBeDefined();
    for (const name of ['svg', 'html', 'markdown'] as const) {
      expect(rendered(name, hostile)).not.toMatch(/<img|<script>alert|\u202e|\u001b/);
    }
    // The second line is a comment, which Mermaid skips.
    const drawn = rendered('mermaid', hostile).split('\n').toSpliced(1, 1).join('\n');
    expect(drawn).not.toMatch(/<(?!br\/>)|javascript:/);
    expect(rendered('svg', hostile)).not.toMatch(/[\u0000-\u0009\ufffe\uffff]/);
  });

  it('comes first on the page, with a copyable command for what is unknown', () => {
    const page = rendered('html');
    expect(page).toContain('<section id="answer"');
    expect(page).toContain('<div class="copyable"><code>kubectl get pods -n shop</code></div>');
  });
});
