import { describe, expect, it } from 'vitest';
import { progressLine, progressText } from '../../cli/progress.ts';
import { WIDTH } from '../../text/layout.ts';

describe('the progress line', () => {
  const event = {
    phase: 'search',
    layer: 12,
    frontier: 3456,
    previousFrontier: 4000,
    states: 1_234_567,
    transitions: 5_000_000,
    statesPerSecond: 812_345,
    megabytes: 345.6,
    elapsedSeconds: 2.5,
  } as const;

  it('says layer, frontier, trend, states, rate and memory in one line', () => {
    expect(progressText('foreground-chain', event)).toBe(
      'foreground-chain: layer 12, 3,456 in it, shrinking, 1,234,567 states, 812 k/s, 346 MB',
    );
    expect(progressText('x'.repeat(200), event)).toHaveLength(WIDTH);
  });

  it('waits for two seconds and takes itself away', () => {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    const unused = {
      stdin: (async function* () {})(),
      env: {},
      onInterrupt: () => () => undefined,
    };
    const stderr = { isTerminal: true, write };
    const line = progressLine({ ...unused, stdout: stderr, stderr }, false);
    line.show('a', { ...event, elapsedSeconds: 1.9 });
    line.clear();
    expect(written).toEqual([]);
    line.show('a', event);
    line.clear();
    expect(written).toEqual([expect.stringMatching(/^\r\u001b\[2Ka: /), '\r\u001b[2K']);
  });
});
