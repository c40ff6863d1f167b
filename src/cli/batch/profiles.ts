/**
 * The profiles of `rates login`: a service, a client and its secret by name, in a file that only its owner can read. Changes
 * replace the file atomically.
 */
import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../base/config/settings.ts';
import { usingAlone } from '../../base/process/folder-lock.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { isMissing } from '../../catalog/tariff/folder-files.ts';
import { CommandFailure, EXIT } from '../exit.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const server = z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin);
const profile = z.object({ server, clientId: z.string(), clientSecret: z.string() });
const content = z.object({ profiles: z.record(z.string().regex(NAME), profile) });

/** A service, without a path, and the client that calls it. */
export type Profile = z.output<typeof profile>;
export type Profiles = Readonly<Record<string, Profile>>;

/** The profile to use if none is named. */
export const DEFAULT_PROFILE = 'default';

const NAME_FORM = 'letters, digits, ., _ and -, at most 64';

/** A profile's name as an option. */
export const profileName = z.string().regex(NAME, `must be ${NAME_FORM}`);

/** The profile named by an option or RATES_PROFILE. @throws {CommandFailure} if the variable is not a valid name */
export const namedProfile = (option: string | undefined, env: Environment): string | undefined => {
  const name = option ?? (env['RATES_PROFILE'] || undefined);
  if (name !== undefined && !NAME.test(name))
    throw new CommandFailure(`RATES_PROFILE must be ${NAME_FORM}, not ${JSON.stringify(name)}.`, EXIT.usage);
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Reads the profiles. Empty if there is no file. @throws {CommandFailure} if others may read the file, or it has a different
 * format
 */
export const readProfiles = async (env: Environment): Promise<Profiles> => {
  const file = profilesFile(env);
  try {
    await requirePrivate(file);
    const read = content.safeParse(parsed(await readFile(file, 'utf8')));
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
  const known = names.length === 0 ? 'There is none' : `The profiles are ${names.join(', ')}`;
  throw new CommandFailure(
    `There is no profile ${name}. ${known}; \`rates login --profile ${name}\` creates it.`,
    EXIT.usage,
  );
};
