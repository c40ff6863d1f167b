/**
 * The clients of a running service with their accounts. Agreements that a client's record names become documents. Changes of
 * clients or agreements appear as a whole. An unchanged client keeps its account with its compiled terms.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { poll } from '../../base/poll.ts';
import { ifKnown } from '../../base/store/store.ts';
import { type Assigned, accountOf, NO_ACCOUNT } from '../agreement/account.ts';
import { overlapOf } from '../agreement/check/overlap.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import type { Agreements, LiveAgreements } from '../documents/live.ts';
import { capped } from '../tariff/findings.ts';
import type { Client, Clients } from './clients.ts';
import type { WatchedClients } from './watched-clients.ts';

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
