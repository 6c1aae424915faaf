import { closeSync, openSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { beginServing } from '../../serve/begin.ts';
import { isLoopback } from '../../serve/http/hosts.ts';
import { kubeconfigFor, operatorKubeconfigFor } from '../../serve/kubeconfig.ts';
import { escaped } from '../../text/escape.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import { loadModule } from '../modules.ts';
import type { ServeArguments } from '../serve-arguments.ts';

/** Serves until it is stopped. The kubeconfig goes to stdout or into a file, the rest to stderr. */
export async function serveCommand(given: ServeArguments, io: Io): Promise<ExitCode> {
  const say = (text: string): void => io.stderr.write(`${escaped(text)}\n`);
  const onDefect = (error: Error): void => say(`defect: ${error.stack ?? error.message}`);
  const log = given.auditLog === null ? null : openSync(given.auditLog, 'w');
  const auditSink = log === null ? null : (line: string): void => void writeSync(log, line);
  const { app, schedule, record, protocol, warnings } = await beginServing(
    { ...given, auditSink, say, onDefect, load: loadModule },
    io.stdin,
  );
  for (const warning of warnings) say(`note: ${warning}`);
  const stopped = stop(io);
  try {
    await app.listen({ host: given.address, port: given.port });
  } catch (error) {
    await app.close();
    throw MESSAGES.usage(
      `cannot listen on ${given.address}, port ${given.port}: ${(error as Error).message}`,
    );
  }
  const { port } = app.server.address() as AddressInfo;
  const url = `http://${given.address.includes(':') ? `[${given.address}]` : given.address}:${port}`;
  const kubeconfig = kubeconfigFor(url);
  if (given.kubeconfig === null) io.stdout.write(kubeconfig);
  else {
    await writeFile(given.kubeconfig, kubeconfig);
    say(`kubeconfig: ${given.kubeconfig}`);
  }
  if (given.operatorKubeconfig !== undefined) {
    await writeFile(given.operatorKubeconfig, operatorKubeconfigFor(url));
  }
  if (!isLoopback(given.address)) {
    say(
      `warning: there is no authentication: everyone who reaches ${given.address} can do anything`,
    );
  }
  say(`serving ${url}, schedule ${schedule.words}`);
  await stopped;
  await app.close();
  for (const line of record?.end() ?? []) say(line);
  if (log !== null) {
    closeSync(log);
    say(`audit log: reapcheck conform trace ${given.auditLog} --protocol ${protocol}`);
  }
  return EXIT.asExpected;
}

function stop(io: Io): Promise<void> {
  return new Promise((resolve) => {
    io.onInterrupt(resolve);
    io.onTerminate?.(resolve);
  });
}
