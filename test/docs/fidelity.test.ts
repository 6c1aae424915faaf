import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { STEPS } from '../../conformance/recordings/coverage.ts';
import { ACTIONS } from '../../model/actions.ts';
import { recordings } from '../conformance/recordings.ts';
import { DISAGREEMENTS } from './fidelity/disagreements.ts';
import { AREAS } from './fidelity/page.ts';
import { TRANSITIONS } from './fidelity/transitions.ts';

/** test/conformance/traces.long.test.ts judges the recordings, and so it also writes the page. */

it('every action of the model and every step of a trace has a row', () => {
  const rows = TRANSITIONS.map(({ action, step }) => `${action}/${step}`);
  const steps = Object.entries(STEPS).flatMap(([action, names]) =>
    names.map((step) => `${action}/${step}`),
  );
  expect(steps.filter((step) => !rows.includes(step))).toEqual([]);
  const actions = new Set(TRANSITIONS.map(({ action }) => action));
  expect(Object.keys(ACTIONS).filter((action) => !actions.has(action))).toEqual([]);
  expect(new Set(rows).size).toBe(rows.length);
});

it('the functions that stand for a transition exist', () => {
  for (const place of TRANSITIONS.flatMap(({ file, functions }) => [file, ...functions])) {
    const [file = '', name] = place.split('#');
    const source = readFileSync(new URL(`../../model/${file}`, import.meta.url), 'utf8');
    if (name !== undefined) expect(source, file).toContain(`function ${name}(`);
  }
});

it('every area of cases and every recording that is named exists', () => {
  const files = readdirSync(new URL('../../conformance/facts/data/', import.meta.url)).filter(
    (name) => name.endsWith('.json'),
  );
  expect(files.sort()).toEqual(AREAS.map((area) => `${area}.json`));
  const names = recordings().map(({ name }) => name);
  const missing = DISAGREEMENTS.flatMap((one) => one.recordings).filter(
    (name) => !names.includes(name),
  );
  expect(missing).toEqual([]);
});
