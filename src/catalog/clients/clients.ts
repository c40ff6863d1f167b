/**
 * The clients that may call the API, read from one JSON file: their secrets (as keyed hashes), warehouses, discounts, scopes
 * and limits.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Failed, ToldError } from '../../base/failed.ts';
import { parseJson } from '../../base/parse-json.ts';
import { present } from '../../base/present.ts';
import { check, pathText } from '../../base/validation.ts';
import type { Warehouse } from '../../rating/card.ts';
import { basisPointsOf } from '../../rating/quantity.ts';
import { LIMITS, US_POSTAL_CODE } from '../../rating/shipment.ts';
import type { Shipper } from '../../rating/terms.ts';
import { type AccountParts, accountOf, NO_ACCOUNT } from '../agreement/account.ts';
import { agreementName } from '../agreement/document.ts';
import { shippingHours } from './shipping-hours.ts';

/* The agreements in a client's record. */

/** Agreements that a client may use in comparisons but does not pay by. */
const draftNames = z
  .array(agreementName)
  .max(50)
  .refine((names) => new Set(names).size === names.length, 'has a name twice');

const entry = z.strictObject({
  name: agreementName,
  /** Absent: all warehouses. */
  warehouses: z.array(z.int().gte(1).lte(LIMITS.warehouseIdMax)).min(1).max(10_000).optional(),
  /** The shipper's account number with the carrier. For display only. */
  account: z.string().min(1).max(40).optional(),
});
export type AgreementEntry = z.output<typeof entry>;

/** The agreements that are listed twice for one warehouse, or twice for all. */
const namedTwice = (entries: readonly AgreementEntry[]): string[] => {
  const held = new Set<string>();
  return entries.flatMap(({ name, warehouses = ['all'] }) =>
    warehouses.flatMap((id) => {
      const key = `${name} ${id}`;
      if (held.has(key)) return [id === 'all' ? name : `${name} for warehouse ${id}`];
      held.add(key);
      return [];
    }),
  );
};

const agreementEntries = z
  .array(entry)
  .max(50)
  .superRefine((entries, context) => {
    for (const twice of namedTwice(entries)) context.addIssue({ code: 'custom', message: `has ${twice} twice` });
  });

/** Refuses an agreement for an unknown warehouse. It is a typo, and shipments would get the list price. */
const refuseUnknownWarehouses = (
  client: {
    readonly warehouses: readonly { readonly warehouse_id: number }[];
    readonly agreements: readonly AgreementEntry[];
  },
  context: z.RefinementCtx,
): void => {
  const known = new Set(client.warehouses.map(({ warehouse_id }) => warehouse_id));
  for (const [at, { name, warehouses = [] }] of client.agreements.entries()) {
    const unknown = warehouses.filter((id) => !known.has(id));
    if (unknown.length === 0) continue;
    const message = `of ${name} has ${unknown.join(', ')}, which the client does not have`;
    context.addIssue({ code: 'custom', path: ['agreements', at, 'warehouses'], message });
  }
};

/** An agreement in a client's record. */
export interface NamedAgreement {
  readonly name: string;
  readonly warehouses?: ReadonlySet<number> | undefined;
  readonly account?: string | undefined;
}

const namedAgreement = ({ name, warehouses, account }: AgreementEntry): NamedAgreement => ({
  name,
  ...present({ warehouses: warehouses && new Set(warehouses), account }),
});

export const SCOPES = ['quote', 'batch'] as const;
export type Scope = (typeof SCOPES)[number];

/** Secrets from the public documentation. A service that accepts one must not be reachable from outside. */
const SAMPLE_SECRETS = ['demo-secret', 'other-secret'];

const hex = (bytes: number) =>
  z.string().refine((text) => text.length === bytes * 2 && /^[0-9a-f]*$/.test(text), `must be ${bytes} bytes in hex`);

const secret = z.strictObject({
  salt: hex(16),
  hash: hex(32),
  createdAt: z.iso.datetime(),
  /** Absent: the secret is valid until it is removed from the file. */
  expiresAt: z.iso.datetime().optional(),
});

const most = z.int().gte(1).lte(100_000_000);

const mostBytes = z
  .int()
  .gte(1)
  .lte(2 ** 50);

