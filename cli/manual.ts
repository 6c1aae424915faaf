import { FORMAT_NAMES, formatNamed } from '../report/formats.ts';
import { exitCodeTable } from '../text/exit-codes.ts';

/** What `--help` says below the options: of `reapcheck` itself, and of each command. */

export const EXAMPLES = `Examples:
  reapcheck check                                   all built-in scenarios
  reapcheck check foreground-diamond                one of them, in full
  kubectl get cm,po,rs,deploy -o yaml | reapcheck check - --delete deploy/web
  reapcheck check dump.yaml --delete cm/a.shop --cascade foreground
  reapcheck check --museum K8S-77081                a defect of history, before and after its repair
  reapcheck check my-scenario.yaml --rule cycleBreaking=none
  reapcheck check patch-races-recreation --distinct 2   two ways to the same defect
  reapcheck simulate my-large-scenario.yaml         random walks, where a search is too large
  reapcheck check my-scenario.yaml --format json --output result.json
  reapcheck replay result.json
  reapcheck gate                                    what changed since the lock was written`;

export const SIMULATE_EPILOGUE = `A walk takes one possible step after the other at random; nothing that is bound to happen is passed
over for ever, and users may or may not send their requests. What is found is shortened and executed
again. Walks find what is violated or possible; that something holds they cannot show: if nothing is
found, that is inconclusive. The same seed makes the same walks; a timeout may end them elsewhere.

  reapcheck simulate deployment-foreground --walks 200 --seed 7
  reapcheck simulate big.yaml --steps 5000 --timeout 60 --property 'every deletion finishes'
  kubectl get all -o yaml | reapcheck simulate - --delete deploy/web --cascade foreground

${exitCodeTable()}`;

export const CONFORM_EPILOGUE = `facts  Cases from Kubernetes' own tests. A case that is unsupported counts as inconclusive.
trace  What a real system did: audit logs (audit.k8s.io/v1), streams of kubectl get -w -o json
       --output-watch-events, or recorded scenarios; also with gzip. Rejected is exit code 1.

  reapcheck conform trace audit.log.gz
  kubectl get cm,po,rs,deploy -w -o json --output-watch-events | reapcheck conform trace -

${exitCodeTable()}`;

export const REPLAY_EPILOGUE = `A token (rt1:...) is what a counterexample ends with. It holds the input, the options that change
the model, and the actions by their places among those that are possible. Where the model has
changed since, the step is named at which it does not apply any more, and what is possible there;
the exit code is 1 then, and 0 if all came out as recorded.

  reapcheck replay result.json --property 'nothing is stuck' --until 5
  reapcheck replay rt1:self-owner-foreground:... --until 3 --extend`;

/** What `render --help` says below its options. */
export function renderEpilogue(): string {
  const width = Math.max(...FORMAT_NAMES.map((name) => name.length));
  const formats = FORMAT_NAMES.map((name) => `  ${name.padEnd(width)}  ${formatNamed(name).about}`);
  return `Formats:
${formats.join('\n')}

  reapcheck check --format json --output result.json
  reapcheck render result.json --format junit --output junit.xml
  reapcheck render result.json --format sarif --output reapcheck.sarif --report markdown=comment.md

The exit code is 0 when everything is written, whatever the verdicts are, and 2 for wrong input.`;
}

export const EXPLORE_EPILOGUE = `What can be done is printed, numbered, and one command is read a line: a number takes that step;
help lists the others. On a terminal there are history and completion. From a pipe or a file the
commands are printed with what they come to, and one that makes no sense means exit code 2. More,
with a worked session: docs/explore.md.

  reapcheck explore late-dependent-orphan
  reapcheck explore K8S-77081 --museum --variant after --protocol v1.20
  kubectl get all -o yaml > dump.yaml; reapcheck explore dump.yaml --delete deploy/web
  reapcheck explore rt1:late-dependent-orphan:...   from where a token leads
  printf 'until gone ConfigMap/a\\nwhy takeForDelete\\n' | reapcheck explore background-chain

${exitCodeTable()}`;

export const GATE_EPILOGUE = `A suite names scenarios, grids of parameters, properties and limits; each scenario with each choice
of parameters is a cell. The lock beside the suite pins what came out in each cell. Whatever comes
out otherwise is drift and exit code 1, until --update accepts it: docs/gate.md.

  reapcheck gate                                    reapcheck.suite.yaml in this folder
  reapcheck gate models/reapcheck.suite.yaml        another suite, with its lock beside it
  reapcheck gate --report junit=gate.xml --report markdown=gate.md
  reapcheck gate --shard 2/5 --output part-2.json   one of five parts, without a verdict
  reapcheck gate merge part-*.json                  the verdict of all of them
  reapcheck gate --update                           accept drift that is not worse
  reapcheck gate --update --accept-worse            accept all of it

${exitCodeTable()}`;
