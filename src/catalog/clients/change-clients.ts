/**
 * Changes the clients file. Changes are atomic and run one at a time, even if several commands run on this machine. Running
 * processes follow the file and load changes themselves.
 */
import { randomBytes } from 'node:crypto';
import { open, readFile, realpath, stat } from 'node:fs/promises';
import { usingAlone } from '../../base/process/folder-lock.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { type ClientRecord, hashSecret, isInForce, MOST_SECRETS, parseClients } from './clients.ts';

const EMPTY = '{\n  "clients": []\n}\n';

/** A change that was refused. The message is for users. */
export class ClientChangeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ClientChangeError';
  }
}

type Clients = readonly ClientRecord[];
type Secret = ClientRecord['secrets'][number];

/** A secret: the text that its owner gets once, and the hash that the file stores. */
export interface NewSecret {
  readonly text: string;
  readonly kept: Secret;
}

/** Makes a secret from 256 random bits. */
export const newSecret = (now: Date): NewSecret => {
  const text = randomBytes(32).toString('base64url');
  const salt = randomBytes(16).toString('hex');
  return { text, kept: { salt, hash: hashSecret(text, salt), createdAt: now.toISOString() } };
};

/** Makes a key for signing webhooks, in the form of the Standard Webhooks specification. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const replaced = (clients: Clients, id: string, change: (client: ClientRecord) => ClientRecord): Clients => {
  if (!clients.some((client) => client.id === id)) throw new ClientChangeError(`There is no client ${id}.`);
  return clients.map((client) => (client.id === id ? change(client) : client));
};

export const withClient = (clients: Clients, added: ClientRecord): Clients => {
  const known = clients.find(({ id }) => id === added.id);
  if (known === undefined) return [...clients, added];
  // The batches of a revoked client keep its id and must not become another client's.
  throw new ClientChangeError(
    `The client ${added.id} already exists${known.revoked ? '. It was revoked, and its id cannot be reused' : ''}.`,
  );
};

/** Changes the record of a client. @throws {ClientChangeError} if the client is revoked */
export const withChanged = (clients: Clients, id: string, change: (client: ClientRecord) => ClientRecord): Clients =>
  replaced(clients, id, (client) => {
    if (client.revoked) throw new ClientChangeError(`The client ${id} is revoked.`);
    return change(client);
  });

/**
 * Adds a secret to a client.
 * @param graceMs how long the other secrets remain valid at most; undefined: until they are ended
 */
export const withSecret = (clients: Clients, id: string, secret: Secret, graceMs: number | undefined, now: Date) =>
  withChanged(clients, id, (client) => {
    const end = graceMs === undefined ? undefined : new Date(now.getTime() + graceMs).toISOString();
    const ending = client.secrets.map((old) =>
      end === undefined || (old.expiresAt !== undefined && old.expiresAt < end) ? old : { ...old, expiresAt: end },
    );
    const kept = ending.filter((old) => isInForce(old, now));
    if (kept.length >= MOST_SECRETS)
      throw new ClientChangeError(`The client ${id} has ${kept.length} secrets: end the old ones first.`);
    return { ...client, secrets: [...kept, secret] };
  });

/** Ends all secrets of a client except the newest. */
export const withNewestSecret = (clients: Clients, id: string): Clients =>
  replaced(clients, id, (client) => ({ ...client, secrets: client.secrets.slice(-1) }));

/** Revokes a client: its secrets are removed, and its tokens are refused. */
export const withoutClient = (clients: Clients, id: string): Clients =>
  replaced(clients, id, (client) => ({ ...client, secrets: [], revoked: true }));

/** Creates an empty clients file that only its owner can read, unless the file exists. */
export const makeClientsFile = async (file: string): Promise<void> => {
  try {
    const made = await open(file, 'wx', 0o600);
    await made.writeFile(EMPTY);
    await made.close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
};

/** The text of a clients file after a change. @throws {ClientsFileError} if the change would make it unusable */
export const changedText = (before: Clients, change: (clients: Clients) => Clients, file: string): string => {
  const text = `${JSON.stringify({ clients: change(before) }, undefined, 2)}\n`;
  parseClients(text, file);
  return text;
};

/**
 * Changes a clients file. Does not write a change that would make it unusable. @throws {ClientsFileError} if the file is or
 * would become unusable; {ClientChangeError} if the change is refused
 */
export const changeClients = async (path: string, change: (clients: Clients) => Clients): Promise<void> => {
  const file = await realpath(path);
  const changeFile = async (): Promise<void> => {
    const before = await readFile(file, 'utf8');
    // An empty file was just made by another command, which has not written to it yet.
    const text = changedText(parseClients(before === '' ? EMPTY : before, path), change, path);
    await replaceFile(file, text, (await stat(file)).mode & 0o777);
  };
  await usingAlone(file, changeFile, () => new ClientChangeError(`Another command is changing ${file}. Try again.`));
};

/** Where clients are read and changed: the clients file of one machine, or the published clients of many. */
export interface ClientPlace {
  /** Creates an empty file if there is none. */
  readonly make: () => Promise<void>;
  /** All clients, including revoked ones. */
  readonly read: () => Promise<Clients>;
  /**
   * Makes a change. Changes run one at a time across all processes. A change may run more than once.
   * @param by who makes the change @throws as `changeClients` does
   */
  readonly change: (how: (clients: Clients) => Clients, by: string) => Promise<void>;
}

export const clientsInFile = (file: string): ClientPlace => ({
  make: () => makeClientsFile(file),
  read: async () => parseClients(await readFile(file, 'utf8'), file),
  change: (how) => changeClients(file, how),
});
