import type { ApiObject } from '../../model/state/objects.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { clusterOf, configMap, ownedBy } from '../properties/clusters.ts';
import { path, stepTo, violated, withTraces } from './documents.ts';

/** Attacks that the author of a result or of a manifest may try on those who open it. */
export const ATTACKS: readonly string[] = [
  '<script>window.taken = 1</script>',
  '</script><script>window.taken = 2</script>',
  '</style><img src=x onerror="window.taken = 3">',
  '"><svg onload=window.taken=4>',
  "' autofocus onfocus='window.taken = 5",
  'javascript:window.taken=6',
  'https://example.com/"onmouseover="window.taken=7',
  '<!--<script>',
  ']]>&lt;&#60;script&#62;',
  '\u2028window.taken = 8\u2029',
  '\u202egnp.exe\u0007\u001b[2J',
  '__proto__',
  'constructor',
  '$' + '{window.taken = 9}`',
  '<iframe srcdoc="<script>parent.taken = 10</script>">',
  '<meta http-equiv=refresh content="0;url=https://example.com">',
  '<base href=https://example.com>',
  '<form action=https://example.com><input name=a>',
  '%2f..%2f/0',
];

/** Each attack in every place that text can come from. */
export function hostileDocument(real: ResultDocument): ResultDocument {
  const objects = ATTACKS.map(
    (attack, index): ApiObject =>
      configMap(attack, {
        uid: `${attack} ${index}`,
        finalizers: [attack],
        ownerReferences: [ownedBy(attack, { uid: `${ATTACKS[index - 1] ?? ''} ${index - 1}` })],
      }),
  );
  const before = clusterOf(objects.slice(1));
  const after = clusterOf(objects, { attemptToDelete: {} });
  const properties = ATTACKS.map((attack) =>
    violated(
      attack,
      {
        ...path(before, [
          stepTo(after, {
            action: attack,
            sentence: `${attack}: DELETE ${attack}`,
            changes: [attack],
            beliefs: [attack],
            status: 'broken',
          }),
        ]),
        initialLines: [attack],
      },
      { broken: [attack], parameters: { key: `ConfigMap/${attack}`, uid: attack } },
    ),
  );
  const document = withTraces(real, objects, properties, {
    title: ATTACKS.join(' '),
    about: ATTACKS.join(' '),
    source: ATTACKS[5] ?? '',
    assumptions: ATTACKS,
    warnings: ATTACKS,
    cut: ATTACKS,
    unmet: ATTACKS,
    again: ATTACKS.join(' '),
  });
  return {
    ...document,
    command: ATTACKS.join(' '),
    version: '"><script>window.taken = 11</script>',
  };
}
