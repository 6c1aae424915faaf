/** What one run of a reducer or predicate has taught: a path of its trie. */
export interface LearntPath {
  readonly trie: number;
  /** Columns, in the order of reading, and what they answered. */
  readonly columns: readonly number[];
  readonly answers: readonly number[];
  readonly leaf: number;
  /** Numbers of the sections whose keys were enumerated. */
  readonly sections: readonly number[];
  /** It is not in the trie, which was dropped meanwhile. What was read still counts. */
  isDropped: boolean;
}

/** What was learnt since the last call of `take`, in order. */
export interface Lessons {
  readonly paths: readonly LearntPath[];
  /** Pairs: a queue operation, and a value of its slot that it met. */
  readonly operations: readonly number[];
  /** Rows, as local numbers by slot, from which a canonicalizer has learnt. */
  readonly rows: readonly (readonly number[])[];
}

/**
 * Notes what an engine learns, for replicas: they take it over, and run neither reducers nor
 * predicates.
 */
export class LessonNotes {
  private paths: LearntPath[] = [];
  private operations: number[] = [];
  private rows: (readonly number[])[] = [];

  get isEmpty(): boolean {
    return this.paths.length + this.operations.length + this.rows.length === 0;
  }

  path(path: LearntPath): void {
    this.paths.push(path);
  }

  dropped(trie: number): void {
    for (const path of this.paths) if (path.trie === trie) path.isDropped = true;
  }

  operation(operation: number, local: number): void {
    this.operations.push(operation, local);
  }

  row(locals: readonly number[]): void {
    this.rows.push(locals);
  }

  take(): Lessons {
    const { paths, operations, rows } = this;
    this.paths = [];
    this.operations = [];
    this.rows = [];
    return { paths, operations, rows };
  }
}
