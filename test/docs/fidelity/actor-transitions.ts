import { row, type Transition } from './transition.ts';

/** Actors besides users, collector and the controllers of namespaces, definitions and workloads. */
export const AROUND: readonly Transition[] = [
  row(
    'deliverToInformer',
    '',
    'sharedIndexInformer',
    'informers.ts#deliverToInformer',
    'breaking watches: this one only lags',
  ),
];
