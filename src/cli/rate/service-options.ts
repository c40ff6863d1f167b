/**
 * Options of commands that call a service: its address and the client. Options win over environment variables. Environment
 * variables win over the profile of `rates login`.
 */
import { type Environment, isLoopback, readConfig } from '../../base/config/settings.ts';
import {
  DEFAULT_PROFILE,
  namedProfile,
  type Profile,
  profileName,
  profileNamed,
  readProfiles,
} from '../batch/profiles.ts';
import { type Credentials, createRemote, type Remote } from '../batch/remote.ts';
import { type Given, input, text } from '../command.ts';
import { CommandFailure, EXIT } from '../exit.ts';

export const SERVICE_OPTIONS = {
  server: text('--server <url>', 'the service; default: RATES_SERVER, the profile, or the one at HOST and PORT'),
  clientId: text('--client-id <id>', 'the client; default: RATES_CLIENT_ID, or the profile'),
  clientSecret: text(
    '--client-secret <secret>',
    'its secret; default: RATES_CLIENT_SECRET, which process lists do not show, or the profile',
  ),
  profile: input(
    '--profile <name>',
    'the profile of `rates login`; default: RATES_PROFILE, or default',
    profileName.optional(),
  ),
};
export type ServiceFlags = Partial<Given<typeof SERVICE_OPTIONS>>;

const given = (env: Environment, name: string): string | undefined => env[name] || undefined;

/** The address of the service that runs on this machine with these settings. */
export const ownAddress = (env: Environment): string => {
  const { host, port } = readConfig(env);
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
};

/** @returns the address without a path @throws {CommandFailure} if it is invalid */
const addressOf = (server: string, name: string): string => {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new CommandFailure(`${name} ${server} is not an address such as http://127.0.0.1:3000.`, EXIT.usage);
};

export const isOnThisMachine = (server: string): boolean =>
  isLoopback(new URL(server).hostname.replace(/^\[(.*)\]$/, '$1'));

/** The server in an option or the environment, without a profile. */
export const serverNamed = (flags: Pick<ServiceFlags, 'server'>, env: Environment): string | undefined => {
  if (flags.server !== undefined) return addressOf(flags.server, '--server');
  const named = given(env, 'RATES_SERVER');
  return named === undefined ? undefined : addressOf(named, 'RATES_SERVER');
};

/** The client's credentials in options or the environment. */
export const clientNamed = (flags: ServiceFlags, env: Environment): Partial<Credentials> => {
  const id = flags.clientId ?? given(env, 'RATES_CLIENT_ID');
  const secret = flags.clientSecret ?? given(env, 'RATES_CLIENT_SECRET');
  return { ...(id !== undefined && { id }), ...(secret !== undefined && { secret }) };
};

const isWhole = (client: Partial<Credentials>): client is Credentials =>
  client.id !== undefined && client.secret !== undefined;

/** The profile to use, and its name if one was given. */
interface Chosen {
  readonly profile?: Profile;
  readonly named?: string;
}

const profileOf = async (flags: ServiceFlags, env: Environment): Promise<Chosen> => {
  const named = namedProfile(flags.profile, env);
  const profiles = await readProfiles(env);
  if (named !== undefined) return { profile: profileNamed(profiles, named), named };
  return Object.hasOwn(profiles, DEFAULT_PROFILE) ? { profile: profileNamed(profiles, DEFAULT_PROFILE) } : {};
};

/** If set, HOST and PORT are the service on this machine. Only a profile that is named wins over them. */
const serverOf = ({ profile, named }: Chosen, env: Environment): string => {
  const isSet = given(env, 'HOST') !== undefined || given(env, 'PORT') !== undefined;
  return (named === undefined && isSet ? undefined : profile?.server) ?? ownAddress(env);
};

const GIVE_BOTH = 'Give both --client-id and --client-secret.';

/** A profile's secret is sent only to the profile's server. */
const credentialsOf = (client: Partial<Credentials>, server: string, { profile, named }: Chosen): Credentials => {
  if (isWhole(client)) return client;
  const isSame = client.secret === undefined && (client.id === undefined || client.id === profile?.clientId);
  if (profile?.server === server && isSame) return { id: profile.clientId, secret: profile.clientSecret };
  if (client.id !== undefined || client.secret !== undefined) throw new CommandFailure(GIVE_BOTH, EXIT.usage);
  if (named !== undefined)
    throw new CommandFailure(
      `The profile ${named} is for ${profile?.server}, and its secret is sent only there. ${GIVE_BOTH}`,
      EXIT.usage,
    );
  // The sample client is public, so it is the default only for a service on this machine.
  if (isOnThisMachine(server)) return { id: 'demo', secret: 'demo-secret' };
  throw new CommandFailure(
    `${server} needs a client. Run \`rates login\`, or give --client-id and --client-secret, or RATES_CLIENT_ID and ` +
      'RATES_CLIENT_SECRET.',
    EXIT.unauthorized,
  );
};

const calledOf = async (flags: ServiceFlags, env: Environment) => {
  // A profile in an option wins over variables.
  const variables = flags.profile === undefined ? env : {};
  const direct = serverNamed(flags, variables);
  const client = clientNamed(flags, variables);
  // The file of profiles is not needed then.
  if (direct !== undefined && isWhole(client)) return { server: direct, credentials: client };
  const chosen = await profileOf(flags, env);
  const server = direct ?? serverOf(chosen, env);
  return { server, credentials: credentialsOf(client, server, chosen) };
};

/**
 * The service in the options, the environment or a profile. @throws {CommandFailure} if an option is missing or invalid, or
 * the profile is unusable
 */
export const remoteOf = async (flags: ServiceFlags, env: Environment, signal: AbortSignal): Promise<Remote> =>
  createRemote({ ...(await calledOf(flags, env)), signal });

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A shell command for the same service. It does not contain the secret. */
export const sameService = ({ profile, server, clientId }: ServiceFlags, words: readonly string[]): string =>
  [
    ...words,
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(server === undefined ? [] : ['--server', server]),
    ...(clientId === undefined ? [] : ['--client-id', clientId]),
  ]
    .map(quoted)
    .join(' ');
