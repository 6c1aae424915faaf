import { InputError } from '../../text/input-error.ts';
import { hint } from '../../text/messages.ts';
import { closest } from '../../text/suggest.ts';

/** The errors of modules that export a model. */
export const AUTHORED_ERRORS = {
  missing: (file: string, name: string, found: readonly string[]): InputError => {
    const near = closest(name, found);
    const exported = found.length === 0 ? 'nothing' : found.join(', ');
    return new InputError({
      what: `${file} does not export "${name}"`,
      expected: `export const model = defineModel(...), export const properties = [...]`,
      next: near === null ? `it exports ${exported}` : `is it "${near}"? It exports ${exported}`,
    });
  },

  /** An error of the checker about the model or a property. */
  refused: (file: string, message: string): InputError =>
    new InputError({ what: `the model of ${file} is not valid: ${message}` }),

  late: (file: string, seconds: number): InputError =>
    new InputError({
      what: `${file} is still being loaded after ${seconds} s (--timeout), so nothing was checked`,
      next: 'it runs when it is loaded; it must only define and export. Or give it more time',
    }),

  misspelt: (file: string, name: string, meant: string): InputError =>
    new InputError({
      what: `${file} exports "${name}", which nothing reads`,
      next: `is it "${meant}"? If not, choose a name that is less alike`,
    }),

  strange: (file: string, name: string, expected: string): InputError =>
    new InputError({ what: `the export "${name}" of ${file} is not valid`, expected }),

  /** What `until` returns, in the place of a property. */
  watched: (file: string, index: number): InputError =>
    new InputError({
      what: `the export "properties[${index}]" of ${file} is a model with properties, not a property`,
      expected: 'what defineProperty returns',
      next: 'of until, export both: export const { model, properties } = until(...)',
    }),

  /** What `refinement` or `propertiesFor` returns, in the place of a property. */
  nested: (file: string, index: number): InputError =>
    new InputError({
      what: `the export "properties[${index}]" of ${file} is a list, not a property`,
      expected: 'what defineProperty returns',
      next: 'put ... before it, as in [...refinement(...)]',
    }),

  unknownWord: (file: string, name: string, known: readonly string[]): InputError =>
    new InputError({
      what: `the export "words" of ${file} has "${name}", which nothing prints`,
      next: hint(name, known),
    }),

  threw: (file: string, name: string, message: string): InputError =>
    new InputError({
      what: `${name} of ${file} throws: ${message}`,
      next: 'it is called with states of the model and must not change them',
    }),

  returned: (file: string, name: string, expected: string): InputError =>
    new InputError({ what: `${name} of ${file} returns a wrong value`, expected }),

  stored: (file: string): InputError =>
    new InputError({
      what: 'the result is of a model of your own, which replay would run',
      next: `to run it, name it: reapcheck replay RESULT.json --model ${file}`,
    }),
} as const;
