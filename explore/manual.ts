import { exitCodeTable } from '../text/exit-codes.ts';

/** What `explore --help` says below its options. */
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