/** Limits on a client's calls per minute, by kind, and on its work in progress. */
const limits = z.strictObject({
  quotesPerMinute: most.default(60_000),
  tokensPerMinute: most.default(60),
  uploadsPerMinute: most.default(60),
  readsPerMinute: most.default(12_000),
  readsAtOnce: most.default(32),
  downloadsPerMinute: most.default(600),
  downloadsAtOnce: most.default(8),
  /** Deleting, canceling and retrying batches and comparisons. */
  changesPerMinute: most.default(600),
  batchesInFlight: most.default(100),
  rowsInFlight: most.default(20_000_000),
  bytesInFlight: mostBytes.default(8 * 2 ** 30),
  /** Batches and comparisons in the lists. Each uses memory in Redis, even if it is small. */
  batchesStored: most.default(50_000),
  bytesStored: mostBytes.default(32 * 2 ** 30),
  /** Maximum output bytes per byte of the input rows. Explained rows with all services need up to 100. */
  outputPerInputByte: most.default(256),
});
/** The limits of a client whose record has none, and for the remaining batches of a client that no longer exists. */
export const DEFAULT_LIMITS = limits.parse({});
export const LIMIT_NAMES = limits.keyof().options;

/** A subset of the limits, without defaults for the others. */
const limitChanges = z.partialRecord(limits.keyof(), z.number()).superRefine((given, context) => {
  for (const name of LIMIT_NAMES) {
    const checked = given[name] === undefined ? undefined : check(limits.shape[name], given[name]);
    if (!(checked instanceof Failed)) continue;
    for (const { message } of checked.fault) context.addIssue({ code: 'custom', path: [name], message });
  }
});

/** Where to send notifications of finished batches, and the key that signs them. */
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
    shipping: shippingHours.optional(),
  })
  .refine(({ address }) => address.countryCode !== 'US' || US_POSTAL_CODE.test(address.postalCode), {
    path: ['address', 'postalCode'],
    message: 'must have the form 12345 or 12345-6789',
  });

const discount = z
  .string()
  .regex(/^(?:100(?:\.00?)?|\d{1,2}(?:\.\d{1,2})?)$/, 'must be a percentage from 0 to 100 with at most two decimals');

export const MOST_SECRETS = 10;

/** Refuses entries with the same key, and says which. */
const distinct =
  <E>(name: string, keyOf: (entry: E) => string | number) =>
  (entries: readonly E[], context: z.RefinementCtx): void => {
    const seen = new Set<string | number>();
    const twice = entries.map(keyOf).find((key) => seen.size === seen.add(key).size);
    if (twice !== undefined) context.addIssue({ code: 'custom', message: `has the ${name} ${twice} twice` });
  };

const client = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be letters, digits, ., _ and -, at most 64'),
  name: z.string().min(1).max(80),
  /** More than one during a rotation. */
  secrets: z.array(secret).max(MOST_SECRETS),
  scopes: z.array(z.enum(SCOPES)),
  warehouses: z
    .array(warehouse)
    .max(10_000)
    .superRefine(distinct('warehouse_id', (entry) => entry.warehouse_id)),
  /** Percent off the base charge, by service. */
  discounts: z.record(z.string().min(1).max(LIMITS.shippingServiceLength), discount).default({}),
  /** What the client pays instead of the list: see `src/catalog/agreement`. */
  agreements: agreementEntries.default([]),
  /** Names of agreements that the client may use in comparisons but does not pay by. */
  drafts: draftNames.default([]),
  limits: limits.prefault({}),
  webhook: webhook.optional(),
  revoked: z.boolean().default(false),
});

/** The schema of each member of a client, for callers that validate members one by one. */
export const CLIENT_FORM = {
  ...client.shape,
  webhookUrl: webhook.shape.url,
  percent: discount,
  limitChanges: limitChanges.default({}),
};

const clientsFile = z.strictObject({
  clients: z.array(client.superRefine(refuseUnknownWarehouses)).superRefine(distinct('id', ({ id }) => id)),
});

type Secret = z.output<typeof secret>;
/** A client as stored in the file. */
export type ClientRecord = z.output<typeof client>;

/** A secret of a client. Tokens refer to it by `name`, which reveals nothing about the secret. */
type NamedSecret = Secret & { readonly name: string };

export interface Client extends Shipper, AccountParts {
  readonly id: string;
  readonly name: string;
  readonly secrets: readonly NamedSecret[];
  readonly scopes: ReadonlySet<Scope>;
  readonly limits: z.output<typeof limits>;
  readonly webhook?: z.output<typeof webhook> | undefined;
  /** The agreements in the client's record. `accounts.ts` makes `agreements` and the account from them. */
  readonly assigned: readonly NamedAgreement[];
  /** Names of agreements that the client may use in comparisons. */
  readonly drafts: readonly string[];
}

