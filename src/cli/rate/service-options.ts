/**
 * Options of commands that call a service: its address and the client. Options win over environment variables. Environment
 * variables win over the profile of `rates login`.
 */
import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { type Environment, isLoopback, readConfig } from '../../base/config/settings.ts';
import { jsonIn } from '../../base/parse-json.ts';
import { usingAlone } from '../../base/process/folder-lock.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { isMissing } from '../../catalog/tariff/folder-files.ts';
import {
  type Credentials,
  createRemote,
  download,
  type Patience,
  patiently,
  type Remote,
  RemoteFailure,
} from '../batch/remote.ts';
import { type Given, input, text } from '../command.ts';
import { CommandFailure, EXIT, failureText, isBrokenPipe, wrongUse } from '../exit.ts';
import { choicesText } from '../format.ts';
import { type Io, interruption } from '../io.ts';
import { createProgress, type Progress } from '../progress.ts';
import { openOutput } from './output-file.ts';

/*
 * The profiles of `rates login`: a service, a client and its secret by name, in a file that only its owner can read. Changes
 * replace the file atomically.
 */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const server = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin);
const profile = z.object({ server, clientId: z.string(), clientSecret: z.string() });
const content = z.object({ profiles: z.record(z.string().regex(NAME), profile) });

/** A service, without a path, and the client that calls it. */
export type Profile = z.output<typeof profile>;
type Profiles = Readonly<Record<string, Profile>>;

/** The profile to use if none is named. */
export const DEFAULT_PROFILE = 'default';

const NAME_FORM = 'letters, digits, ., _ and -, at most 64';

/** A profile's name as an option. */
export const profileName = z.string().regex(NAME, `must be ${NAME_FORM}`);

/** The profile named by an option or RATES_PROFILE. @throws {CommandFailure} if the variable is not a valid name */
export const namedProfile = (option: string | undefined, env: Environment): string | undefined => {
  const name = option ?? (env['RATES_PROFILE'] || undefined);
  if (name !== undefined && !NAME.test(name))
    throw wrongUse(`RATES_PROFILE must be ${NAME_FORM}, not ${JSON.stringify(name)}.`);
  return name;
};

/** The file of the profiles. A relative `XDG_CONFIG_HOME` is ignored, as the XDG specification requires. */
export const profilesFile = (env: Environment): string => {
  const given = env['XDG_CONFIG_HOME'] ?? '';
  const home = isAbsolute(given) ? given : join(env['HOME'] || homedir(), '.config');
  return join(home, 'shipping-rates', 'profiles.json');
};

/** Windows does not have these permissions. There, a user's folder is closed to others. */
const requirePrivate = async (file: string): Promise<void> => {
  const mode = (await stat(file)).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new CommandFailure(
    `Other users of this machine may read ${file} (mode ${mode.toString(8)}), and it holds secrets. ` +
      `Run \`chmod 600 ${file}\`. If somebody may have read it, rotate the secrets.`,
  );
};

/**
 * Reads the profiles. Empty if there is no file. @throws {CommandFailure} if others may read the file, or it has a different
 * format
 */
export const readProfiles = async (env: Environment): Promise<Profiles> => {
  const file = profilesFile(env);
  try {
    await requirePrivate(file);
    const read = content.safeParse(jsonIn(await readFile(file, 'utf8')));
    if (read.success) return read.data.profiles;
  } catch (error) {
    if (isMissing(error)) return {};
    throw error;
  }
  throw new CommandFailure(`${file} is not a file of profiles. Remove it, and run \`rates login\` again.`);
};

/** Changes the profiles, one command at a time. Removes the file with the last profile. */
export const changeProfiles = async (env: Environment, change: (profiles: Profiles) => Profiles): Promise<void> => {
  const file = profilesFile(env);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const changeFile = async (): Promise<void> => {
    const profiles = change(await readProfiles(env));
    if (Object.keys(profiles).length === 0) return await rm(file, { force: true });
    await replaceFile(file, `${JSON.stringify({ profiles }, undefined, 2)}\n`, 0o600);
    // The process's umask may have removed the owner's permissions.
    await chmod(file, 0o600);
  };
  await usingAlone(folder, changeFile, () => new CommandFailure(`Another command is changing ${file}. Try again.`));
};

/** @throws {CommandFailure} if there is no such profile */
export const profileNamed = (profiles: Profiles, name: string): Profile => {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  const known = names.length === 0 ? '' : `${choicesText('profile', names)}; `;
  throw wrongUse(`There is no profile ${name}. ${known}\`rates login --profile ${name}\` creates it.`);
};

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
  throw wrongUse(`${name} ${server} is not an address such as http://127.0.0.1:3000.`);
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
  if (client.id !== undefined || client.secret !== undefined) throw wrongUse(GIVE_BOTH);
  if (named !== undefined)
    throw wrongUse(`The profile ${named} is for ${profile?.server}, and its secret is sent only there. ${GIVE_BOTH}`);
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

/** Work at a service, with its progress on the terminal. */
export interface Doing {
  readonly remote: Remote;
  readonly progress: Progress;
  readonly patience: Patience;
  readonly io: Io;
}

export const atService = async <T>(flags: ServiceFlags, io: Io, work: (doing: Doing) => Promise<T>): Promise<T> => {
  const signal = interruption();
  const remote = await remoteOf(flags, io.env, signal);
  const progress = createProgress(io);
  try {
    return await work({ remote, progress, patience: patiently(signal, progress.trouble), io });
  } finally {
    progress.clear();
  }
};

/** Downloads a file to an output. @param ask gets the response */
export const fetchOutput = (
  { remote, progress, patience, io }: Doing,
  output: string,
  ask: () => Promise<Response>,
): Promise<void> =>
  download(
    remote,
    ask,
    () => openOutput(output, io),
    patience,
    (done, total) => progress.show({ doing: 'downloading', done, total, unit: 'bytes' }),
  );

interface Running {
  readonly thing: 'batch' | 'comparison';
  /** What the service confirms first. */
  readonly begun: string;
  /** What the command that watches it again does, and its words without `-o`, from the id. */
  readonly verb: string;
  readonly words: (id: string) => readonly string[];
  /** Whether the failure already says how to continue. */
  readonly isKnown: boolean;
}

/** Adds to a failure how to continue. @param id undefined before the service has confirmed the work */
export const withResumption = (
  error: unknown,
  id: string | undefined,
  { output, ...flags }: ServiceFlags & { readonly output?: string | undefined },
  { patience: { signal } }: Doing,
  { thing, begun, verb, words, isKnown }: Running,
): unknown => {
  if (id === undefined) {
    const message = `Interrupted before the service confirmed ${begun}.`;
    return signal.aborted ? new CommandFailure(message, EXIT.interrupted, { cause: error }) : error;
  }
  // If the output failed, it would fail again.
  const to = output === undefined ? [] : ['-o', signal.aborted || error instanceof RemoteFailure ? output : 'FILE'];
  const again = sameService(flags, [...words(id), ...to]);
  const continues = `The ${thing} continues.`;
  if (signal.aborted) {
    const message = `Interrupted. ${continues} Watch it again with: ${again}`;
    return new CommandFailure(message, EXIT.interrupted, { cause: error });
  }
  if (isKnown || isBrokenPipe(error)) return error;
  const exitCode = error instanceof CommandFailure ? error.exitCode : EXIT.failed;
  return new CommandFailure(`${failureText(error, false)}\n${continues} ${verb} it with: ${again}`, exitCode, {
    cause: error,
  });
};

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
