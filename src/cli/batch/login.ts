/** `rates login` and `rates logout`: store the service, the client and its secret as defaults for later commands. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as textIn } from 'node:stream/consumers';
import { command, flag, input, type Said, text } from '../command.ts';
import { CommandFailure, EXIT, wrongUse } from '../exit.ts';
import { table } from '../format.ts';
import { type Io, interruption } from '../io.ts';
import {
  changeProfiles,
  clientNamed,
  DEFAULT_PROFILE,
  isOnThisMachine,
  namedProfile,
  ownAddress,
  type Profile,
  profileName,
  profileNamed,
  profilesFile,
  readProfiles,
  type ServiceFlags,
  serverNamed,
} from '../rate/service-options.ts';
import { createRemote } from './remote.ts';

/* Questions on a terminal. They go to standard error, because standard output is for data. */

/** A sink for readline's echo. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const answerTo = async (io: Pick<Io, 'stdin' | 'stderr'>, question: string, isSecret: boolean): Promise<string> => {
  const output = isSecret ? nowhere() : io.stderr;
  const lines = createInterface({ input: io.stdin, output, terminal: true });
  const left = new AbortController();
  lines.once('SIGINT', () => left.abort());
  lines.once('close', () => left.abort());
  try {
    if (isSecret) io.stderr.write(question);
    return (await lines.question(isSecret ? '' : question, { signal: left.signal })).trim();
  } catch (cause) {
    if (!left.signal.aborted) throw cause;
    throw new CommandFailure('Interrupted. Nothing was saved.', EXIT.interrupted, { cause });
  } finally {
    lines.close();
    if (isSecret || left.signal.aborted) io.stderr.write('\n');
  }
};

/** @returns the answer, or `absent` if it is empty */
const ask = async (io: Pick<Io, 'stdin' | 'stderr'>, question: string, absent = ''): Promise<string> =>
  (await answerTo(io, absent === '' ? `${question}: ` : `${question} [${absent}]: `, false)) || absent;

/** Asks without showing the answer. */
const askSecret = (io: Pick<Io, 'stdin' | 'stderr'>, question: string): Promise<string> =>
  answerTo(io, `${question} (not shown): `, true);

/** The first line of standard input. */
const secretIn = async (io: Io): Promise<string> => (await textIn(io.stdin)).split(/\r?\n/, 1)[0]?.trim() ?? '';

/** Options win over variables, and variables win over the existing profile. Asks for the rest on a terminal. */
const wanted = async (flags: ServiceFlags, before: Profile | undefined, io: Io): Promise<Profile> => {
  const canAsk = 'isTTY' in io.stdin && io.stdin.isTTY === true;
  const named = clientNamed(flags, io.env);
  const usual = before?.server ?? ownAddress(io.env);
  const server =
    serverNamed(flags, io.env) ??
    (canAsk ? serverNamed({ server: await ask(io, 'Address of the service', usual) }, {}) : usual) ??
    usual;
  const clientId = named.id ?? (canAsk ? await ask(io, 'Client', before?.clientId) : (before?.clientId ?? ''));
  if (clientId === '') throw wrongUse('Name the client with --client-id or RATES_CLIENT_ID.');
  const clientSecret = named.secret ?? (canAsk ? await askSecret(io, `Secret of ${clientId}`) : await secretIn(io));
  if (clientSecret === '') throw wrongUse('There is no secret. Send it on standard input, or set RATES_CLIENT_SECRET.');
  return { server, clientId, clientSecret };
};

const profileIn = ({ profile }: Pick<ServiceFlags, 'profile'>, { env }: Io): string =>
  namedProfile(profile, env) ?? DEFAULT_PROFILE;

/** Variables that win over a profile unless an option names the profile. */
const VARIABLES = ['RATES_SERVER', 'RATES_CLIENT_ID', 'RATES_CLIENT_SECRET'];

