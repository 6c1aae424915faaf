import { PROTOCOLS } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';

/** `/version`: the release of Kubernetes whose rules the server follows. */
export function versionOf(protocol: string): Body {
  const newest =
    Object.keys(PROTOCOLS)
      .filter((name) => /^v1\.\d+$/.test(name))
      .at(-1) ?? 'v1.20';
  // The designs from before any release count as the first one that came after them.
  const release = /^v1\.\d+$/.test(protocol) ? protocol : protocol === 'newest' ? newest : 'v1.7';
  return {
    major: '1',
    minor: release.slice('v1.'.length),
    gitVersion: `${release}.0+reapcheck`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: `${process.platform}/${process.arch}`,
  };
}
