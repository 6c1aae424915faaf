import type { Parameters } from './model.ts';

/** The graph of all states, on demand; it changes no verdict. */
export type StateGraphReport =
  | {
      readonly kind: 'recorded';
      /** States that differ by one of so many renamings are one here; 1: each is for itself. */
      readonly renamings: number;
      /** In the order in which they were found, the initial ones first. */
      readonly states: readonly GraphState[];
      readonly transitions: readonly GraphTransition[];
      /**
       * Where the traces go: one state more than the trace has steps. With
       * confluence those that a second search has found are not among them.
       */
      readonly runs: readonly { readonly property: string; readonly states: readonly number[] }[];
    }
  | { readonly kind: 'omitted'; readonly reason: string };

export interface GraphState {
  readonly initial: boolean;
  /** Lines that describe it. */
  readonly lines: readonly string[];
  /** Names of the properties that are false of it; those of whole runs are not among them. */
  readonly broken: readonly string[];
}

export interface GraphTransition {
  /** Indexes of states. */
  readonly from: number;
  readonly to: number;
  readonly action: string;
  readonly parameters: Parameters;
  readonly actor: string;
  readonly sentence: string;
  /** Names of the rules over steps that are false of it. */
  readonly broken: readonly string[];
}