const keepProfile = async (flags: ServiceFlags, io: Io): Promise<Said> => {
  const name = profileIn(flags, io);
  const profiles = await readProfiles(io.env);
  const before = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const profile = await wanted(flags, before, io);
  const { server, clientId, clientSecret } = profile;
  await createRemote({
    server,
    credentials: { id: clientId, secret: clientSecret },
    signal: interruption(),
  }).signIn();
  await changeProfiles(io.env, (all) => ({ ...all, [name]: profile }));
  // HOST and PORT win only if no profile is named.
  const own = name === DEFAULT_PROFILE && (io.env['RATES_PROFILE'] ?? '') === '' ? ['HOST', 'PORT'] : [];
  const set = [...VARIABLES, ...own].filter((variable) => (io.env[variable] ?? '') !== '');
  const isOpen = server.startsWith('http:') && !isOnThisMachine(server);
  const open = `Note: ${server} has no encryption, so the network can read the secret. Use https if the service has it.`;
  const hidden = `Note: The environment overrides the profile: ${set.join(', ')}. --profile ${name} uses the profile in any case.`;
  return {
    json: () => ({ profile: name, server, clientId }),
    notes: [
      `${server} accepts ${clientId}. The profile ${name} is saved in ${profilesFile(io.env)}.`,
      ...(isOpen ? [open] : []),
      ...(set.length > 0 ? [hidden] : []),
    ],
  };
};

/** The profiles without their secrets. */
const listProfiles = async ({ env }: Io): Promise<Said> => {
  const profiles = Object.entries(await readProfiles(env)).map(([name, { server, clientId }]) => ({
    name,
    server,
    clientId,
  }));
  return {
    json: () => ({ profiles }),
    lines: () =>
      table(
        profiles.map(({ name, server, clientId }) => [name, clientId, server]),
        [],
        200,
      ),
    remarks: () => (profiles.length === 0 ? ['There is no profile yet.'] : []),
  };
};

export const login = command({
  path: 'login',
  about: 'Save a service, a client and its secret, so that other commands need no options',
  options: {
    server: text('--server <url>', 'the service; default: RATES_SERVER, or it is asked for'),
    clientId: text('--client-id <id>', 'the client; default: RATES_CLIENT_ID, or it is asked for'),
    clientSecret: text(
      '--client-secret <secret>',
      'its secret, which process lists show; default: RATES_CLIENT_SECRET, or it is asked for',
    ),
    profile: input(
      '--profile <name>',
      'the name to save it under; default: RATES_PROFILE, or default',
      profileName.optional(),
    ),
    list: flag('--list', 'only list the profiles, without secrets'),
    json: flag('--json', 'print JSON'),
  },
  examples: [
    'rates login --server https://rates.example.com --client-id acme',
    'rates login --server https://rates.example.com --client-id acme < secret.txt',
    'rates login --profile test --server http://127.0.0.1:3000 --client-id demo',
    'rates login --list --json',
  ],
  more: `In a terminal it asks for what is missing, and does not show the secret. Otherwise it reads the secret from standard input.
Only you can read the file, $XDG_CONFIG_HOME/shipping-rates/profiles.json or ~/.config/shipping-rates/profiles.json.
Options and environment variables override a profile: RATES_SERVER, RATES_CLIENT_ID, RATES_CLIENT_SECRET.`,
  run: ({ list, ...flags }, io) => (list ? listProfiles(io) : keepProfile(flags, io)),
});

export const logout = command({
  path: 'logout',
  about: 'Remove a profile of `rates login`',
  options: {
    profile: input('--profile <name>', 'its name; default: RATES_PROFILE, or default', profileName.optional()),
    all: flag('--all', 'remove all profiles'),
  },
  excludes: { all: ['profile'] },
  examples: ['rates logout', 'rates logout --profile test', 'rates logout --all'],
  run: async ({ profile, all }, io) => {
    const name = profileIn({ profile }, io);
    await changeProfiles(io.env, (profiles) => {
      if (all) return {};
      profileNamed(profiles, name);
      return Object.fromEntries(Object.entries(profiles).filter(([one]) => one !== name));
    });
    const removed = all ? 'All profiles are' : `The profile ${name} is`;
    return {
      notes: [`${removed} removed. The secrets stay valid for the service; \`rates client rotate\` ends them.`],
    };
  },
});
