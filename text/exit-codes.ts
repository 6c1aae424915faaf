/** The exit codes of the command. */
export const EXIT = {
  asExpected: 0,
  violated: 1,
  usage: 2,
  inconclusive: 3,
  vacuous: 4,
  defect: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  asExpected: 'all as expected',
  violated:
    'a property is violated, an outcome or an expectation is not met, or the gate finds drift',
  usage: 'wrong usage or wrong input',
  inconclusive: 'inconclusive: a limit was hit before the answer',
  vacuous: 'vacuous: nothing ever triggered a property',
  defect: 'a defect of the model or of reapcheck itself',
  interrupted: 'interrupted; the partial result was printed',
};

/** The meaning of an exit code. A code in a file may be unknown. */
export function meaningOf(code: number): string {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  const name = names.find((known) => EXIT[known] === code);
  return name === undefined ? `exit code ${code}` : MEANING[name];
}

/** If several codes apply, the first of these wins. */
export const PRECEDENCE: readonly ExitCode[] = [
  EXIT.defect,
  EXIT.interrupted,
  EXIT.usage,
  EXIT.violated,
  EXIT.inconclusive,
  EXIT.vacuous,
  EXIT.asExpected,
];

export function worst(codes: readonly ExitCode[]): ExitCode {
  return PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.asExpected;
}

/** The table as `--help` prints it. */
export function exitCodeTable(): string {
  const rows = (Object.keys(EXIT) as (keyof typeof EXIT)[]).map(
    (name) => `  ${String(EXIT[name]).padStart(3)}  ${MEANING[name]}`,
  );
  const order = `When several apply, the first of ${PRECEDENCE.join(', ')}.`;
  return ['Exit codes:', ...rows, `  ${order}`].join('\n');
}
