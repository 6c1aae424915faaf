import { describeTruth, type TruthRow } from './truth-rows.ts';

/** What nodes, storage, tools and webhooks do beside the collector. */
const ROWS: readonly TruthRow[] = [
  {
    dump: 'tolerations.yaml',
    words: ['pvc/web'],
    fates: { 'PersistentVolumeClaim/web': 'goes', 'Pod/web': 'goes' },
    code: 0,
  },
  {
    dump: 'tolerations.yaml',
    words: ['pvc/db'],
    fates: { 'PersistentVolumeClaim/db': 'hangs', 'Pod/db': 'stays' },
    code: 1,
  },
  {
    dump: 'tolerations.yaml',
    words: ['pvc/log'],
    fates: { 'PersistentVolumeClaim/log': 'goes', 'Pod/log': 'goes', 'DaemonSet/log': 'stays' },
    code: 0,
  },
  {
    dump: 'tolerations.yaml',
    words: ['pvc/cache'],
    fates: { 'PersistentVolumeClaim/cache': 'hangs', 'Pod/cache': 'stays' },
    code: 1,
  },
  {
    dump: 'remade.yaml',
    words: ['pc/system-node-critical'],
    fates: { 'PriorityClass/system-node-critical': 'stays' },
    code: 1,
    says: /the API server refuses it/,
  },
];

describeTruth('answers about what acts beside the collector', ROWS);
