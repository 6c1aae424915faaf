import { describeTruth, type TruthRow } from './truth-rows.ts';

/** What other controllers do to objects that the deleted one leaves, or that are too many. */
const ROWS: readonly TruthRow[] = [
  {
    // ReplicaSet new selects old-1, and has two pods then, of which it deletes one.
    dump: 'adopted.yaml',
    words: ['rs/old', '-n', 'shop', '--cascade', 'orphan'],
    fates: { 'ReplicaSet/old': 'goes', 'Pod/old-1': 'depends', 'Pod/old-2': 'stays' },
    code: 3,
    says: /new\.shop\s+selects\s+Pod\/old-1\.shop\s+as\s+well/,
  },
  {
    dump: 'adopted.yaml',
    words: ['rs/old', 'rs/new', '-n', 'shop', '--cascade', 'orphan'],
    fates: { ReplicaSet: 'goes', Pod: 'stays' },
    code: 0,
  },
  {
    dump: 'adopted.yaml',
    words: ['rs/old', '-n', 'shop'],
    fates: { 'ReplicaSet/old': 'goes', Pod: 'goes' },
    code: 0,
  },
  {
    dump: 'adopted.yaml',
    words: ['deploy/api', '-n', 'shop', '--cascade', 'orphan'],
    fates: { 'Deployment/api': 'goes', 'ReplicaSet/api-1': 'depends', 'Pod/api-1-x': 'depends' },
    code: 3,
    says: /api-next\.shop\s+selects[^:]+:\s+it\s+adopts\s+it,\s+and\s+scales\s+it\s+down/,
  },
  {
    // Nobody replaces it: two others are left, and one is wanted.
    dump: 'adopted.yaml',
    words: ['pod/shrinking-x', '-n', 'shop'],
    fates: { 'Pod/shrinking-x': 'goes' },
    code: 0,
    says: /^Pod\/shrinking-x\.shop goes;[\s\S]*has\s+3\s+active\s+pods\s+and\s+wants\s+1/,
  },
  {
    dump: 'snapshots.yaml',
    words: ['vs/ebs'],
    fates: { 'VolumeSnapshot/ebs': 'depends', VolumeSnapshotContent: 'depends' },
    code: 3,
  },
  {
    dump: 'snapshots.yaml',
    words: ['vs/longhorn'],
    fates: { 'VolumeSnapshot/longhorn': 'goes', VolumeSnapshotContent: 'goes' },
    code: 0,
    says: /stored\s+snapshot\s+behind\s+\S+\s+is\s+deleted\s+with\s+it/,
  },
  {
    dump: 'snapshots.yaml',
    words: ['vs/kept'],
    fates: { 'VolumeSnapshot/kept': 'goes' },
    code: 0,
    says: /content-kept,\s+with\s+the\s+stored\s+snapshot,\s+stays/,
  },
  {
    dump: 'snapshots.yaml',
    words: ['vs/alone'],
    fates: { 'VolumeSnapshot/alone': 'unknown' },
    code: 3,
    says: /kubectl get volumesnapshotcontent content-alone -o yaml/,
  },
];

describeTruth('answers about what others adopt or delete', ROWS);
