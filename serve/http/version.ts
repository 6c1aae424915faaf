import { PROTOCOLS } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';

/** The release of Kubernetes whose rules the server follows, such as `v1.20`. */
function releaseOf(protocol: string): string {
  const newest =
    Object.keys(PROTOCOLS)
      .filter((name) => /^v1\.\d+$/.test(name))
      .at(-1) ?? 'v1.20';
  // The designs from before any release count as the first one that came after them.
  return /^v1\.\d+$/.test(protocol) ? protocol : protocol === 'newest' ? newest : 'v1.7';
}

function minorOf(release: string): string {
  return release.slice('v1.'.length);
}

/**
 * Whether updates may leave as it is what a schema has forbidden since (`CRDValidationRatcheting`).
 */
export function ratchets(protocol: string): boolean {
  return Number(minorOf(releaseOf(protocol))) >= 30;
}

/** `/version`. */
export function versionOf(protocol: string): Body {
  const release = releaseOf(protocol);
  return {
    major: '1',
    minor: minorOf(release),
    gitVersion: `${release}.0+reapcheck`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: `${process.platform}/${process.arch}`,
  };
}
