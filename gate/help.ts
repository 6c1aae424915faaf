import { exitCodeTable } from '../text/exit-codes.ts';

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
