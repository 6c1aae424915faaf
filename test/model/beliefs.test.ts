import { describe, expect, it } from 'vitest';
import { judged } from './judged-scenario.ts';

/**
 * The beliefs in the counterexample to a property: whole steps, `sentence :: belief`. A step that
 * does not act on an outdated belief has no belief line.
 */
const CASES: readonly [string, string, readonly string[]][] = [
  [
    'late-dependent-orphan',
    'orphaned objects are not collected',
    [
      'gc orphan worker: takes ConfigMap/a from attemptToOrphan, to free no dependents :: Secret/late is no dependent of ConfigMap/a (stored: it is)',
      'gc orphan worker: PATCH ConfigMap/a, removes finalizer orphan, resourceVersion as read :: no dependent names ConfigMap/a any more (stored: Secret/late does)',
    ],
  ],
  [
    'finalizer-races-delete',
    'nothing leaves with a finalizer on it',
    [
      'API server: removes ConfigMap/a (DELETE of alice) :: ConfigMap/a has no finalizers (stored: example.com/hold)',
    ],
  ],
  [
    'adopted-in-window',
    'nothing with a live owner is collected',
    [
      'gc worker: DELETE ConfigMap/b propagationPolicy=Background preconditions.uid :: no owner keeps ConfigMap/b (stored: ConfigMap/a does)',
    ],
  ],
  [
    'cold-start-while-foreground',
    'no blocking dependent outlives a foreground owner',
    [
      'gc worker: reads blocking dependents of ConfigMap/a in the graph -> none :: Secret/b is no dependent of ConfigMap/a (stored: it is)',
      'gc worker: PATCH ConfigMap/a, removes finalizer foregroundDeletion, resourceVersion as read :: nothing blocks ConfigMap/a (stored: dependent Secret/b)',
    ],
  ],
  [
    'kind-not-installed',
    'nothing with a live owner is collected',
    [
      'gc worker: knows Widget.example.com/w is absent: dangling owner of ConfigMap/d :: Widget.example.com/w is absent (stored: it is there)',
      'gc worker: DELETE ConfigMap/d propagationPolicy=Background preconditions.uid :: no owner keeps ConfigMap/d (stored: Widget.example.com/w does)',
    ],
  ],
  ['self-owner-foreground', 'every deletion finishes', []],
];

describe('beliefs that differ from the store', () => {
  it.each(CASES)('%s: %s', async (scenario, property, expected) => {
    const { trace, verdict } = await judged(scenario, {}, property);
    expect(verdict).toBe('violated');
    const told = trace!.steps.flatMap(({ sentence, beliefs }) =>
      beliefs.map((belief) => `${sentence} :: ${belief.replace('believes: ', '')}`),
    );
    expect(told).toEqual(expected);
  });
});
