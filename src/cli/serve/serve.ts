/** `rates serve`: the whole service, until SIGTERM, SIGINT or SIGHUP. */
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type Config, isLoopback, PUBLISHED, readConfig } from '../../base/config/settings.ts';
import { createLog, logFormatOf } from '../../base/log.ts';
import { readClients, refuseSampleSecrets } from '../../catalog/clients/clients.ts';
import { onStopSignals } from '../io.ts';
import { type ServiceDeps, startService } from './supervisor.ts';

const sayOn = (stream: NodeJS.WritableStream) => (line: string) => {
  stream.write(`${line}\n`);
};

const PLACES = ['TARIFFS_DIR', 'AGREEMENTS_DIR', 'CLIENTS_FILE'] as const;

/**
 * If there is an operator and no place for tariffs, agreements or clients is set, the service starts with none of them. The
 * store under `DATA_DIR` keeps what the console publishes. Without an operator, the service uses the samples.
 */
const withPlaces = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  (env['OPERATOR_TOKEN'] ?? '') === '' || PLACES.some((place) => (env[place] ?? '') !== '')
    ? env
    : { ...env, ...Object.fromEntries(PLACES.map((place) => [place, PUBLISHED])) };

/** Reports a bad clients file once rather than from every process. @throws {ClientsFileError} */
const checkClients = async ({ clientsFile, host }: Config): Promise<void> => {
  if (clientsFile === undefined) return;
  const clients = readClients(await readFile(clientsFile, 'utf8'), clientsFile);
  if (!isLoopback(host)) refuseSampleSecrets(clients, clientsFile);
};

/**
 * Runs the whole service until a signal ends it, and resolves when all its processes have ended. Rejects if it cannot start.
 * A second signal ends it by force.
 */
export const serve = async (
  given: NodeJS.ProcessEnv,
  hooks: Pick<ServiceDeps, 'onWorkerExit' | 'programs'> = {},
): Promise<void> => {
  const env = withPlaces(given);
  const config = readConfig(env);
  await checkClients(config);
  const format = logFormatOf(config.logFormat);
  const log = createLog({ level: config.logLevel, name: 'serve', format });
  const signals = new EventEmitter();
  const first = once(signals, 'first');
  const second = once(signals, 'second');
  onStopSignals(
    () => signals.emit('first'),
    () => signals.emit('second'),
  );
  const tell = sayOn(process.stderr);
  const service = await startService(config, {
    ...hooks,
    env: { ...env, LOG_FORMAT: format },
    execArgv: process.execArgv,
    log,
    tell,
  });
  const say = sayOn(process.stdout);
  say(`Shipping rates are served at ${service.url}`);
  if (config.operatorToken !== undefined) say(`Operators sign in with OPERATOR_TOKEN at ${service.url}/#/operator`);
  await first;
  log.info('stopping');
  await Promise.race([service.stop(), second.then(() => service.stop(0))]);
};
