import { EXIT } from './exit-codes.ts';
import { InputError, type Place } from './input-error.ts';
import { secondsWords } from './layout.ts';
import { closest } from './suggest.ts';

/** `did you mean "x"?`, or the choices if there are few. */
export function hint(given: string, known: readonly string[], listed?: string): string | undefined {
  const near = closest(given, known);
  if (near !== null) return `did you mean "${near}"?`;
  if (listed !== undefined) return listed;
  return known.length > 0 && known.length <= 12 ? `available: ${known.join(', ')}` : undefined;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

const SMALLER_DUMP =
  'or give it a dump of only the namespaces and kinds that the question is about';
const limitHit = (what: string, next: string) => new InputError({ what, next }, EXIT.inconclusive);

/** Lines that kubectl prints beside objects; those of klog begin with a letter and a date. */
const OF_STDERR = /^(Error from server|error: |Warning: |Unable to connect|[EWI]\d{4} )/;

/** The errors that a user can cause: what is wrong, where, what is expected, what to do. */
export const MESSAGES = {
  usage: (what: string, next?: string | readonly string[]): InputError =>
    new InputError({ what, next: next ?? 'reapcheck --help lists commands and options' }),

  wrongValue: (option: string, expected: string, given: string): InputError =>
    new InputError({ what: `--${option} does not take "${given}"`, expected }),

  unknownScenario: (name: string, known: readonly string[]): InputError =>
    new InputError({
      what: `there is no built-in scenario "${name}"`,
      next: [
        hint(name, known) ?? 'reapcheck list scenarios shows them all',
        'to give a file, include its folder or ending: ./NAME.yaml',
      ],
    }),

  unknownEntry: (id: string, known: readonly string[]): InputError =>
    new InputError({
      what: `the museum has no entry "${id}"`,
      next: hint(id, known) ?? 'reapcheck list museum shows them all',
    }),

  unknownProperty: (name: string, known: readonly string[], where?: Place): InputError =>
    new InputError({
      what: `there is no property "${name}"`,
      where,
      next: hint(name, known, 'reapcheck list properties shows them all'),
    }),

  unknownProtocol: (name: string, known: readonly string[], where?: Place): InputError =>
    new InputError({
      what: `there is no protocol "${name}"`,
      where,
      expected: known.join(', '),
      next: hint(name, known, 'reapcheck list protocols shows them'),
    }),

  unknownRule: (name: string, known: readonly string[], where?: Place): InputError =>
    new InputError({
      what: `there is no rule "${name}"`,
      where,
      next: hint(name, known, 'reapcheck list rules shows them all'),
    }),

  unknownRuleValue: (
    rule: string,
    value: string,
    known: readonly string[],
    where?: Place,
  ): InputError =>
    new InputError({
      what: `rule ${rule} has no value "${value}"`,
      where,
      expected: known.join(' or '),
      next: hint(value, known),
    }),

  noSuchFile: (file: string): InputError =>
    new InputError({ what: `there is no file ${file}`, next: 'check the path' }),

  isDirectory: (file: string): InputError =>
    new InputError({ what: `${file} is a folder`, expected: 'a file, or - for stdin' }),

  unreadable: (file: string, code: string): InputError =>
    new InputError({ what: `${file} cannot be read (${code})`, next: 'check its permissions' }),

  notText: (file: string): InputError =>
    new InputError({ what: `${file} is not UTF-8 text`, expected: 'YAML or JSON' }),

  notGzip: (file: string): InputError =>
    new InputError({
      what: `${file} is not a valid gzip file: it starts like one but cannot be decompressed`,
    }),

  tooLarge: (file: string, bytes: number | null, limit: number): InputError =>
    new InputError({
      what:
        bytes === null
          ? `${file} is larger than the limit of ${limit} MB`
          : `${file} has ${megabytes(bytes)} MB, the limit is ${limit} MB`,
      next: /\.(tar(\.gz)?|tgz)$/.test(file)
        ? 'unpack it and give the folder, where logs do not count; or raise the limit with --max-input MB'
        : 'narrow the kubectl get, or raise the limit with --max-input MB',
    }),

  tooLargeTogether: (file: string, limit: number): InputError =>
    new InputError({
      what: `the inputs up to ${file} are larger together than the limit of ${limit} MB`,
      next: `give fewer of them, or raise the limit with --max-input MB`,
    }),

  /** @param doing what takes so long: `reading dump.yaml`. */
  timeUp: (doing: string, seconds: number, smaller = SMALLER_DUMP): InputError =>
    limitHit(
      `the time of ${secondsWords(seconds)} was up while ${doing}`,
      `give it more time (--timeout), ${smaller}`,
    ),

  memoryFull: (doing: string, limit: number, smaller = SMALLER_DUMP): InputError =>
    limitHit(
      `the memory of ${limit} MB was used up while ${doing}`,
      `give it more memory (--memory), ${smaller}`,
    ),

  machineFull: (doing: string): InputError =>
    limitHit(
      `the memory of this machine does not suffice for ${doing}`,
      'use a larger machine or a smaller input, or NODE_OPTIONS=--max-old-space-size=MB',
    ),

  /**
   * @param isLast nothing follows in the input.
   * @param line the line with the fault.
   */
  syntax: (
    language: 'YAML' | 'JSON' | 'DOT',
    where: Place,
    message: string,
    isLast = false,
    line = '',
  ): InputError =>
    new InputError({
      what: `this is not valid ${language}: ${message}`,
      where,
      next: OF_STDERR.test(line)
        ? 'this line is what kubectl says on stderr: collect the dump again without it (no 2>&1)'
        : isLast
          ? 'the input ends there: collect it again if it was cut off'
          : undefined,
    }),

  tooDeep: (file: string): InputError =>
    new InputError({ what: `${file} is nested too deeply to be a manifest` }),

  aliasBomb: (file: string, limit: number): InputError =>
    new InputError({
      what: `${file} expands more than ${limit} YAML aliases, which no manifest needs`,
      next: 'replace the aliases by their content, as in the output of kubectl',
    }),

  empty: (files: readonly string[]): InputError =>
    new InputError({
      what: `there are no objects in ${files.join(', ')}`,
      expected: 'what kubectl get ... -o yaml or -o json prints',
    }),

  notInDump: (
    target: string,
    known: readonly string[],
    near: string | null,
    files: string,
  ): InputError =>
    new InputError({
      what: `${target} is not in ${files}`,
      next: near === null ? `available: ${known.join(', ')}` : `did you mean "${near}"?`,
    }),

  lackingInDump: (target: string, files: string, next: string): InputError =>
    new InputError({ what: `${target} is not in ${files}`, next }),

  ambiguousTarget: (target: string, candidates: readonly string[]): InputError =>
    new InputError({
      what: `${target} is ambiguous: ${candidates.join(', ')}`,
      next: 'add the namespace: KIND/NAME.NAMESPACE or --namespace',
    }),

  unknownFinalizer: (name: string, known: readonly string[], where?: Place): InputError =>
    new InputError({
      what: `no object has the finalizer "${name}"`,
      where,
      next:
        hint(name, known) ??
        (known.length === 0 ? 'there are no third-party finalizers' : undefined),
    }),

  outputNotWritable: (file: string, code: string): InputError =>
    new InputError({
      what: `${file} cannot be written (${code})`,
      next: 'give --output or --report a file in an existing, writable folder',
    }),

  endedEarly: (): InputError =>
    new InputError({
      what: 'the process was ended before the command was done: there is no result',
      next: 'a module must not call process.exit; it must only define and export',
    }),

  thrownLater: (error: unknown): InputError =>
    new InputError({
      what: `an error was thrown that nothing caught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      next: 'a module must only define and export; work that it starts and leaves may end like this',
    }),

  outputIsInput: (file: string): InputError =>
    new InputError({
      what: `${file} is an input of this command; the report would overwrite it`,
      next: 'give each report a file of its own',
    }),

  outputTwice: (files: readonly string[]): InputError =>
    new InputError({
      what: `${[...new Set(files)].join(' and ')} would be written twice`,
      next: 'give each report a file of its own',
    }),

  noTrace: (name: string, known: readonly string[]): InputError =>
    new InputError({
      what: `the document has no trace of "${name}"`,
      next: hint(name, known) ?? 'the document has no traces',
    }),

  noAnswer: (): InputError =>
    new InputError({
      what: 'the document has no answer to draw',
      next: 'reapcheck delete and its sisters write one; --format dot and mermaid draw traces',
    }),

  noTreeOfSurvey: (): InputError =>
    new InputError({
      what: 'a survey is a table, so there is no tree of objects to draw',
      next: '--format html and markdown show the table; reapcheck delete draws the tree of one object',
    }),

  noTracesAtAll: (): InputError =>
    new InputError({
      what: 'the document has no trace to show',
      next: 'a check has a trace if a property is violated or a witness is found',
    }),

  nothingToReplay: (isOpen: boolean): InputError =>
    new InputError(
      {
        what: isOpen
          ? 'nothing was replayed: the result is inconclusive and has no trace'
          : 'nothing was replayed: the result has no trace',
        next: isOpen
          ? 'check again with higher limits: only a search that finds something leaves a trace'
          : 'a check has a trace if a property is violated or a witness is found',
      },
      isOpen ? EXIT.inconclusive : EXIT.usage,
    ),

  nothingJudged: (file: string, isCutShort: boolean): InputError =>
    new InputError(
      {
        what: `nothing was judged: ${file} has no checks`,
        next: isCutShort
          ? 'the command was interrupted before the first one: run it again'
          : 'render shows what check, gate, conform and the questions about dumps write',
      },
      isCutShort ? EXIT.inconclusive : EXIT.usage,
    ),

  noStateGraph: (why: string | null): InputError =>
    new InputError({
      what:
        why === null
          ? 'the document has no graph of states'
          : `the document has no graph of states: ${why}`,
      next:
        why === null
          ? 'reapcheck check --state-graph adds one if there are few enough states'
          : 'a smaller scenario, or fewer workers, has fewer states',
    }),

  tooLargeForMermaid: (has: string, most: string): InputError =>
    new InputError({
      what: `the graph of states is too large for Mermaid: ${has}, it draws ${most}`,
      next: '--format dot-states is for Graphviz, which draws larger ones',
    }),

  unsoundTrace: (property: string): InputError =>
    new InputError({
      what: `the trace of "${property}" loops back to a step that does not exist`,
      next: 'the document was changed after reapcheck wrote it',
    }),

  unsoundStateGraph: (state: number, states: number): InputError =>
    new InputError({
      what: `the graph of states refers to state ${state}, but has only ${states} states`,
      next: 'the document was changed after reapcheck wrote it',
    }),

  noCluster: (strange?: string): InputError =>
    new InputError({
      what:
        strange === undefined
          ? 'a state of the trace is not an object'
          : `a state of the trace has the unknown part "${strange}"`,
      next: 'another version of reapcheck wrote the document, or it was changed afterwards',
    }),

  cacheNotUsable: (folder: string, why: string): InputError =>
    new InputError({
      what: `${folder} cannot be used as a cache (${why})`,
      expected: 'a folder that you own and that nobody else can write to',
      next: 'choose another folder with --cache, or use none with --no-cache',
    }),

  codeChanged: (): InputError =>
    new InputError({
      what: 'the code of reapcheck was recompiled while the gate was running',
      next: 'run it again',
    }),

  notCompiled: (what: string): InputError =>
    new InputError({
      what,
      expected: 'compiled code that matches the sources: the gate runs compiled code',
      next: 'npm run build',
    }),

  noCases: (path: string): InputError =>
    new InputError({
      what: `there are no cases in ${path}`,
      expected: 'a JSON file with a list of cases, or a folder of such files',
    }),

  notCases: (where: Place): InputError =>
    new InputError({
      what: 'this is not a list of cases',
      where,
      expected: 'a JSON list of cases',
    }),

  caseTwice: (id: string, files: readonly string[]): InputError =>
    new InputError({
      what: `there are two cases with the id "${id}"`,
      next: [`in ${files.join(' and ')}`, 'remove one of them'],
    }),

  noTraces: (path: string): InputError =>
    new InputError({
      what: `there are no traces in ${path}`,
      expected: 'recordings (.json), audit logs or watch streams (.jsonl, .log), also with .gz',
    }),

  emptyTrace: (where: Place): InputError =>
    new InputError({
      what: 'the trace is empty: there is nothing to explain',
      where,
      next: 'an empty log says nothing about the system',
    }),

  notATrace: (where: Place): InputError =>
    new InputError({
      what: 'this is neither a recording, nor an audit log, nor a watch stream',
      where,
      expected: 'audit.k8s.io/v1 events or watch events, one a line, or a recorded scenario',
    }),

  /** @param bodies whether bodies of requests are missing; else only answers are. */
  gapsInLog: (where: Place, count: number, bodies: boolean): InputError => {
    const what = bodies ? 'the bodies of requests (level Metadata)' : 'the answers (level Request)';
    return new InputError({
      what: `the audit log does not show ${what} of ${count} requests that write`,
      where,
      expected: 'level RequestResponse for requests that write',
      next: 'reapcheck conform trace --partial judges what such a log shows; this claims less',
    });
  },

  notAResult: (
    file: string,
    detail: string,
    where?: Place,
    expected?: readonly string[],
  ): InputError =>
    new InputError({
      what: `${file} is not a result of reapcheck: ${detail}`,
      where,
      ...(expected === undefined ? {} : { expected: `schema ${expected.join(', ')}` }),
      next: 'reapcheck check ... --format json --output RESULT.json writes one',
    }),
} as const;
