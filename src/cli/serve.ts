/** `rates serve`: the whole service, until SIGTERM, SIGINT or SIGHUP. */
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { readClients, refuseSampleSecrets } from '../clients/clients.ts';
import { type Config, isLoopback, readConfig } from '../config/settings.ts';
import { createLog } from '../log.ts';
import { type ServiceDeps, startService } from './supervisor.ts';

/** One Ctrl-C may come twice, from the terminal and from `npm start`, which passes it on. */
const SAME_SIGNAL_MS = 1_000;

const sayOn = (stream: NodeJS.WritableStream) => (line: string) => {
  stream.write(`${line}\n`);
};

/** Settle when the process is asked to end, and when it is asked again by someone who does not want to wait. */
const endSignals = (): { readonly first: Promise<unknown>; readonly second: Promise<unknown> } => {
  const signals = new EventEmitter();
  let firstAt: number | undefined;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      firstAt ??= performance.now();
      signals.emit(performance.now() - firstAt < SAME_SIGNAL_MS ? 'first' : 'second');
    });
  }
  return { first: once(signals, 'first'), second: once(signals, 'second') };
};

/** What every process would refuse is refused once. @throws {ClientsFileError} */
const checkClients = async ({ clientsFile, host }: Config): Promise<void> => {
  if (clientsFile === undefined) return;
  const clients = readClients(await readFile(clientsFile, 'utf8'), clientsFile);
  if (!isLoopback(host)) refuseSampleSecrets(clients, clientsFile);
};

/**
 * Runs the whole service and resolves, when a signal has ended it, with nothing of it left running. Rejects where it
 * cannot start, in words for people.
 */
export const serve = async (
  env: NodeJS.ProcessEnv,
  hooks: Pick<ServiceDeps, 'onWorkerExit' | 'programs'> = {},
): Promise<void> => {
  const config = readConfig(env);
  await checkClients(config);
  const log = createLog({ level: config.logLevel, name: 'serve' });
  const signals = endSignals();
  const tell = sayOn(process.stderr);
  const service = await startService(config, { ...hooks, env, execArgv: process.execArgv, log, tell });
  sayOn(process.stdout)(`Shipping rates are served at ${service.url}`);
  await signals.first;
  log.info('stopping');
  await Promise.race([service.stop(), signals.second.then(() => service.stop(0))]);
};
