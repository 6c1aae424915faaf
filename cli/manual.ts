import { FORMAT_NAMES, formatNamed } from '../report/format-names.ts';
import { exitCodeTable } from '../text/exit-codes.ts';

/** The texts below the options in `--help`, of `reapcheck` and of each command. */

export const EXAMPLES = `Examples:
  reapcheck check                                   all built-in scenarios
  reapcheck check foreground-diamond                one of them, in full
  reapcheck dump-command                            the command that collects a dump
  reapcheck delete dump.yaml deploy/web -n shop     what goes, stays or hangs
  reapcheck explain dump.yaml ns/shop               why something does not go
  reapcheck delete --context prod deploy/web -n shop   of a live cluster, reading only
  reapcheck check --museum K8S-77081                a historic defect, before and after its fix
  reapcheck check my-scenario.yaml --rule cycleBreaking=none
  reapcheck check patch-races-recreation --distinct 2   two ways to the same defect
  reapcheck simulate my-large-scenario.yaml         random walks, for models too large to search
  reapcheck check my-scenario.yaml --format json --output result.json
  reapcheck check my-large-scenario.yaml --checkpoint saved   then: reapcheck resume saved
  reapcheck replay result.json
  reapcheck check ./my-model.ts                     a model of your own: docs/writing-a-model.md
  reapcheck gate                                    what changed since the lock was written`;

export function resumeEpilogue(): string {
  return `The search goes on where it was saved last. Its scenario, its options and the code of reapcheck must
be the same as then; limits and output may be other ones. A limit on seconds begins anew.

  reapcheck check my-large-scenario.yaml --checkpoint saved --timeout 600
  reapcheck resume saved --timeout 3600
  reapcheck resume saved --format json --output result.json

${exitCodeTable()}`;
}

const QUESTION_EXIT_CODES = `Exit codes of questions:
    0  everything that is asked to go goes on every run, and nothing hangs
    1  something that is asked to go stays or hangs, or another object hangs; or a risk was found
    2  wrong usage or wrong input
    3  unknown: the dump does not say enough, or the time was up before all runs were tried
   70  a defect of the model or of reapcheck itself
  130  interrupted; the partial answer was printed`;

export const QUESTION_EPILOGUE = `The answer says for each object whether it goes, stays, hangs, depends on something, or is unknown.

  kubectl get all -o yaml | reapcheck delete - deploy/web
  reapcheck delete dump.yaml deploy/web svc/web --namespace shop --cascade foreground
  reapcheck delete dump.yaml pod web-0 web-1 --force
  reapcheck delete dump.yaml ns/shop --node-lost worker-3 --traces
  reapcheck delete dump.yaml crd/backups.example.com --stuck-finalizer example.com/snapshot

${QUESTION_EXIT_CODES}`;

export const COMPARE_EPILOGUE = `The answer has one row for each object, and one column for each policy: background, foreground, orphan.
The rows that differ are marked. The exit code is the worst one of the three deletions.

  kubectl get all -o yaml | reapcheck compare - deploy/web
  reapcheck compare dump.yaml deploy/web svc/web --namespace shop

${QUESTION_EXIT_CODES}`;

export const COLLECT_EPILOGUE = `No deletion is requested. The answer shows the objects that go nevertheless, and why: owners with
other uids (a restored backup), owners that do not exist or are in another namespace, deletions that
go on. It also shows deletions that hang, and owners that the dump says nothing about.

  kubectl get all,cm,secret,pvc -A -o yaml | reapcheck collect -
  reapcheck collect restored.yaml --dump owners.yaml --traces

Exit codes of collect:
    0  nothing goes that nobody asked to delete, and no deletion hangs
    1  something goes or hangs that nobody asked for
    2  wrong usage or wrong input
    3  unknown: the dump does not say enough, or the time was up before all runs were tried
   70  a defect of the model or of reapcheck itself
  130  interrupted; the partial answer was printed`;

export const SURVEY_EPILOGUE = `A root object has no owner in the dump; namespaces and definitions are roots as well. Each is deleted
by itself. The table shows what would hang, what is risky, what would take along data, instances or
objects of other namespaces, and what is not certain. The others are only counted. Each row names the
command that shows it in full.

  kubectl get all,cm,secret,pvc -A -o yaml | reapcheck survey -
  reapcheck survey dump.yaml --namespace shop --cascade foreground
  reapcheck survey dump.yaml --format junit --output survey.xml --report markdown=survey.md

Exit codes of survey:
    0  every deletion ends, and nothing hangs
    1  something hangs, or stays although it is asked to go; or a risk was found
    2  wrong usage or wrong input
    3  unknown: the dump does not say enough, or the time was up before all runs were tried
   70  a defect of the model or of reapcheck itself
  130  interrupted; the rows that were finished were printed`;
