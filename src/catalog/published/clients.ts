/**
 * The published clients. Each version is a clients file. Each change makes a new version by compare-and-set, so that
 * simultaneous changes are all kept.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../base/store/store.ts';
import type { WatchedClients } from '../clients/accounts.ts';
import { ClientChangeError, type ClientPlace, changedText, clientsInFile } from '../clients/change-clients.ts';
import {
  type ClientRecord,
  type Clients,
  ClientsFileError,
  parseClients,
  readClients,
  refuseSampleSecrets,
} from '../clients/clients.ts';
import type { Source } from './follow.ts';
import {
  createPointers,
  type Entry,
  hasContent,
  type Publication,
  type PublishedDeps,
  versionKey,
  versionOf,
  versionsOf,
} from './pointer.ts';
import type { UsePublished } from './store-place.ts';

const KIND = 'clients';
const ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 100;
/** The number of versions to keep for processes that are about to read an older one. */
const KEPT_VERSIONS = 20;

type Records = readonly ClientRecord[];

const nameOf = (version: string): string => `The published clients (version ${version})`;

const textOf = async (store: Store, version: string): Promise<string> => {
  const bytes = await store.get(versionKey(KIND, version));
  if (bytes === undefined) throw new Error(`${nameOf(version)} are not in the store.`);
  const text = bytes.toString('utf8');
  if (!hasContent(version, text))
    throw new ClientsFileError(nameOf(version), ['its content has changed since it was published']);
  return text;
};

/**
 * Follows the published clients. Nobody may call until something is published.
 * @param allowSampleSecrets false if the service listens beyond loopback: then a version with a sample secret is refused
 */
export const clientSource = (
  { store }: Pick<PublishedDeps, 'store'>,
  allowSampleSecrets: boolean,
): Source<WatchedClients> => {
  let clients: Clients = new Map();
  return {
    kind: KIND,
    load: async (version) => {
      const fresh = readClients(await textOf(store, version), nameOf(version));
      if (!allowSampleSecrets) refuseSampleSecrets(fresh, nameOf(version));
      return () => {
        clients = fresh;
      };
    },
    /** @throws {ClientsFileError} if the first version is unusable */
    live: ({ requireKnown, failure, refresh, close }) => {
      const problem = failure(KIND);
      if (problem instanceof ClientsFileError) {
        close();
        throw problem;
      }
      return {
        current: () => {
          requireKnown(KIND);
          return clients;
        },
        refresh: () => refresh(KIND),
        close,
      };
    },
  };
};

const recordsIn = async (store: Store, entry: Entry | undefined): Promise<Records> =>
  entry === undefined ? [] : parseClients(await textOf(store, entry.version), nameOf(entry.version));

/** The clients in force, including revoked ones. Empty if nothing is published. */
export const publishedClients = async (deps: PublishedDeps): Promise<Records> =>
  recordsIn(deps.store, (await createPointers(deps).latest())?.[KIND]);

/** Removes versions that no pointer can refer to anymore. */
const removeOld = async ({ store, log }: PublishedDeps, sequence: number): Promise<void> => {
  try {
    for (const name of await store.list(versionsOf(KIND)))
      if (Number.parseInt(name, 10) < sequence - KEPT_VERSIONS) await store.remove(`${versionsOf(KIND)}${name}`);
  } catch (err) {
    // The change has succeeded. The next change removes them.
    log.warn({ err }, 'old versions of the clients were not removed');
  }
};

/**
 * Changes the published clients. Does not publish a change that would make them unusable. @throws {ClientsFileError} if the
 * clients are or would become unusable; {ClientChangeError} if the change is refused
 */
export const changePublishedClients = async (
  deps: PublishedDeps,
  change: (clients: Records) => Records,
  publication: Publication,
): Promise<void> => {
  const { store } = deps;
  const pointers = createPointers(deps);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await pointers.latest();
    const entry = before?.[KIND];
    const text = changedText(await recordsIn(store, entry), change, 'The clients as changed');
    if (entry !== undefined && hasContent(entry.version, text)) return;
    const sequence = (entry?.sequence ?? 0) + 1;
    const version = versionOf(sequence, text);
    await store.put(versionKey(KIND, version), Buffer.from(text), { durable: true });
    if (await pointers.move(before, { [KIND]: version }, publication)) return await removeOld(deps, sequence);
    await sleep(Math.random() * LONGEST_PAUSE_MS);
  }
  throw new ClientChangeError('The published clients are being changed by others. Try again.');
};

/** Where clients are read and changed. @param file undefined if they are published to the store */
export const clientsIn = (file: string | undefined, change: UsePublished, read = change): ClientPlace =>
  file === undefined
    ? {
        make: async () => undefined,
        read: () => read(publishedClients),
        change: (how, by) => change((deps) => changePublishedClients(deps, how, { by, now: new Date() })),
      }
    : clientsInFile(file);
