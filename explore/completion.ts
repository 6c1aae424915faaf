import { formatKey, instancesOf } from '../model/index.ts';
import { escaped } from '../text/escape.ts';
import type { Explorer } from './explorer.ts';
import { goalsOf, VOCABULARY } from './vocabulary.ts';

const MOST = 200;

/** Returns a function that completes a line. */
export function completions(explorer: Explorer): (line: string) => readonly string[] {
  const { instances, properties, cluster } = explorer;
  const labels = instances.map(({ label }) => label);
  const names = properties.map(({ name }) => name);
  const objects = cluster === null ? [] : instancesOf(cluster.setup).keys.map(formatKey);
  const goals = goalsOf(explorer).flatMap(({ name }): readonly string[] => {
    switch (name) {
      case 'gone':
      case 'stored':
      case 'deleting':
      case 'queued':
        return objects.map((object) => `${name} ${object}`);
      case 'enabled':
        return labels.map((label) => `${name} ${label}`);
      case 'quiet':
      case 'end':
        return [name];
      case 'property':
        return names.flatMap((property) => [
          `${name} "${property}" broken`,
          `${name} "${property}" triggered`,
        ]);
      default:
        throw new Error(`unknown goal ${JSON.stringify(name satisfies never)}`);
    }
  });
  const all = VOCABULARY.flatMap(({ name }): readonly string[] => {
    switch (name) {
      case 'step':
      case 'why':
        return [name, ...labels.map((label) => `${name} ${label}`)];
      case 'until':
        return goals.map((goal) => `${name} ${goal}`);
      case 'jump':
        return names.map((property) => `${name} "${property}"`);
      case 'state':
      case 'trace':
        return [name, `${name} full`];
      case 'help':
        return [name, `${name} until`];
      case 'actions':
      case 'back':
      case 'undo':
      case 'properties':
      case 'save':
      case 'quit':
        return [name];
      default:
        throw new Error(`unknown command ${JSON.stringify(name satisfies never)}`);
    }
  });
  // Candidates with characters that must be escaped cannot be typed.
  const shown = all.filter((candidate) => escaped(candidate) === candidate);
  return (line) => {
    const given = line.trimStart().toLowerCase();
    const found = shown.filter((candidate) => candidate.toLowerCase().startsWith(given));
    // Complete the command first, since there are many actions.
    const heads = [...new Set(found.map((candidate) => candidate.split(' ')[0]!))];
    return given.includes(' ') || heads.length === 1 ? found.slice(0, MOST) : heads;
  };
}
