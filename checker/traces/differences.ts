/** Differences of two JSON values, one line each: `path: before → after`. */
export function differences(before: unknown, after: unknown): readonly string[] {
  const lines: string[] = [];
  compare(before, after, '', lines);
  return lines;
}

/** The parts of a JSON value down to two levels, one line each. */
export function outline(value: unknown): readonly string[] {
  if (!isRecord(value)) return [show(value)];
  return Object.entries(value).flatMap(([key, part]) =>
    isRecord(part) && Object.keys(part).length > 0
      ? Object.entries(part).map(([name, entry]) => `${key}.${name} = ${show(entry)}`)
      : [`${key} = ${show(part)}`],
  );
}

function compare(before: unknown, after: unknown, path: string, lines: string[]): void {
  const one = JSON.stringify(before);
  const other = JSON.stringify(after);
  if (one === other) return;
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of [...keys].sort()) {
      compare(before[key], after[key], path === '' ? key : `${path}.${key}`, lines);
    }
    return;
  }
  lines.push(`${path}: ${show(before)} → ${show(after)}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
