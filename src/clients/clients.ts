/**
 * Who may call: clients with their secrets (as keyed hashes), warehouses, discounts, scopes and limits, read from one
 * JSON file.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Shipper, Warehouse } from '../rating/card.ts';
import { Failed } from '../rating/fault.ts';
import { basisPointsOf } from '../rating/quantity.ts';
import { LIMITS, US_POSTAL_CODE } from '../rating/shipment.ts';
import { check, pathText } from '../rating/validation.ts';

export const SCOPES = ['quote', 'batch'] as const;
export type Scope = (typeof SCOPES)[number];

/** Secrets that the documentation tells everybody; whoever accepts one must not be reached from outside. */
const SAMPLE_SECRETS = ['demo-secret', 'other-secret'];

const hex = (bytes: number) =>
  z.string().refine((text) => text.length === bytes * 2 && /^[0-9a-f]*$/.test(text), `must be ${bytes} bytes in hex`);

const secret = z.strictObject({
  salt: hex(16),
  hash: hex(32),
  createdAt: z.iso.datetime(),
  /** Absent: until it is taken out of the file. */
  expiresAt: z.iso.datetime().optional(),
});

const most = z.int().gte(1).lte(100_000_000);

const mostBytes = z
  .int()
  .gte(1)
  .lte(2 ** 50);

/** How many calls a client may make in a minute, by kind, and how much of its work may be under way at a time. */
const limits = z.strictObject({
  quotesPerMinute: most.default(60_000),
  tokensPerMinute: most.default(60),
  uploadsPerMinute: most.default(60),
  readsPerMinute: most.default(12_000),
  readsAtOnce: most.default(32),
  downloadsPerMinute: most.default(600),
  downloadsAtOnce: most.default(8),
  batchesInFlight: most.default(100),
  rowsInFlight: most.default(20_000_000),
  bytesInFlight: mostBytes.default(8 * 2 ** 30),
  bytesStored: mostBytes.default(32 * 2 ** 30),
  /** Rows of the output, for each byte of their rows in the list. Explained rows with all services take up to 100. */
  outputPerInputByte: most.default(256),
});
/** What a client may do whom nobody knows any more, and whose batches go on. */
const DEFAULT_LIMITS = limits.parse({});
export const LIMIT_NAMES = limits.keyof().options;

/** Where the client is told how its batches ended, and the key that those messages are signed with. */
const webhook = z.strictObject({
  url: z.url({ protocol: /^https$/, error: 'must be an https URL' }).max(2_000),
  signingSecret: z.string().regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes in base64'),
});

const warehouse = z
  .strictObject({
    warehouse_id: z.int().gte(1).lte(LIMITS.warehouseIdMax),
    name: z.string().min(1).max(80),
    address: z.strictObject({
      postalCode: z.string().min(1).max(LIMITS.postalCodeLength),
      stateOrProvinceCode: z.string().regex(/^[A-Z]{2,3}$/, 'must be two or three upper-case letters'),
      countryCode: z.string().regex(/^[A-Z]{2}$/, 'must be two upper-case letters'),
    }),
  })
  .refine(({ address }) => address.countryCode !== 'US' || US_POSTAL_CODE.test(address.postalCode), {
    path: ['address', 'postalCode'],
    message: 'must be a ZIP code: 12345 or 12345-6789',
  });

const discount = z
  .string()
  .regex(/^(?:100(?:\.00?)?|\d{1,2}(?:\.\d{1,2})?)$/, 'must be a percentage from 0 to 100 with at most two decimals');

const MOST_SECRETS = 10;

const distinct = (keys: readonly unknown[]): boolean => new Set(keys).size === keys.length;

const client = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be letters, digits, ., _ and -, at most 64'),
  name: z.string().min(1).max(80),
  /** Several while one takes over from another. */
  secrets: z.array(secret).max(MOST_SECRETS),
  scopes: z.array(z.enum(SCOPES)),
  warehouses: z
    .array(warehouse)
    .max(10_000)
    .refine((entries) => distinct(entries.map((entry) => entry.warehouse_id)), 'has a warehouse_id twice'),
  /** Percent off the base charge, by service. */
  discounts: z.record(z.string().min(1).max(LIMITS.shippingServiceLength), discount).default({}),
  limits: limits.prefault({}),
  webhook: webhook.optional(),
  revoked: z.boolean().default(false),
});

/** What each member of a client may be, for who takes them one by one. */
export const CLIENT_FORM = { ...client.shape, webhookUrl: webhook.shape.url };

const clientsFile = z.strictObject({
  clients: z.array(client).refine((entries) => distinct(entries.map(({ id }) => id)), 'has an id twice'),
});

type Secret = z.output<typeof secret>;
/** A client as the file has it. */
export type ClientRecord = z.output<typeof client>;

/** A secret of a client, and what a token that was given for it says it by: it tells nothing of either. */
type NamedSecret = Secret & { readonly name: string };

export interface Client extends Shipper {
  readonly id: string;
  readonly name: string;
  readonly secrets: readonly NamedSecret[];
  readonly scopes: ReadonlySet<Scope>;
  readonly limits: z.output<typeof limits>;
  readonly webhook?: z.output<typeof webhook> | undefined;
}

