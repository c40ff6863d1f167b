/**
 * The clients of a running service with their accounts. Agreements that a client's record names become documents. Changes of
 * clients or agreements appear as a whole. An unchanged client keeps its account with its compiled terms.
 */

import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../base/log.ts';
import { poll, type Refresh } from '../../base/poll.ts';
import { ifKnown } from '../../base/store/store.ts';
import { type Assigned, accountOf, NO_ACCOUNT } from '../agreement/account.ts';
import type { Named } from '../agreement/cells.ts';
import { type AgreementDocument, type AgreementTables, CODE_TABLES, SERVICE_TABLES } from '../agreement/document.ts';
import { lastDayOf } from '../agreement/versions.ts';
import { type Allow, PublishError } from '../documents/library.ts';
import { type Agreements, byName, type LiveAgreements } from '../documents/live.ts';
import { capped } from '../tariff/findings.ts';
import {
  type Client,
  type ClientRecord,
  type Clients,
  readClients,
  refuseSampleSecrets,
  unrevoked,
} from './clients.ts';

/* Finds conflicting agreements of one client: two that mention the same service for the same warehouses. */

/** Returns all services that an agreement mentions at any time, and whether a line applies to all services of the carrier. */
const subjectsOf = ({ file, tables, amendments }: AgreementDocument) => {
  const codes = new Set<string>();
  let all = false;
  const add = (services: Named<string>): void => {
    if (services === '*') all = true;
    else for (const code of services) codes.add(code);
  };
  const addTables = (own: Partial<AgreementTables>): void => {
    for (const name of SERVICE_TABLES) for (const { services } of own[name] ?? []) add(services);
    for (const name of CODE_TABLES) add(Object.keys(own[name] ?? {}));
  };
  add(Object.keys(file.services));
  addTables(tables);
  for (const amendment of amendments) {
    add(Object.keys(amendment.file?.services ?? {}));
    addTables(amendment);
  }
  return { codes, all };
};

/** A display name for a service that both mention. Undefined if there is none. */
const sharedService = (a: AgreementDocument, b: AgreementDocument): string | undefined => {
  const [first, second] = [subjectsOf(a), subjectsOf(b)];
  const isNamed = ({ codes, all }: typeof first): boolean => all || codes.size > 0;
  const oneCarrier = a.file.carrier === b.file.carrier;
  if (oneCarrier && ((first.all && isNamed(second)) || (second.all && isNamed(first))))
    return `services of ${a.file.carrier}`;
  return [...first.codes].find((code) => second.codes.has(code));
};

const shareWarehouses = (a: Assigned['warehouses'], b: Assigned['warehouses']): boolean => {
  // An agreement for named warehouses wins over one for all.
  if (a === undefined || b === undefined) return a === b;
  return [...a].some((id) => b.has(id));
};

const END = '9999-12-31';

const shareDays = (a: AgreementDocument, b: AgreementDocument): boolean =>
  a.file.effective <= (lastDayOf(b) ?? END) && b.file.effective <= (lastDayOf(a) ?? END);

/** @returns an error that names two conflicting agreements; undefined if there is no conflict */
export const overlapOf = (assigned: readonly Assigned[]): string | undefined => {
  for (const [at, a] of assigned.entries())
    for (const b of assigned.slice(at + 1)) {
      if (!shareWarehouses(a.warehouses, b.warehouses) || !shareDays(a.document, b.document)) continue;
      const service = sharedService(a.document, b.document);
      if (service !== undefined)
        return `${a.document.file.name} and ${b.document.file.name} both cover ${service} for the same warehouses`;
    }
  return undefined;
};

/** The agreements of a client, or the reason why they are unusable. @param known undefined if they are unknown */
export const assignedOf = (
  { assigned }: Pick<Client, 'assigned'>,
  known: Agreements | undefined,
): readonly Assigned[] | string => {
  if (known === undefined && assigned.length > 0) return 'the agreements cannot be read';
  const agreements: Assigned[] = [];
  for (const { name, ...where } of assigned) {
    const document = known?.get(name);
    if (document === undefined) return `the agreement ${name} is missing or has errors`;
    agreements.push({ document, ...where });
  }
  return overlapOf(agreements) ?? agreements;
};

/** Names a client that a change of the agreements would leave without prices, and why. Undefined if there is none. */
export const lostPrices = (
  records: readonly ClientRecord[],
  before: Agreements,
  after: Agreements,
): string | undefined => {
  for (const [id, client] of unrevoked(records)) {
    const problem = assignedOf(client, after);
    if (typeof problem === 'string' && typeof assignedOf(client, before) !== 'string')
      return `The client ${id} would have no prices: ${problem}.`;
  }
  return undefined;
};

/** Refuses a change after which two agreements of a client conflict, because the client would get no prices. */
export const keepsPrices =
  (clients: () => Promise<readonly ClientRecord[]>): Allow<AgreementDocument> =>
  async ({ before, after }) => {
    const next = await after();
    if (next.length < 2) return;
    const lost = lostPrices(await clients(), byName(await before()), byName(next));
    if (lost !== undefined) throw new PublishError(lost);
  };

interface Bound {
  /** The client as its record says. */
  readonly from: Client;
  readonly client: Client;
  readonly problem?: string;
}

const hasSameParts = (a: Client, b: Pick<Client, 'discounts' | 'agreements'>): boolean =>
  a.account !== NO_ACCOUNT &&
  isDeepStrictEqual(a.discounts, b.discounts) &&
  a.agreements.length === b.agreements.length &&
  a.agreements.every(({ document, warehouses }, at) => {
    const other = b.agreements[at];
    return document === other?.document && isDeepStrictEqual(warehouses, other.warehouses);
  });

