/**
 * The tariffs of a running service. Polls the folders under `TARIFFS_DIR`, or that folder itself if it contains a
 * tariff.json, twice a second, and when it is told to.
 *
 * A changed folder is read when it holds what the newest version says, or is the same in two polls, so that a half-copied
 * folder is not read. If a folder has an error, it is reported once, and its last good version stays in use. The schedule is replaced as a whole. A request keeps
 * the schedule that it began with. While a version of the folder is being made, nothing is read, so that no half of a change
 * counts.
 */
import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { poll, type Refresh } from '../poll.ts';
import { checkTariff, hasErrors } from './check.ts';
import type { Finding, TariffDocument } from './document.ts';
import { foldersIn, signatureOf, tryReadFolder, unreadable } from './folders.ts';
import { conflictsOf, type Schedule, scheduleOf, tariffId } from './schedule.ts';
import { changeToken, isBeingChanged, newestVersion } from './versions.ts';

export interface LiveTariffs {
  readonly current: () => Schedule;
  /** The problems of the folders as they are now. `at` begins with the folder's name. */
  readonly findings: () => readonly Finding[];
  readonly refresh: Refresh;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly intervalMs?: number;
  /** Finishes a change of the folder that was interrupted. @returns false while another process makes one */
  readonly finish?: () => Promise<boolean>;
}

/** A tariff's folder as last read, and its last document without errors. */
interface Folder {
  readonly signature: string;
  readonly findings: readonly Finding[];
  readonly document?: TariffDocument;
}

/** The result of one poll of all folders. */
interface Poll {
  readonly folders: ReadonlyMap<string, Folder>;
  readonly signatures: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  readonly schedule: Schedule;
}

const INTERVAL_MS = 500;
/** A poll waits for a change that is being made. */
const TRIES = 100;
const TRY_MS = 50;
const NOTHING: Poll = { folders: new Map(), signatures: new Map(), findings: [], schedule: scheduleOf([]) };

const readFolder = async (dir: string, signature: string, before: Folder | undefined): Promise<Folder> => {
  const read = await tryReadFolder(dir);
  const findings = 'document' in read ? checkTariff(read.document) : read.findings;
  const named = findings.map((finding) => ({ ...finding, at: `${basename(dir)}/${finding.at}` }));
  const document = 'document' in read && !hasErrors(findings) ? read.document : before?.document;
  return { signature, findings: named, ...(document === undefined ? {} : { document }) };
};

/** The schedule of all good documents. Omits documents that have the same service and date as an earlier one. */
const scheduleFor = (folders: ReadonlyMap<string, Folder>, before: Schedule): Pick<Poll, 'findings' | 'schedule'> => {
  const documents: TariffDocument[] = [];
  const findings = [...folders.values()].flatMap((folder) => folder.findings);
  for (const [dir, { document }] of folders) {
    if (document === undefined) continue;
    const conflicts = conflictsOf([...documents, document]);
    if (conflicts.length === 0) documents.push(document);
    findings.push(...conflicts.map((finding) => ({ ...finding, at: `${basename(dir)}: ${finding.at}` })));
  }
  const same = documents.length === before.documents.length && documents.every((one) => before.documents.includes(one));
  return { findings, schedule: same ? before : scheduleOf(documents) };
};

const holds = ({ document, findings }: Folder, id: string | undefined): boolean =>
  document !== undefined && !hasErrors(findings) && tariffId(document) === id;

/** Reads folders that are new or have changed. Keeps the schedule if nothing has changed. */
const pollFolders = async (root: string, before: Poll): Promise<Poll> => {
  const whole = (await newestVersion(root))?.tariffs ?? {};
  const signatures = new Map<string, string>();
  for (const dir of await foldersIn(root)) signatures.set(dir, await signatureOf(dir));
  const folders = new Map<string, Folder>();
  let changed = [...before.folders.keys()].some((dir) => !signatures.has(dir));
  for (const [dir, signature] of signatures) {
    const known = before.folders.get(dir);
    // The first poll does not wait for a second one: there is no older version to use.
    const isStable = before === NOTHING || before.signatures.get(dir) === signature;
    const id = whole[basename(dir)];
    const isRead = known?.signature !== signature && (isStable || id !== undefined);
    const fresh = isRead ? await readFolder(dir, signature, known) : undefined;
    // A folder that changed while it was read may mix two versions. The next poll reads it again.
    const isTaken = fresh !== undefined && (isStable || holds(fresh, id)) && (await signatureOf(dir)) === signature;
    const taken = isTaken ? fresh : known;
    if (taken !== undefined) folders.set(dir, taken);
    changed ||= taken !== known;
  }
  if (!changed) return { ...before, signatures };
  return { folders, signatures, ...scheduleFor(folders, before.schedule) };
};

const report = (log: WatchOptions['log'], before: Poll, now: Poll): void => {
  const known = new Set(before.findings.map(({ at, message }) => `${at} ${message}`));
  const fresh = now.findings.filter(
    ({ at, message, severity }) => severity === 'error' && !known.has(`${at} ${message}`),
  );
  if (fresh.length > 0) log.error({ errors: fresh.length, first: fresh.slice(0, 5) }, 'a tariff is refused');
  if (now.schedule !== before.schedule) log.info({ tariffs: now.schedule.ids }, 'tariffs have changed');
};

/**
 * Reads the tariffs and watches them for changes.
 * @returns the tariffs after the first poll. Bad folders are in `findings`; good folders are in use
 */
export const watchTariffs = async (
  dir: string,
  { log, intervalMs = INTERVAL_MS, finish = async () => false }: WatchOptions,
): Promise<LiveTariffs> => {
  const root = resolve(dir);
  let latest = NOTHING;
  let failed: { readonly finding: Finding; readonly failure: unknown } | undefined;

  /** The folders, unless they change meanwhile. */
  const readOnce = async (): Promise<Poll | undefined> => {
    const token = await changeToken(root);
    if (isBeingChanged(token)) {
      if (await finish()) log.info('an interrupted change of the tariffs was finished');
      return undefined;
    }
    const now = await pollFolders(root, latest);
    return (await changeToken(root)) === token ? now : undefined;
  };

  const pollOnce = async (): Promise<void> => {
    try {
      let now = await readOnce();
      for (let tries = 1; now === undefined && tries < TRIES; tries++) {
        await sleep(TRY_MS);
        now = await readOnce();
      }
      if (now === undefined) throw new Error('the tariffs are being changed for seconds');
      report(log, latest, now);
      latest = now;
      failed = undefined;
    } catch (failure) {
      // The folder of the tariffs is gone, perhaps for a moment. The last schedule stays in use, and the next poll tries
      // again.
      const finding = unreadable(basename(root), failure);
      if (finding.message !== failed?.finding.message) log.error({ err: failure }, 'the tariffs cannot be read');
      failed = { finding, failure };
    }
  };

  const { first, now, stop: close } = poll(pollOnce, intervalMs);
  await first;

  return {
    current: () => latest.schedule,
    findings: () => (failed === undefined ? latest.findings : [failed.finding]),
    refresh: async () => {
      await now();
      if (failed !== undefined) throw failed.failure;
    },
    close,
  };
};
