/** Options of commands that call a service: its address and the client. */
import type { Command } from 'commander';
import { isLoopback, readConfig } from '../config/settings.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { type Credentials, createRemote, type Remote } from './remote.ts';

export interface ServiceFlags {
  readonly server?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export const withServiceOptions = (command: Command): Command =>
  command
    .option('--server <url>', 'the service; default: the one at HOST and PORT')
    .option('--client-id <id>', 'the client; default: RATES_CLIENT_ID')
    .option('--client-secret <secret>', 'its secret; default: RATES_CLIENT_SECRET, which process lists do not show');

const serverOf = ({ server }: ServiceFlags, env: NodeJS.ProcessEnv): string => {
  if (server === undefined) {
    const { host, port } = readConfig(env);
    const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  }
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new CommandFailure(`--server ${server} is not an address such as http://127.0.0.1:3000.`, EXIT.usage);
  return server;
};

/** The sample client is public, so it is the default only for a service on this machine. */
const credentialsOf = (flags: ServiceFlags, server: string, env: NodeJS.ProcessEnv): Credentials => {
  const id = flags.clientId ?? (env['RATES_CLIENT_ID'] || undefined);
  const secret = flags.clientSecret ?? (env['RATES_CLIENT_SECRET'] || undefined);
  if (id !== undefined && secret !== undefined) return { id, secret };
  if (id !== undefined || secret !== undefined)
    throw new CommandFailure('Give both --client-id and --client-secret.', EXIT.usage);
  if (isLoopback(new URL(server).hostname.replace(/^\[(.*)\]$/, '$1'))) return { id: 'demo', secret: 'demo-secret' };
  throw new CommandFailure(
    `${server} needs a client. Give --client-id and --client-secret, or RATES_CLIENT_ID and RATES_CLIENT_SECRET.`,
    EXIT.unauthorized,
  );
};

/** The service that the options or the environment name. @throws {CommandFailure} if an option is missing or wrong */
export const remoteOf = (flags: ServiceFlags, env: NodeJS.ProcessEnv, signal: AbortSignal): Remote => {
  const server = serverOf(flags, env);
  return createRemote({ server, credentials: credentialsOf(flags, server, env), signal });
};

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A shell command that calls the same service. It does not contain the secret. */
export const sameService = ({ server, clientId }: ServiceFlags, words: readonly string[]): string =>
  [
    ...words,
    ...(server === undefined ? [] : ['--server', server]),
    ...(clientId === undefined ? [] : ['--client-id', clientId]),
  ]
    .map(quoted)
    .join(' ');
