/**
 * The tariffs of a running service: one folder each under `TARIFFS_DIR` (or that folder itself, where a tariff.json lies
 * in it), looked at about once a second.
 *
 * A folder is taken up when it has lain still from one look to the next, so that a copy under way is not read half. One
 * that does not check is reported once and its last good version stays. Schedules change as a whole; a request holds on
 * to the one that it began with.
 */
import { basename, resolve } from 'node:path';
import type { Logger } from 'pino';
import { lookOften } from '../poll.ts';
import { checkTariff, hasErrors } from './check.ts';
import type { Finding, TariffDocument } from './document.ts';
import { foldersIn, readOrSay, signatureOf, unreadable } from './folders.ts';
import { conflictsOf, type Schedule, scheduleOf } from './schedule.ts';

export interface LiveTariffs {
  readonly current: () => Schedule;
  /** What is wrong with the folders as they lie there now; `at` begins with the folder's name. */
  readonly findings: () => readonly Finding[];
  readonly close: () => void;
}

export interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly intervalMs?: number;
}

/** A tariff's folder: as it was when it was last read, and the last document of it that had no errors. */
interface Folder {
  readonly signature: string;
  readonly findings: readonly Finding[];
  readonly document?: TariffDocument;
}

/** What one look at all folders came to. */
interface Look {
  readonly folders: ReadonlyMap<string, Folder>;
  readonly signatures: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  readonly schedule: Schedule;
}

const INTERVAL_MS = 1_000;
const NOTHING: Look = { folders: new Map(), signatures: new Map(), findings: [], schedule: scheduleOf([]) };

const readFolder = async (dir: string, signature: string, before: Folder | undefined): Promise<Folder> => {
  const read = await readOrSay(dir);
  const findings = 'document' in read ? checkTariff(read.document) : read.findings;
  const named = findings.map((finding) => ({ ...finding, at: `${basename(dir)}/${finding.at}` }));
  const document = 'document' in read && !hasErrors(findings) ? read.document : before?.document;
  return { signature, findings: named, ...(document === undefined ? {} : { document }) };
};

/** All documents that are good by themselves, but for those that have a service and date of one before them. */
const scheduleFor = (folders: ReadonlyMap<string, Folder>, before: Schedule): Pick<Look, 'findings' | 'schedule'> => {
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

/** Looks at all folders and reads those that are new or have changed. The outcome is `before` where nothing has. */
const lookAt = async (root: string, before: Look): Promise<Look> => {
  const signatures = new Map<string, string>();
  for (const dir of await foldersIn(root)) signatures.set(dir, await signatureOf(dir));
  const folders = new Map<string, Folder>();
  let changed = [...before.folders.keys()].some((dir) => !signatures.has(dir));
  for (const [dir, signature] of signatures) {
    const known = before.folders.get(dir);
    // At the start there is no earlier look, and no better version to wait with.
    const still = before === NOTHING || before.signatures.get(dir) === signature;
    const fresh = known?.signature === signature || !still ? undefined : await readFolder(dir, signature, known);
    // What changed while it was read may be of two versions; the next look begins again.
    const taken = fresh !== undefined && (await signatureOf(dir)) === signature ? fresh : known;
    if (taken !== undefined) folders.set(dir, taken);
    changed ||= taken !== known;
  }
  if (!changed) return { ...before, signatures };
  return { folders, signatures, ...scheduleFor(folders, before.schedule) };
};

const report = (log: WatchOptions['log'], before: Look, now: Look): void => {
  const known = new Set(before.findings.map(({ at, message }) => `${at} ${message}`));
  const fresh = now.findings.filter(
    ({ at, message, severity }) => severity === 'error' && !known.has(`${at} ${message}`),
  );
  if (fresh.length > 0) log.error({ errors: fresh.length, first: fresh.slice(0, 5) }, 'a tariff is refused');
  if (now.schedule !== before.schedule) log.info({ tariffs: now.schedule.ids }, 'tariffs have changed');
};

/**
 * Reads the tariffs and keeps watching them.
 * @returns the tariffs, once they have been read for the first time; folders that are bad then are in `findings`, the
 * good ones serve
 */
export const watchTariffs = async (
  dir: string,
  { log, intervalMs = INTERVAL_MS }: WatchOptions,
): Promise<LiveTariffs> => {
  const root = resolve(dir);
  let latest = NOTHING;
  let noLook: Finding | undefined;

  const look = async (): Promise<void> => {
    try {
      const now = await lookAt(root, latest);
      report(log, latest, now);
      latest = now;
      noLook = undefined;
    } catch (failure) {
      // The folder of the tariffs itself is gone, for now perhaps: what was read before serves on, and the next look
      // tries again.
      const finding = unreadable(basename(root), failure);
      if (finding.message !== noLook?.message) log.error({ err: failure }, 'the tariffs cannot be read');
      noLook = finding;
    }
  };

  const { looked, stop: close } = lookOften(look, intervalMs);
  await looked;

  return {
    current: () => latest.schedule,
    findings: () => (noLook === undefined ? latest.findings : [noLook]),
    close,
  };
};