const bind = (from: Client, known: Agreements | undefined, before: Bound | undefined): Bound => {
  const found = assignedOf(from, known);
  if (typeof found === 'string') {
    if (before?.from === from && before.problem === found) return before;
    return { from, client: { ...from, agreements: [], account: NO_ACCOUNT }, problem: found };
  }
  const parts = { discounts: from.discounts, agreements: found };
  if (before === undefined || !hasSameParts(before.client, parts))
    return { from, client: { ...from, ...parts, account: accountOf(parts) } };
  if (before.from === from) return before;
  return { from, client: { ...from, ...parts, account: before.client.account } };
};

type State = ReturnType<typeof bindAll>;

const bindAll = (
  source: Clients,
  agreements: Agreements | undefined,
  before: { readonly bound: ReadonlyMap<string, Bound> } | undefined,
) => {
  const bound = new Map([...source].map(([id, from]) => [id, bind(from, agreements, before?.bound.get(id))]));
  return {
    ...{ source, agreements, bound },
    clients: new Map([...bound].map(([id, { client }]) => [id, client])),
    problems: [...bound].flatMap(([client, { problem }]) => (problem === undefined ? [] : [{ client, problem }])),
  };
};

const SHOWN = 5;

const report = (log: Pick<Logger, 'error'>, { problems }: State, before: State | undefined): void => {
  const fresh = problems.filter(
    ({ client, problem }) => !before?.problems.some((old) => old.client === client && old.problem === problem),
  );
  const first = fresh.slice(0, SHOWN);
  if (fresh.length > 0) log.error({ clients: fresh.length, first }, 'clients get no prices without their agreements');
};

/** Problems are logged within this time, even without calls. */
const LOOK_MS = 1_000;

export interface BindOptions {
  readonly clients: WatchedClients;
  readonly agreements: Pick<LiveAgreements, 'current' | 'refresh' | 'close' | 'errorsOf'>;
  readonly log: Pick<Logger, 'error'>;
}

/** @returns undefined if there is no draft with this name */
const draftOf = ({ current, errorsOf }: BindOptions['agreements'], name: string) => {
  const errors = errorsOf(name).map(({ at, message }) => `${at}: ${message}`);
  if (errors.length === 0) return current().get(name);
  return `is a draft with errors: ${capped(errors, 3, (more) => `and ${more} more`).join('; ')}`;
};

export const withAccounts = ({ clients, agreements, log }: BindOptions) => {
  let state: State | undefined;
  const look = (): State => {
    // While the published agreements are unknown, clients without agreements still have prices.
    const [source, documents] = [clients.current(), ifKnown(agreements.current)];
    if (state !== undefined && state.source === source && state.agreements === documents) return state;
    const now = bindAll(source, documents, state);
    report(log, now, state);
    state = now;
    return now;
  };
  // If the published clients are unknown, this is already logged.
  const { stop } = poll(async () => void ifKnown(look), LOOK_MS);
  return {
    current: (): Clients => look().clients,
    /** The number of clients that have no prices because one of their agreements is missing or unusable. */
    withoutAgreement: (): number => state?.problems.length ?? 0,
    /** @throws {StoreFailure} while the published agreements are unknown */
    agreements: agreements.current,
    /** A draft by name: the agreement, or the reason why it is unusable. Undefined if there is no such draft. */
    draft: (name: string): AgreementDocument | string | undefined => draftOf(agreements, name),
    refresh: clients.refresh,
    /** Refreshes the agreements. */
    refreshAgreements: agreements.refresh,
    close: (): void => {
      stop();
      clients.close();
      agreements.close();
    },
  };
};
export type BoundClients = ReturnType<typeof withAccounts>;

/* Follows a clients file. An unusable file never replaces a usable one. */

const POLL_MS = 500;

export interface WatchedClients {
  readonly current: () => Clients;
  readonly refresh: Refresh;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly log: Logger;
  /** False if the service listens beyond loopback. Then a file with a sample secret is refused. */
  readonly allowSampleSecrets: boolean;
  /** Time between checks of the file. Default: half a second. */
  readonly intervalMs?: number;
}

/**
 * Follows a clients file: a change takes effect within a second. An unusable change is logged and ignored. @throws
 * {ClientsFileError} if the file is unusable at the start
 */
export const watchClients = async (file: string, options: WatchOptions): Promise<WatchedClients> => {
  const load = async (): Promise<Clients> => {
    const clients = readClients(await readFile(file, 'utf8'), file);
    if (!options.allowSampleSecrets) refuseSampleSecrets(clients, file);
    return clients;
  };
  // Read before the content, so that the next check detects a change in between.
  const stampOf = async (): Promise<string> => {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  };

  let seen = await stampOf();
  let clients = await load();
  let failure: unknown;
  const check = async (): Promise<void> => {
    try {
      const stamp = await stampOf().catch(() => 'missing');
      if (stamp === seen) return;
      seen = stamp;
      clients = await load();
      failure = undefined;
      options.log.info({ clients: clients.size }, 'clients loaded');
    } catch (err) {
      failure = err;
      options.log.error({ err }, 'the clients file cannot be used; the last good one stays in force');
    }
  };
  const { now, stop } = poll(check, options.intervalMs ?? POLL_MS);
  const refresh = async (): Promise<void> => {
    await now();
    if (failure !== undefined) throw failure;
  };
  return { current: () => clients, refresh, close: stop };
};
