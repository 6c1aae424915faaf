import { describeTruth, type TruthRow } from './truth-rows.ts';

/** Claims that others hold, or begin to use, and snapshots of them. */
const ROWS: readonly TruthRow[] = [
  {
    // The scheduler may bind the pod before the DELETE, as podUsesPVC only looks at its node.
    dump: 'held-claims.yaml',
    words: ['pvc/queue'],
    fates: { 'PersistentVolumeClaim/queue': 'depends' },
    code: 1,
    says: /if Pod\/job-x\.shop,\s+which\s+has\s+no\s+node\s+yet,\s+gets\s+one/,
  },
  {
    dump: 'held-claims.yaml',
    words: ['pvc/queue', 'pod/job-x'],
    fates: { 'PersistentVolumeClaim/queue': 'goes', 'Pod/job-x': 'goes' },
    code: 0,
  },
  {
    // The pod is Terminating already, and its replacement may start before the DELETE of the claim.
    dump: 'held-claims.yaml',
    words: ['pvc/web'],
    fates: { 'PersistentVolumeClaim/web': 'depends', 'Pod/web-old': 'goes' },
    code: 1,
    says: /or scale ReplicaSet\.apps\/web\.shop\s+to\s+0\s+first/,
  },
  {
    dump: 'held-claims.yaml',
    words: ['pvc/api'],
    fates: { 'PersistentVolumeClaim/api': 'goes', 'Pod/api-old': 'goes' },
    code: 0,
  },
  {
    // The claim has waited for this pod.
    dump: 'held-claims.yaml',
    words: ['pod/db'],
    fates: { 'Pod/db': 'goes', 'PersistentVolumeClaim/leaving': 'goes' },
    code: 0,
    says: /PersistentVolume\/disk and its data may be deleted\s+once/,
  },
  {
    dump: 'held-claims.yaml',
    words: ['vs/daily'],
    fates: { 'VolumeSnapshot/daily': 'depends' },
    code: 3,
    says: /PersistentVolumeClaim\/restored\.shop\s+stays\s+and\s+uses/,
  },
  {
    dump: 'held-claims.yaml',
    words: ['vs/weekly'],
    fates: { 'VolumeSnapshot/weekly': 'goes' },
    code: 0,
  },
  {
    dump: 'held-claims.yaml',
    words: ['pvc/source'],
    fates: { 'PersistentVolumeClaim/source': 'depends' },
    code: 3,
    says: /weekly\.shop\s+stays\s+and\s+uses/,
  },
  {
    dump: 'held-claims.yaml',
    words: ['pvc/cloned'],
    fates: { 'PersistentVolumeClaim/cloned': 'depends' },
    code: 3,
    says: /clone\.shop\s+stays\s+and\s+uses/,
  },
  {
    // The provisioner of another driver runs, and leaves the finalizer to that of the volume.
    dump: 'held-claims.yaml',
    words: ['pv/efs-old', 'volumeattachment/csi-1'],
    fates: { 'PersistentVolume/efs-old': 'depends', 'VolumeAttachment/csi-1': 'depends' },
    code: 3,
  },
  {
    dump: 'held-claims.yaml',
    words: ['pv/ebs-old'],
    fates: { 'PersistentVolume/ebs-old': 'goes' },
    code: 0,
  },
  {
    dump: 'held-claims.yaml',
    words: ['pv/kept'],
    fates: { 'PersistentVolume/kept': 'goes' },
    code: 0,
    says: /only\s+the\s+object\s+goes:\s+the\s+storage\s+behind\s+PersistentVolume\/kept\s+stays/,
  },
  {
    // Claim protection adds the finalizer at once, but until then nothing holds the claim.
    dump: 'held-claims.yaml',
    words: ['pvc/bare', 'pv/bare'],
    fates: {
      ...{ 'PersistentVolumeClaim/bare': 'depends', 'PersistentVolume/bare': 'depends' },
      'Pod/bare': 'stays',
    },
    code: 1,
    says: /lacks\s+kubernetes\.io\/pvc-protection:\s+it\s+goes\s+at\s+once/,
  },
  {
    dump: 'held-claims.yaml',
    words: ['pvc/bare', 'pod/bare'],
    fates: { 'PersistentVolumeClaim/bare': 'goes', 'Pod/bare': 'goes' },
    code: 0,
  },
];

describeTruth('answers about claims and their sources', ROWS);
