import { describe, expect, it } from 'vitest';
import type { LineSource } from '../../cli/explore/line-source.ts';
import type { Io } from '../../cli/io.ts';
import { run } from '../../cli/run.ts';

const LATE = 'late-dependent-orphan';

describe('the terminal', () => {
  /** A session typed line by line; `null` ends it, and a function is done at Ctrl-C. */
  async function typed(lines: readonly (string | 'interrupted')[], scenario = LATE) {
    let stdout = '';
    const write = (text: string): void => {
      stdout += text;
    };
    let complete: (line: string) => readonly string[] = () => [];
    const left = [...lines];
    const io: Io = {
      stdin: (async function* () {})(),
      stdout: { isTerminal: true, write },
      stderr: { isTerminal: false, write: () => undefined },
      env: { NO_COLOR: '1' },
      onInterrupt: () => () => undefined,
      openTerminal: (_prompt, completer): LineSource => {
        complete = completer;
        return {
          next: async () => left.shift() ?? null,
          onInterrupt: (callback) => {
            if (left[0] === 'interrupted') {
              left.shift();
              callback();
            }
            return () => undefined;
          },
          close: () => undefined,
        };
      },
    };
    const code = await run(['explore', scenario], io);
    return { code, stdout, complete };
  }

  it('is left by quit, by the end of input and by Ctrl-C', async () => {
    expect((await typed(['1', 'quit', 'nonsense'])).code).toBe(0);
    expect((await typed(['1'])).code).toBe(0);
    expect((await typed(['1', 'interrupted'])).code).toBe(130);
  });

  it('goes on after a mistake, and after a search that Ctrl-C has ended', async () => {
    const { code, stdout } = await typed(
      ['nonsense', 'until end', 'interrupted', 'state'],
      'two-workers-foreground-diamond',
    );
    expect(stdout).toMatch('there is no command "nonsense"');
    expect(stdout).toMatch(
      /Not known whether nothing can be done, after \d+ states\.[\s\S]*\(interrupted\)/,
    );
    expect(stdout).toMatch('At the start\n  ConfigMap/a');
    expect(code).toBe(0);
  });

  it('completes commands, actions, objects and properties', async () => {
    const { complete } = await typed([]);
    expect(complete('u')).toEqual(['undo', 'until']);
    expect(complete('until go')).toEqual(['until gone ConfigMap/a', 'until gone Secret/late']);
    expect(complete('why takeforo')).toEqual([
      'why takeForOrphan gc orphan worker ConfigMap/a',
      'why takeForOrphan gc orphan worker Secret/late',
    ]);
    expect(complete('jump "every')).toEqual(['jump "every deletion finishes"']);
    expect(complete('nonsense')).toEqual([]);
  });
});
