/** An edge of a graph whose vertices are numbers from 0 on. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/**
 * The coarsest partition of the vertices in which two of a class have the same given class, and for
 * each label and each class as many edges into it: colour refinement, in the time that M edges and
 * N vertices take in the partition refinement of R. Paige and R. Tarjan (1987), M log N.
 *
 * @param given the class of each vertex.
 * @returns a number for each vertex, the same for those of one class.
 */
export function coarsestStable(given: readonly string[], edges: readonly Edge[]): Int32Array {
  const into: Edge[][] = given.map(() => []);
  for (const edge of edges) into[edge.to]!.push(edge);
  const partition = new Partition(given);
  const waiting = new Set(partition.members.keys());
  for (const splitter of waiting) {
    waiting.delete(splitter);
    for (const counts of edgesInto(partition.members[splitter]!, into).values()) {
      // How many edges lead into the part that stays follows from those into the whole and the
      // others.
      for (const part of partition.split(counts)) waiting.add(part);
    }
  }
  return partition.classes;
}

/** By label: how many edges lead from each vertex to these. */
function edgesInto(
  targets: ReadonlySet<number>,
  into: readonly (readonly Edge[])[],
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const found = new Map<string, Map<number, number>>();
  for (const target of targets) {
    for (const { from, label } of into[target]!) {
      const counts = found.get(label) ?? new Map<number, number>();
      found.set(label, counts.set(from, (counts.get(from) ?? 0) + 1));
    }
  }
  return found;
}

class Partition {
  /** By vertex. */
  readonly classes: Int32Array;
  /** By class. */
  readonly members: Set<number>[] = [];

  constructor(given: readonly string[]) {
    const numbers = new Map<string, number>();
    this.classes = Int32Array.from(given, (name, vertex) => {
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      this.members[number] ??= new Set();
      this.members[number].add(vertex);
      return number;
    });
  }

  /**
   * Splits each class by the counts of its members; 0 for those that have none. The largest part of
   * a class stays where it is, so that a vertex moves log N times at most.
   *
   * @returns the new classes.
   */
  split(counts: ReadonlyMap<number, number>): readonly number[] {
    const touched = new Map<number, Map<number, number[]>>();
    for (const [vertex, count] of counts) {
      const own = this.classes[vertex]!;
      if (this.members[own]!.size === 1) continue;
      const parts = touched.get(own) ?? new Map<number, number[]>();
      touched.set(own, parts);
      const part = parts.get(count);
      if (part === undefined) parts.set(count, [vertex]);
      else part.push(vertex);
    }
    return [...touched].flatMap(([own, parts]) => this.divide(own, [...parts.values()], counts));
  }

  private divide(
    own: number,
    parts: readonly (readonly number[])[],
    counts: ReadonlyMap<number, number>,
  ): readonly number[] {
    const all = this.members[own]!;
    const rest = all.size - parts.reduce((sum, part) => sum + part.length, 0);
    const [first, ...smaller] = [...parts].sort((one, other) => other.length - one.length);
    const isRestLargest = rest >= (first?.length ?? 0);
    const others = isRestLargest ? [] : [...all].filter((vertex) => !counts.has(vertex));
    const moving = isRestLargest ? parts : [...smaller, others];
    return moving
      .filter(({ length }) => length > 0)
      .map((part) => {
        for (const vertex of part) {
          all.delete(vertex);
          this.classes[vertex] = this.members.length;
        }
        this.members.push(new Set(part));
        return this.members.length - 1;
      });
  }
}