/** The clients that are not revoked, by id. */
export type Clients = ReadonlyMap<string, Client>;

export const limitsIn = (clients: Clients, clientId: string): Client['limits'] =>
  clients.get(clientId)?.limits ?? DEFAULT_LIMITS;

/** An unusable clients file. The message has one line per problem. */
export class ClientsFileError extends ToldError {
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

export const isInForce = ({ expiresAt }: Pick<Secret, 'expiresAt'>, now: Date): boolean =>
  expiresAt === undefined || Date.parse(expiresAt) > now.getTime();

/** An authenticated client and its secret. */
export interface Proven {
  readonly client: Client;
  readonly secret: NamedSecret;
}

/** The client with this id and secret. Takes the same time for an unknown id, a wrong secret and any number of secrets. */
export const clientOf = (clients: Clients, id: string, text: string, now: Date): Proven | undefined => {
  const client = clients.get(id);
  // Always tries the same number of secrets, so that the time does not reveal which one matched or whether the client exists.
  const secrets = Array.from({ length: MOST_SECRETS }, (_, at) => client?.secrets[at] ?? NOBODY);
  const secret = secrets.filter((entry) => matches(text, entry)).find((entry) => isInForce(entry, now));
  return client === undefined || secret === undefined ? undefined : { client, secret };
};

/** The identity in a token or session of an authenticated client. */
export interface Credential {
  readonly clientId: string;
  readonly secretName: string;
}

/** The client of a credential; undefined if the client was revoked, or its secret was removed or has expired. */
export const stillProven = (clients: Clients, { clientId, secretName }: Credential, now: Date): Client | undefined => {
  const client = clients.get(clientId);
  return client?.secrets.some((entry) => entry.name === secretName && isInForce(entry, now)) ? client : undefined;
};

const warehouseOf = (entry: ClientRecord['warehouses'][number]): [number, Warehouse] => {
  const { warehouse_id: id, name, address, shipping } = entry;
  return [id, { id, name, ...address, ...present({ shipping }) }];
};

const readClient = (entry: ClientRecord): Client => {
  const discounts = new Map(Object.entries(entry.discounts).map(([code, text]) => [code, basisPointsOf(text)]));
  const parts = { discounts, agreements: [] };
  return {
    id: entry.id,
    name: entry.name,
    secrets: entry.secrets.map(named),
    scopes: new Set(entry.scopes),
    limits: entry.limits,
    webhook: entry.webhook,
    warehouses: new Map(entry.warehouses.map(warehouseOf)),
    assigned: entry.agreements.map(namedAgreement),
    drafts: entry.drafts,
    ...parts,
    // A client with agreements has no account until its agreements are loaded.
    account: entry.agreements.length === 0 ? accountOf(parts) : NO_ACCOUNT,
  };
};

/** Reads all clients from a file's text, including revoked ones. @throws {ClientsFileError} with every problem */
export const parseClients = (text: string, file: string): readonly ClientRecord[] => {
  const read = parseJson(text);
  if ('problem' in read) throw new ClientsFileError(file, [`it ${read.problem}`]);
  const checked = check(clientsFile, read.json);
  if (!(checked instanceof Failed)) return checked.clients;
  throw new ClientsFileError(
    file,
    checked.fault.map(({ path, message }) => `${pathText(path) || 'the file'} ${message}`),
  );
};

export const unrevoked = (records: readonly ClientRecord[]): Clients =>
  new Map(records.filter(({ revoked }) => !revoked).map((entry) => [entry.id, readClient(entry)]));

/**
 * Reads the text of a clients file.
 * @throws {ClientsFileError} with every problem
 */
export const readClients = (text: string, file: string): Clients => unrevoked(parseClients(text, file));

/** Clients that accept a sample secret, with that secret. Compares the secrets, whatever the file's path. */
export const sampleCredentials = (clients: Clients): readonly { readonly id: string; readonly secret: string }[] =>
  [...clients.values()].flatMap(({ id, secrets }) =>
    SAMPLE_SECRETS.filter((known) => secrets.some((entry) => matches(known, entry))).map((secret) => ({ id, secret })),
  );

/** @throws {ClientsFileError} if a client accepts a sample secret */
export const refuseSampleSecrets = (clients: Clients, file: string): void => {
  if (sampleCredentials(clients).length > 0)
    throw new ClientsFileError(file, ['it contains a sample secret, which is public: listen on 127.0.0.1 only']);
};
