/**
 * The agreements of a running service. Polls the folders under `AGREEMENTS_DIR`, or that folder itself if it contains an
 * agreement.json. A changed folder is read when it is the same in two polls, or is known to be whole, and the others are not read again. If a folder
 * has an error, it is reported once, and its last good version stays in use. All agreements are replaced as a whole, and one
 * that has not changed stays the same object: its compiled terms are kept by object.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { poll, type Refresh } from '../poll.ts';
import { hasErrors } from '../tariff/check.ts';
import type { Finding } from '../tariff/document.ts';
import { foldersIn, systemCode, unreadable } from '../tariff/folders.ts';
import { checkAgreement } from './check.ts';
import type { AgreementDocument } from './document.ts';
import { AGREEMENT_FILE, type ReadAgreement, readAgreementFolder } from './folder.ts';
import { agreementId } from './versions.ts';

/** Agreements by name. */
export type Agreements = ReadonlyMap<string, AgreementDocument>;

export interface LiveAgreements {
  readonly current: () => Agreements;
  /** The problems of the folders as they are now. `at` begins with the folder's name. */
  readonly findings: () => readonly Finding[];
  /** The errors of an agreement as it is now, although an earlier version of it may be in use. Without errors there are none. */
  readonly errorsOf: (name: string) => readonly Finding[];
  readonly refresh: Refresh;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly intervalMs?: number;
}

/** An agreement's folder as last read, and its last document without errors. */
interface Folder {
  readonly signature: string;
  /** That of its agreement; of its folder if the agreement cannot be read. */
  readonly name: string;
  readonly findings: readonly Finding[];
  readonly document?: AgreementDocument;
}

/** The result of one poll of all folders. */
interface Poll {
  readonly folders: ReadonlyMap<string, Folder>;
  readonly signatures: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  readonly agreements: Agreements;
}

/** Two polls and the reading end within two seconds, also with 1,000 folders. */
const INTERVAL_MS = 700;
const NOTHING: Poll = { folders: new Map(), signatures: new Map(), findings: [], agreements: new Map() };
/** An agreement has the tables of an amendment three folders below its own. */
const DEPTH = 4;
/** Folders between two turns of the event loop. */
const AT_ONCE = 20;

/**
 * Path, inode, size and time of everything in a folder. Synchronous, because that takes a fifth of the processor time, and
 * there may be a thousand folders.
 */
const signatureOf = (dir: string): string => {
  const parts: string[] = [];
  const visit = (path: string, depth: number): void => {
    const { ino, size, mtimeMs } = statSync(path);
    parts.push(`${path} ${ino} ${size} ${mtimeMs}`);
    if (depth === 0) return;
    const entries: Dirent[] = readdirSync(path, { withFileTypes: true });
    for (const entry of entries) visit(join(path, entry.name), entry.isDirectory() ? depth - 1 : 0);
  };
  try {
    visit(dir, DEPTH);
  } catch (failure) {
    const code = systemCode(failure);
    if (code === undefined) throw failure;
    // The folder is gone or cannot be read. Reading it will report which.
    parts.push(code);
  }
  return parts.sort().join('\n');
};

/** Whether a folder has an agreement.json, or is the place of one that is being replaced. Other folders are left alone. */
const mayHold = (dir: string, signature: string): boolean =>
  !signature.startsWith(dir) || signature.includes(`${join(dir, AGREEMENT_FILE)} `);

const signaturesIn = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const signatures = new Map<string, string>();
  for (const [at, dir] of (await foldersIn(root, AGREEMENT_FILE)).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await turn();
    signatures.set(dir, signatureOf(dir));
  }
  return signatures;
};

/** A folder that cannot be read, or was removed after it was listed, has a finding. */
const tryRead = async (dir: string): Promise<ReadAgreement> => {
  try {
    return await readAgreementFolder(dir);
  } catch (failure) {
    // Other folders can still be read.
    if (systemCode(failure) === undefined) throw failure;
    return { findings: [unreadable(AGREEMENT_FILE, failure)] };
  }
};

const readFolder = async (dir: string, signature: string, before: Folder | undefined): Promise<Folder> => {
  const read = await tryRead(dir);
  const own = 'document' in read ? checkAgreement(read.document) : read.findings;
  const findings = own.map((finding) => ({ ...finding, at: `${basename(dir)}/${finding.at}` }));
  const good = 'document' in read && !hasErrors(own) ? read.document : undefined;
  const document = good === undefined || isDeepStrictEqual(good, before?.document) ? before?.document : good;
  const name = 'document' in read ? read.document.file.name : (before?.document?.file.name ?? basename(dir));
  return { signature, name, findings, ...(document === undefined ? {} : { document }) };
};