/** Those that are not revoked, by id. */
export type Clients = ReadonlyMap<string, Client>;

/** What a client may do, by the clients as they are now. */
export const limitsIn = (clients: Clients, clientId: string): Client['limits'] =>
  clients.get(clientId)?.limits ?? DEFAULT_LIMITS;

/** A clients file that cannot be used; the message has a line for each problem. */
export class ClientsFileError extends Error {
  constructor(file: string, problems: readonly string[]) {
    super(`${file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ClientsFileError';
  }
}

/** The hash of a secret: HMAC-SHA-256 keyed by the salt. Secrets are 256 random bits, so a slow hash adds nothing. */
export const hashSecret = (text: string, salt: string): string =>
  createHmac('sha256', Buffer.from(salt, 'hex')).update(text).digest('hex');

const matches = (text: string, { salt, hash }: Secret): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(text, salt), 'hex'), Buffer.from(hash, 'hex'));

const named = (entry: Secret): NamedSecret => ({
  ...entry,
  name: createHash('sha256').update(`${entry.salt}${entry.hash}`).digest('base64url').slice(0, 12),
});

const NOBODY = named({ salt: '0'.repeat(32), hash: '0'.repeat(64), createdAt: '' });

const isInForce = ({ expiresAt }: Secret, now: Date): boolean =>
  expiresAt === undefined || Date.parse(expiresAt) > now.getTime();

/** A client that has proved to be it, and by which of its secrets. */
export interface Proven {
  readonly client: Client;
  readonly secret: NamedSecret;
}

/** The client with this id and secret. An unknown id takes as long as a wrong secret, however many a client has. */
export const clientOf = (clients: Clients, id: string, text: string, now: Date): Proven | undefined => {
  const client = clients.get(id);
  // As many are tried for each, so that the time tells neither which secret it was nor whether there is such a client.
  const secrets = Array.from({ length: MOST_SECRETS }, (_, at) => client?.secrets[at] ?? NOBODY);
  const secret = secrets.filter((entry) => matches(text, entry)).find((entry) => isInForce(entry, now));
  return client === undefined || secret === undefined ? undefined : { client, secret };
};

/** What somebody who has once proved to be a client was given to say so again. */
export interface Credential {
  readonly clientId: string;
  /** Absent where an earlier version of the service gave it. */
  readonly secretName?: string | undefined;
}

/** The client whom a credential names; undefined where it, or the secret that proved it, was revoked or has ended since. */
export const stillProven = (clients: Clients, { clientId, secretName }: Credential, now: Date): Client | undefined => {
  const client = clients.get(clientId);
  if (secretName === undefined) return client;
  return client?.secrets.some((entry) => entry.name === secretName && isInForce(entry, now)) ? client : undefined;
};

const warehouseOf = ({ warehouse_id: id, name, address }: z.output<typeof warehouse>): [number, Warehouse] => [
  id,
  { id, name, ...address },
];

const readClient = (entry: z.output<typeof client>): Client => ({
  id: entry.id,
  name: entry.name,
  secrets: entry.secrets.map(named),
  scopes: new Set(entry.scopes),
  limits: entry.limits,
  webhook: entry.webhook,
  warehouses: new Map(entry.warehouses.map(warehouseOf)),
  discounts: new Map(Object.entries(entry.discounts).map(([code, text]) => [code, basisPointsOf(text)])),
});

/**
 * The clients of a file's text as they stand there, the revoked ones too.
 * @throws {ClientsFileError} with every problem
 */
export const parseClients = (text: string, file: string): readonly ClientRecord[] => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ClientsFileError(file, ['it is not JSON']);
  }
  const checked = check(clientsFile, json);
  if (!(checked instanceof Failed)) return checked.clients;
  throw new ClientsFileError(
    file,
    checked.fault.map(({ path, message }) => `${pathText(path) || 'the file'} ${message}`),
  );
};

/** The clients of a file that may call. */
export const unrevoked = (records: readonly ClientRecord[]): Clients =>
  new Map(records.filter(({ revoked }) => !revoked).map((entry) => [entry.id, readClient(entry)]));

/**
 * Reads the text of a clients file.
 * @throws {ClientsFileError} with every problem
 */
export const readClients = (text: string, file: string): Clients => unrevoked(parseClients(text, file));

/** Ids and secrets with which anybody who has read the documentation could call. Told by the secrets, wherever the file lies. */
export const sampleCredentials = (clients: Clients): readonly { readonly id: string; readonly secret: string }[] =>
  [...clients.values()].flatMap(({ id, secrets }) =>
    SAMPLE_SECRETS.filter((known) => secrets.some((entry) => matches(known, entry))).map((secret) => ({ id, secret })),
  );

/** @throws {ClientsFileError} where anybody who has read the documentation could call */
export const refuseSampleSecrets = (clients: Clients, file: string): void => {
  if (sampleCredentials(clients).length > 0)
    throw new ClientsFileError(file, ['it holds a sample secret, which everybody knows: listen on 127.0.0.1 only']);
};
