import { extname } from 'node:path';
import { InputError } from '../../text/input-error.ts';
import { grouped, plural } from '../../text/layout.ts';

/** Endings of files that may have manifests; the last two are the collector's graph. */
const ENDINGS: readonly string[] = ['.yaml', '.yml', '.json', '.jsonl', '.dot', '.gv'];

/**
 * A backup of Velero has the objects of each group in the preferred version, and may have them
 * again in folders of each version: `resources/deployments.apps/v1beta1/namespaces/...`.
 */
const VERSION_FOLDER = /(^|\/)resources\/[^/]+\/v\d\w*(-preferredversion)?\/(namespaces|cluster)\//;

/** Far more than real folders have; bounds the time that an unsuitable folder takes. */
export const MOST_FILES = 200_000;

/** Which files of folders and archives to read, and what was not read. */
export class Selection {
  #wanted = 0;
  readonly #others = new Map<string, number>();
  #links = 0;

  /** Whether to read the file at this path below the folder, with forward slashes. */
  wants(path: string): boolean {
    if (isHidden(path) || VERSION_FOLDER.test(path)) return false;
    const ending = extname(path).toLowerCase();
    if (!ENDINGS.includes(ending)) {
      this.#others.set(ending, (this.#others.get(ending) ?? 0) + 1);
      return false;
    }
    this.#wanted++;
    if (this.#wanted > MOST_FILES) {
      throw new InputError({
        what: `the input has more than ${grouped(MOST_FILES)} files`,
        next: 'give a folder with fewer files',
      });
    }
    return true;
  }

  /** A symbolic link may lead out of the folder, or back into it. */
  skipLink(): void {
    this.#links++;
  }

  sentences(): readonly string[] {
    const count = [...this.#others.values()].reduce((sum, more) => sum + more, 0);
    const endings = [...this.#others.keys()].filter((ending) => ending !== '').sort();
    const named = endings.length === 0 ? '' : ` (${endings.slice(0, 5).join(', ')})`;
    return [
      ...(count === 0
        ? []
        : [`${plural(count, 'file')} left out: neither YAML, JSON nor DOT${named}.`]),
      ...(this.#links === 0
        ? []
        : [`${plural(this.#links, 'symbolic link')} in folders not followed.`]),
    ];
  }
}

/** Also `._NAME`, which macOS puts into archives, and `..data` of mounted volumes. */
export function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.') && name !== '.');
}