export const EXPLAIN_EPILOGUE = `The answer says what each object waits for, the first thing to mend first, and prints remedies: steps
of kubectl commands, tried in the model before they are printed, the least harmful first. A remedy
after which something still hangs in the model is not printed.

  kubectl get ns,crd,apiservices,nodes -o yaml > cluster.yaml
  kubectl get all,cm,secrets,pvc,kafkatopics -n kafka -o yaml > kafka.yaml
  reapcheck explain kafka.yaml --dump cluster.yaml
  reapcheck explain dump.yaml ns/kafka
  reapcheck explain dump.yaml --namespace shop --stuck-finalizer example.com/snapshot

How long an object has been waiting is counted to the newest time in the dump, not to now.

Exit codes of explain:
    0  everything that is being deleted goes by itself, or nothing is being deleted
    1  something hangs
    2  wrong usage or wrong input
    3  unknown: it depends on a controller that the dump does not show, the dump lacks something, an
       object has been waiting for long for no reason in the dump, or the time was up
   70  a defect of the model or of reapcheck itself
  130  interrupted; the partial answer was printed`;

export const UNINSTALL_EPILOGUE = `The objects of the release are grouped: instances of its definitions, the definitions, workloads, the
rest (roles, accounts, configuration), namespaces. The answer is an order of the groups in which each
is gone before the next one is deleted, and the groups that cannot be the first, with what hangs then.

  reapcheck uninstall dump.yaml --release op
  reapcheck uninstall dump.yaml --selector app.kubernetes.io/part-of=op
  helm get manifest op | reapcheck uninstall dump.yaml -f -

Exit codes of uninstall:
    0  the order ends clean
    1  every order that was tried gets stuck
    2  wrong usage or wrong input
    3  no order is certain to end clean: the dump or the time leaves something open
   70  a defect of the model or of reapcheck itself
  130  interrupted; the partial answer was printed`;

export const SIMULATE_EPILOGUE = `A walk takes random possible steps. It is fair: no step that must happen is postponed for ever, and
users may or may not send their requests. Counterexamples are shortened and executed again. Walks can
show that a property is violated or that something is possible. They cannot show that a property
holds: finding nothing is inconclusive. The same seed gives the same walks, but a timeout may cut
them off at another point.

  reapcheck simulate deployment-foreground --walks 200 --seed 7
  reapcheck simulate big.yaml --steps 5000 --timeout 60 --property every-deletion-finishes
  kubectl get all -o yaml | reapcheck simulate - --delete deploy/web --cascade foreground

${exitCodeTable()}`;

export const CONFORM_EPILOGUE = `facts  Cases from Kubernetes' own tests. Without a path: the ones that come with reapcheck.
       Unsupported cases count as inconclusive.
trace  Behaviour of a real cluster: audit logs (audit.k8s.io/v1), streams of kubectl get -w -o json
       --output-watch-events, or recorded scenarios; gzip is supported. Exit code 1: rejected.

  reapcheck conform trace audit.log.gz
  reapcheck conform trace --partial metadata-level-audit.log   levels Metadata and Request
  kubectl get cm,po,rs,deploy -w -o json --output-watch-events | reapcheck conform trace -

${exitCodeTable()}`;

export const DUMP_COMMAND_EPILOGUE = `dump-command prints one command for a POSIX shell and runs nothing. The command lists all kinds that
the cluster can list and writes dump.yaml. It prints of each object the metadata, and of specs and
status only what deletion depends on. The data of secrets and config maps, the last applied
configuration, managed fields and events are left out. If some kinds cannot be listed, the client
reports them, and the rest is written; an answer that depends on such a kind is unknown.

  reapcheck dump-command                            all namespaces of the current context
  reapcheck dump-command -n shop -n billing         two namespaces and all cluster-scoped objects
  reapcheck dump-command --context prod --kubectl oc
  reapcheck dump-command | sh                       run it at once
  reapcheck check dump.yaml --delete deploy/web -n shop`;

export const REPLAY_EPILOGUE = `Each counterexample ends with a token (rt1:...). The token encodes the input, the options that
change the model, and each action by its position among the possible ones. If the model has changed
and the token no longer applies, replay prints the first step that differs and the steps that are
possible there, and exits with 1. It exits with 0 if everything is as recorded.

  reapcheck replay result.json --property nothing-stuck --until 5
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

The exit code is 0 if all reports were written, whatever the verdicts, and 2 for wrong input.`;
}

