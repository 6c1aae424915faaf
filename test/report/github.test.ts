import { describe, expect, it } from 'vitest';
import { renderGithub } from '../../report/formats/github.ts';
import { escaped } from '../../text/escape.ts';
import { FACTS, GATE, TRACES, VERDICTS } from './documents.ts';
import { expectGoldenFile } from './golden-file.ts';
import { HOSTILE, HOSTILE_DOCUMENTS } from './hostile-documents.ts';
import { document, property, report } from './stored-result.ts';

interface Command {
  readonly kind: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** What the runner of GitHub Actions makes of a step's output, by its documented rules. */
function commandsIn(output: string): readonly Command[] {
  return output.split(/\r\n|\n|\r/).flatMap((line) => {
    const parts = line.match(/^::([^ :]+)(?: ([^:]*))?::(.*)$/);
    if (parts === null) return [];
    const [, kind = '', properties = '', message = ''] = parts;
    const named = properties.split(',').map((one) => {
      const equals = one.indexOf('=');
      return [one.slice(0, equals), decoded(one.slice(equals + 1))];
    });
    return [{ kind, properties: Object.fromEntries(named), message: decoded(message) }];
  });
}

function decoded(text: string): string {
  return text
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%0A', '\n')
    .replaceAll('%0D', '\r')
    .replaceAll('%25', '%');
}

describe('github', () => {
  for (const [name, one] of Object.entries({ VERDICTS, FACTS, TRACES, GATE })) {
    it(`stays what it is: ${name}`, () => {
      expectGoldenFile(`report-${name.toLowerCase()}.github.txt`, renderGithub(one));
    });
  }

  it('annotates the line that a verdict is about', () => {
    expect(commandsIn(renderGithub(VERDICTS))[0]).toEqual({
      kind: 'error',
      properties: {
        file: 'scenarios/shop.yaml',
        line: '31',
        title: 'violated: nothing with a live owner is collected (live-owner-protects-dependent)',
      },
      message:
        'violated in 3 steps: the collector deletes ConfigMap/dependent, whose owner ConfigMap/owner is there',
    });
  });

  it('keeps to ten of a kind, and says how many there are besides', () => {
    const many = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `property ${index}`);
      const properties = names.map((name) => property(name, { verdict: 'violated' }));
      return commandsIn(renderGithub(document(report('many', { properties }))));
    };
    expect(many(10).map(({ message }) => message)).toEqual(Array(10).fill('violated'));
    const shown = many(30);
    expect(shown).toHaveLength(10);
    expect(shown.at(-1)?.message).toMatch(/^21 more errors /);
  });

  it.each(Object.entries(HOSTILE_DOCUMENTS))('lets nothing in be a command: %s', (_, one) => {
    const commands = commandsIn(renderGithub(one));
    expect(renderGithub(one)).not.toMatch(/^##\[/m);
    for (const { kind, properties } of commands) {
      expect(['error', 'warning', 'notice']).toContain(kind);
      expect(Object.keys(properties).sort()).toEqual(
        'file' in properties ? expect.arrayContaining(['file', 'title']) : ['title'],
      );
    }
    const texts = commands.map(({ properties, message }) => `${properties.title}${message}`);
    expect(texts.join('')).toContain(escaped(HOSTILE).slice(0, 200));
  });
});
