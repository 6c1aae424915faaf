/** A disagreement between two sources, and which one the model follows. */
export interface Disagreement {
  readonly about: string;
  readonly one: string;
  readonly other: string;
  readonly won: string;
  /** Recorded scenarios that decide the disagreement; empty if there is none. */
  readonly recordings: readonly string[];
}

const RECORDINGS = 'the recordings';

export const DISAGREEMENTS: readonly Disagreement[] = [
  {
    about: 'when orphaning begins',
    one: 'both proposals: the collector waits until observedGeneration has reached the generation of the deletion',
    other:
      'recordings and code: it waits for nothing; dependents that it has not seen are not orphaned',
    won: RECORDINGS,
    recordings: ['d-orphan-race-create'],
  },
  {
    about: 'which owners count as gone',
    one: 'proposal of synchronous collection: every owner that is being deleted and is not orphaning',
    other:
      'recordings: one that is being deleted and held by a third party counts as there; only one in foreground deletion is waited for',
    won: RECORDINGS,
    recordings: ['f-diamond-owner-held'],
  },
  {
    about: 'which dependents block foreground deletion',
    one: 'proposal of synchronous collection: all of them',
    other: 'recordings: those with blockOwnerDeletion',
    won: RECORDINGS,
    recordings: ['y-recreate-fg-nonblocking'],
  },
  {
    about: 'what starts foreground deletion',
    one: 'proposal of synchronous collection: the state of the object, whenever it is seen',
    other:
      'code: a change from a state without deletionTimestamp or finalizer; one that is missed stays missed',
    won: 'the code',
    recordings: [],
  },
  {
    about: 'how cycles are broken',
    one: 'proposal of synchronous collection: a search for a cycle, whose member takes its own finalizer off',
    other:
      'recordings: a look one step ahead makes references non-blocking; a cycle whose members all wait already stays for ever',
    won: RECORDINGS,
    recordings: ['zz-down-cycle-fg', 'k-self-owner-foreground'],
  },
  {
    about: 'what happens to dependents by default',
    one: 'original proposal: children are created with the orphaning finalizer on them',
    other:
      'recordings: nothing is put on; the kind and the version of the request decide, and most kinds do not orphan',
    won: RECORDINGS,
    recordings: ['z-default-policy-job', 'z-default-policy-secret'],
  },
  {
    about: 'the second patch of a custom resource, after 415',
    one: 'semantics read in the code: the collector reads the metadata and patches with their resourceVersion',
    other: 'recordings: it takes list and resourceVersion from its informer, without a GET',
    won: RECORDINGS,
    recordings: ['cr-fg-diamond'],
  },
  {
    about: 'DELETE of a collection',
    one: 'semantics: the items are deleted in parallel',
    other: 'the default of kube-apiserver, `--delete-collection-workers=1`: one after the other',
    won: 'the default of kube-apiserver',
    recordings: [],
  },
];
