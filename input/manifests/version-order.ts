/**
 * Mirrors `CompareKubeAwareVersionStrings` (1.20): stable before beta before alpha, newest first. A
 * group before the version may stay.
 */
export function byPriority(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  const place = left.findIndex((part, index) => part !== right[index]);
  return place === -1 ? a.localeCompare(b) : (right[place] ?? 0) - (left[place] ?? 0);
}

function rankOf(version: string): readonly [stage: number, major: number, minor: number] {
  const [, major, stage, minor] = /^(?:[^/]*\/)?v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) return [0, 0, 0];
  const level = stage === undefined ? 3 : stage === 'beta' ? 2 : 1;
  return [level, Number(major), Number(minor ?? 0)];
}
