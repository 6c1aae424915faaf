import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** Expressions of GitHub Actions, evaluated by GitHub's own reader of them. */

export type Context = Readonly<Record<string, unknown>>;

const STATUS_FUNCTIONS = ['success', 'always', 'failure', 'cancelled'];

/** A text with `${{ }}` in it. */
export function filledIn(text: unknown, context: Context, failed = false): string {
  return String(text).replaceAll(/\$\{\{(.*?)\}\}/gs, (_all, expression: string) =>
    evaluated(expression, context, failed).coerceString(),
  );
}

/** Whether a step runs: without a word about the status it runs only if all went well before. */
export function isToRun(condition: unknown, context: Context, failed: boolean): boolean {
  if (condition === undefined) return !failed;
  const expression = String(condition).replace(/^\$\{\{(.*)\}\}$/s, '$1');
  const asks = STATUS_FUNCTIONS.some((name) => expression.includes(`${name}(`));
  return isTrue(evaluated(asks ? expression : `success() && (${expression})`, context, failed));
}

function evaluated(expression: string, context: Context, failed: boolean): data.ExpressionData {
  const answers = { success: !failed, always: true, failure: failed, cancelled: false };
  const functions = Object.entries(answers).map(([name, answer]) => {
    return { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(answer) };
  });
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(context), functions).parse();
  const values = JSON.parse(JSON.stringify(context), data.reviver) as data.Dictionary;
  return new Evaluator(tree, values, new Map(functions.map((one) => [one.name, one]))).evaluate();
}

function isTrue(value: data.ExpressionData): boolean {
  const text = value.coerceString();
  return !['', 'false', '0'].includes(text);
}
