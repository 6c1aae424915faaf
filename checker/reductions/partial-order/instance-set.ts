/** Sets of action instances, one bit each. All sets of one search have the same length. */
export type InstanceSet = Int32Array;

export function emptySet(instanceCount: number): InstanceSet {
  return new Int32Array(Math.ceil(instanceCount / 32));
}

export function has(set: InstanceSet, instance: number): boolean {
  return ((set[instance >> 5]! >>> (instance & 31)) & 1) === 1;
}

export function add(set: InstanceSet, instance: number): void {
  set[instance >> 5]! |= 1 << (instance & 31);
}

/** Adds the members of `other`. Undefined is empty. */
export function unite(set: InstanceSet, other: InstanceSet | undefined): void {
  if (other === undefined) return;
  for (let word = 0; word < set.length; word++) set[word]! |= other[word]!;
}

export function isSubset(set: InstanceSet, of: InstanceSet): boolean {
  for (let word = 0; word < set.length; word++) if ((set[word]! & ~of[word]!) !== 0) return false;
  return true;
}

export function intersects(set: InstanceSet, other: InstanceSet): boolean {
  for (let word = 0; word < set.length; word++) if ((set[word]! & other[word]!) !== 0) return true;
  return false;
}

export function remove(set: InstanceSet, instance: number): void {
  set[instance >> 5]! &= ~(1 << (instance & 31));
}