const isIn = ({ document, findings }: Folder, ids: ReadonlySet<string>): boolean =>
  document !== undefined && !hasErrors(findings) && ids.has(agreementId(document));

/** All good agreements. Omits one that has the name of an earlier one. */
const agreementsIn = (
  folders: ReadonlyMap<string, Folder>,
  before: Agreements,
): Pick<Poll, 'findings' | 'agreements'> => {
  const agreements = new Map<string, AgreementDocument>();
  const findings = [...folders.values()].flatMap((folder) => folder.findings);
  for (const [dir, { document }] of folders) {
    if (document === undefined) continue;
    const { name } = document.file;
    if (!agreements.has(name)) agreements.set(name, document);
    else {
      const message = `another folder has an agreement of the name ${name} too: give one of them another name`;
      findings.push({ severity: 'error', at: `${basename(dir)}/${AGREEMENT_FILE}`, message });
    }
  }
  const same = agreements.size === before.size && [...agreements].every(([name, one]) => before.get(name) === one);
  return { findings, agreements: same ? before : agreements };
};

/**
 * Reads folders that are new or have changed. Keeps the agreements if nothing has changed.
 * @param whole ids of agreements whose folders are complete
 */
const pollFolders = async (root: string, before: Poll, whole: ReadonlySet<string> = new Set()): Promise<Poll> => {
  const signatures = await signaturesIn(root);
  const folders = new Map<string, Folder>();
  let changed = [...before.folders.keys()].some((dir) => !signatures.has(dir));
  for (const [dir, signature] of signatures) {
    const known = before.folders.get(dir);
    if (known === undefined && !mayHold(dir, signature)) continue;
    // The first poll does not wait for a second one: there is no older version to use.
    const isStable = before === NOTHING || before.signatures.get(dir) === signature;
    const isRead = known?.signature !== signature && (isStable || whole.size > 0);
    const fresh = isRead ? await readFolder(dir, signature, known) : undefined;
    // A folder that changed while it was read may mix two versions. The next poll reads it again.
    const isTaken = fresh !== undefined && (isStable || isIn(fresh, whole)) && signatureOf(dir) === signature;
    const taken = isTaken ? fresh : known;
    if (taken !== undefined) folders.set(dir, taken);
    changed ||= taken !== known;
  }
  if (!changed) return { ...before, signatures };
  return { folders, signatures, ...agreementsIn(folders, before.agreements) };
};

/** Reads the agreements in a folder once. */
export const readAgreements = async (dir: string): Promise<Pick<Poll, 'agreements' | 'findings'>> =>
  await pollFolders(resolve(dir), NOTHING);

const SHOWN = 5;

const report = (log: WatchOptions['log'], before: Poll, now: Poll): void => {
  const known = new Set(before.findings.map(({ at, message }) => `${at} ${message}`));
  const fresh = now.findings.filter(
    ({ at, message, severity }) => severity === 'error' && !known.has(`${at} ${message}`),
  );
  if (fresh.length > 0) log.error({ errors: fresh.length, first: fresh.slice(0, SHOWN) }, 'an agreement is refused');
  if (now.agreements !== before.agreements) log.info({ agreements: now.agreements.size }, 'agreements have changed');
};

/**
 * Reads the agreements and watches them for changes.
 * @returns the agreements after the first poll. Bad folders are in `findings`; good folders are in use
 */
export const watchAgreements = async (
  dir: string,
  { log, intervalMs = INTERVAL_MS }: WatchOptions,
): Promise<LiveAgreements> => {
  const root = resolve(dir);
  let latest = NOTHING;
  let failed: { readonly finding: Finding; readonly failure: unknown } | undefined;
  let whole: ReadonlySet<string> = new Set();

  const pollOnce = async (): Promise<void> => {
    const ids = whole;
    whole = new Set();
    try {
      const now = await pollFolders(root, latest, ids);
      report(log, latest, now);
      latest = now;
      failed = undefined;
    } catch (failure) {
      // The folder of the agreements is gone, perhaps for a moment. The last ones stay in use, and the next poll tries again.
      const finding = unreadable(basename(root), failure);
      if (finding.message !== failed?.finding.message) log.error({ err: failure }, 'the agreements cannot be read');
      failed = { finding, failure };
    }
  };

  const { first, now, stop: close } = poll(pollOnce, intervalMs);
  await first;

  return {
    current: () => latest.agreements,
    findings: () => (failed === undefined ? latest.findings : [failed.finding]),
    errorsOf: (name) =>
      [...latest.folders.values()]
        .filter((folder) => folder.name === name)
        .flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error')),
    refresh: async (ids = []) => {
      whole = new Set([...whole, ...ids]);
      await now();
      if (failed !== undefined) throw failed.failure;
    },
    close,
  };
};
