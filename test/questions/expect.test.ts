import { describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { dump, runCli, temporaryFile } from '../cli/run-cli.ts';
import { type ObjectText, objectsText } from './dump-plan.ts';

const ROOT: ObjectText = { name: 'root', owner: null, block: false, held: false };
const LEAF: ObjectText = { name: 'leaf', owner: 'root', block: true, held: false };

interface Judged {
  readonly code: number;
  readonly verdicts: Readonly<Record<string, string>>;
  readonly stdout: string;
}

/** Deletes `cm/root` and says what became of the expected properties. */
async function judged(
  objects: readonly ObjectText[],
  properties: object,
  ...options: readonly string[]
): Promise<Judged> {
  const file = temporaryFile('dump.json', objectsText(objects));
  const expected = temporaryFile('expected.json', JSON.stringify(properties));
  const words = ['delete', file, 'cm/root', '-n', 'shop', '--expect', expected, ...options];
  const { code, stdout } = await runCli([...words, '--format', 'json']);
  const { answer } = JSON.parse(stdout) as ResultDocument;
  const found = answer?.outcomes[0]?.expected ?? [];
  return {
    code,
    stdout,
    verdicts: Object.fromEntries(found.map((one) => [one.name, one.verdict])),
  };
}

describe('properties of one’s own about a dump', () => {
  it('hold, are violated with a trace, or are never put to the test', async () => {
    const { code, verdicts, stdout } = await judged([ROOT, LEAF], {
      ownProperties: {
        'the leaf goes': { eventually: { 'ConfigMap/leaf': 'gone' } },
        'the leaf outlives the root': {
          never: { 'ConfigMap/leaf': 'gone', 'ConfigMap/root': 'there' },
        },
        'the leaf is held': {
          when: { 'ConfigMap/leaf': 'deleting' },
          leadsTo: { 'ConfigMap/root': 'gone' },
        },
      },
      properties: [{ property: 'cascade-completes', for: 'ConfigMap/leaf' }],
    });
    expect(verdicts).toEqual({
      'the leaf goes': 'holds',
      'the leaf outlives the root': 'holds',
      'the leaf is held': 'vacuous',
      'no object stays whose owners are all gone, for ConfigMap/leaf.shop': 'holds',
    });
    expect(code).toBe(4);
    const { answer } = JSON.parse(stdout) as ResultDocument;
    expect(answer?.outcomes[0]?.risks).toEqual([]);
    const broken = await judged(
      [ROOT, LEAF],
      { ownProperties: { 'the leaf stays': { never: { 'ConfigMap/leaf': 'gone' } } } },
      ...['--cascade', 'foreground'],
    );
    expect(broken.code).toBe(1);
    expect(broken.verdicts).toEqual({ 'the leaf stays': 'violated' });
    const { stdout: text } = await runCli(['render', '-', '--traces'], { stdin: broken.stdout });
    expect(text).toMatch(/Risk +violated: the leaf stays[\s\S]*broken: ConfigMap\/leaf\.shop/);
    const [, token = ''] = /broken: .*\s+replay: reapcheck replay (\S+)/.exec(text) ?? [];
    const replayed = await runCli(['replay', token]);
    expect(replayed.stdout).toMatch(/the property is still violated/);
  });

  it('are judged of objects that the question does without, and of all that are alike', async () => {
    const alike = ['one', 'two', 'three'].map((name) => ({ ...LEAF, name }));
    const far: ObjectText = { name: 'far', owner: null, block: false, held: false };
    const { code, verdicts } = await judged([ROOT, ...alike, far], {
      ownProperties: {
        'far stays': { always: { 'ConfigMap/far': { deleting: false } } },
        'three goes': { eventually: { 'ConfigMap/three': 'gone' } },
      },
    });
    expect(verdicts).toEqual({ 'far stays': 'holds', 'three goes': 'holds' });
    expect(code).toBe(0);
  });

  it('are not certain where the dump leaves open what breaks them', async () => {
    const goes = { ownProperties: { 'root goes': { eventually: { 'ConfigMap/root': 'gone' } } } };
    const objects = [{ ...ROOT, held: true }];
    expect(await judged(objects, goes)).toMatchObject({
      verdicts: { 'root goes': 'inconclusive' },
      code: 3,
    });
    const acts = ['--cooperative-finalizer', 'example.com/hold'];
    expect(await judged(objects, goes, ...acts)).toMatchObject({
      verdicts: { 'root goes': 'holds' },
      code: 0,
    });
  });

  it.each([
    [{ ownProperties: { x: { nevr: {} } } }, /unknown field "nevr"[\s\S]*ownProperties\.x\.nevr/],
    [
      { ownProperties: { x: { never: { 'ConfigMap/leef': 'gone' } } } },
      /ConfigMap\/leef is not in[\s\S]*at .*expected\.json:1:\d+[\s\S]*did you mean/,
    ],
    [{ properties: [{ property: 'nothing-stuck', for: 'cm/root' }] }, /does not speak of single/],
    [{}, /expects nothing/],
  ])('refuses %j', async (properties, message) => {
    const file = temporaryFile('dump.json', objectsText([ROOT, LEAF]));
    const expected = temporaryFile('expected.json', JSON.stringify(properties));
    const words = ['delete', file, 'cm/root', '-n', 'shop', '--expect', expected];
    const { code, stderr } = await runCli(words);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('does without the file in other questions', async () => {
    const { code, stderr } = await runCli(['collect', dump('shop.yaml'), '--expect', 'x.yaml']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no option --expect')]);
  });
});