export const SERVE_EPILOGUE = `serve is a Kubernetes API server for tests, with the model behind it: docs/serve.md.

  reapcheck serve --kubeconfig kubeconfig.yaml
  reapcheck serve dump.yaml --schedule seed:7      with the objects of a dump, and an adversary
  reapcheck serve foreground-diamond --port 8001   with the objects of a scenario
  reapcheck serve --record run.yaml                keep the run, for replay and check
  reapcheck serve --schedule TOKEN --plays NAME --operator-kubeconfig operator.yaml   your operator in a run
  kubectl --kubeconfig kubeconfig.yaml delete deploy/web --cascade=foreground`;

export const RECORD_EPILOGUE = `record only reads: it lists and watches, and writes nothing to the cluster. The folder gets part-1.jsonl
with every change in the order of the store, and recording.txt, which says what the recording does not
know. Where a watch loses changes, a next part begins. With --audit-log, the part has the requests of the
same time as well. Of objects only the metadata is recorded, without labels and annotations.

  reapcheck record --context staging --out recording --for 10m
  reapcheck record --context kind-kind --out recording --audit-log audit.log
  reapcheck conform trace recording

Exit codes of record:
    0  recorded, without a gap
    2  wrong usage or wrong input, or the cluster cannot be read
    3  recorded, with gaps or without some kinds: recording.txt says which
   70  a defect of reapcheck itself`;

export const EXPORT_EPILOGUE = `export writes a counterexample as a test for the repository of an operator: docs/export.md. The test
starts reapcheck serve with the token, sends the requests of the run, and says how it should end. It
fails while the defect is there. What no client can do or see is refused with exit code 2.

  reapcheck export rt1:late-dependent-orphan:... --to node-test -o late.test.mjs
  reapcheck export result.json --property every-deletion-finishes --to kubectl
  reapcheck export rt1:late-dependent-orphan:... --to go-envtest -o late_test.go`;

export const FLEET_EPILOGUE = `A worker takes the jobs of reapcheck gate, survey, simulate and check --fleet from a Redis and sends
their results back. It takes only jobs of the same code of reapcheck. Jobs of a worker that dies go
to another one. It needs the packages bullmq and ioredis: docs/fleet.md.

  npm install --global reapcheck bullmq@6 ioredis@6
  reapcheck fleet worker --redis redis://queue.example
  REAPCHECK_REDIS_PASSWORD=... reapcheck fleet worker --redis rediss://queue.example:6380 --slots 8
  reapcheck fleet worker --redis redis://queue.example --idle 600     as a Kubernetes Job

and elsewhere:

  reapcheck gate --fleet redis://queue.example
  reapcheck survey dump.yaml --fleet redis://queue.example --timeout 3600
  reapcheck check my-large-scenario.yaml --fleet redis://queue.example --partitions 4

It ends with 0 if it was told to or was idle, and with 2 if Redis refused it or was away too long.`;

export const EXPLORE_EPILOGUE = `explore prints the possible steps with numbers and reads one command per line. A number takes that
step; help lists the other commands. On a terminal, history and completion are available. Commands
from a pipe or a file are printed with their output, and an invalid command means exit code 2.
docs/explore.md has more, with an example session.

  reapcheck explore late-dependent-orphan
  reapcheck explore K8S-77081 --museum --variant after --protocol v1.20
  kubectl get all -o yaml > dump.yaml; reapcheck explore dump.yaml --delete deploy/web
  reapcheck explore rt1:late-dependent-orphan:...   from the end of a token's run
  reapcheck explore http://127.0.0.1:36107          steps of reapcheck serve --schedule manual
  printf 'until gone ConfigMap/a\\nwhy takeForDelete\\n' | reapcheck explore background-chain

${exitCodeTable()}`;

export const GATE_EPILOGUE = `A suite names scenarios, grids of parameters, properties and limits; each scenario with each choice
of parameters is a cell. The lock beside the suite pins the result of each cell. Any other
result is drift and exit code 1, until --update accepts it: docs/gate.md.

  reapcheck gate                                    reapcheck.suite.yaml in this folder
  reapcheck gate models/reapcheck.suite.yaml        another suite, with its lock beside it
  reapcheck gate ./my-model.ts --update             pin the results of a module, in my-model.lock.json
  reapcheck gate --report junit=gate.xml --report markdown=gate.md
  reapcheck gate --shard 2/5 --output part-2.json   one of five parts, without a verdict
  reapcheck gate merge part-*.json                  the verdict of all of them
  reapcheck gate --update                           accept drift that is not worse
  reapcheck gate --update --accept-worse            accept all of it

${exitCodeTable()}`;
