/**
 * The documents of a kind that a running service has in force from a folder. Polls the folders in it, or the folder itself
 * if it is a document's, and also polls on request.
 *
 * A changed folder is read when it is known to be complete or is the same in two polls, so that a half-copied folder is not
 * read. Unchanged folders are not read again. An error in a folder is reported once, and its last good version stays in
 * use. All documents are replaced together. An unchanged document stays the same object, because compiled data is cached by
 * object. Nothing is read while a version of the folder is in progress, so that no partial change takes effect.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { poll, type Refresh } from '../../base/poll.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { hasErrors } from '../tariff/check/check.ts';
import type { Finding } from '../tariff/document.ts';
import { errorsIn } from '../tariff/findings.ts';
import { systemCode, unreadable } from '../tariff/folder-files.ts';
import { type Schedule, scheduleOf } from '../tariff/schedule.ts';
import { changeToken, finishIfFree, isBeingChanged, newestVersion } from './folder-place.ts';
import { checkOne, checkTogether, documentsOf } from './judged.ts';
import { AGREEMENTS, candidatesIn, type Kind, TARIFFS } from './kinds.ts';

export interface Live<V> {
  readonly current: () => V;
  /** The current problems of the folders. `at` begins with the folder's name. */
  readonly findings: () => readonly Finding[];
  /** The current errors of a document, although an earlier version of it may be in use. Empty if it has no errors. */
  readonly errorsOf: (name: string) => readonly Finding[];
  readonly refresh: Refresh;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly intervalMs?: number;
}

/** A folder at the last read, and its last document without errors. */
interface Folder<D> {
  readonly signature: string;
  /** The name of its document, or of the folder if the document cannot be read. */
  readonly name: string;
  readonly findings: readonly Finding[];
  readonly document?: D;
}

/** The result of one poll of all folders. */
interface Poll<D> {
  readonly isFirst: boolean;
  readonly folders: ReadonlyMap<string, Folder<D>>;
  readonly signatures: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  readonly documents: readonly D[];
}

/** Two polls and the reading finish within two seconds, even with 1,000 folders. */
const INTERVAL_MS = 500;
/** A poll waits this long for a change in progress. */
const TRIES = 100;
const TRY_MS = 50;
/** The tables of an agreement's amendment are three folders below the agreement's folder. */
const DEPTH = 4;
/** Folders processed before yielding to the event loop. */
const AT_ONCE = 20;
/** Errors that one log line names. */
const SHOWN = 5;

/**
 * Path, inode, size and time of everything in a folder. Synchronous because that takes a fifth of the processor time, and
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
    // The folder is gone or unreadable. Reading it will report which.
    parts.push(code);
  }
  return parts.sort().join('\n');
};

const signaturesIn = async <D>(root: string, kind: Kind<D>): Promise<ReadonlyMap<string, string>> => {
  const signatures = new Map<string, string>();
  for (const [at, dir] of (await candidatesIn(kind, root)).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await turn();
    signatures.set(dir, signatureOf(dir));
  }
  return signatures;
};

const readFolder = async <D>(
  kind: Kind<D>,
  dir: string,
  signature: string,
  before: Folder<D> | undefined,
): Promise<Folder<D>> => {
  const read = await kind.read(dir);
  const { findings, document: good } = checkOne(kind, basename(dir), read);
  const document = good === undefined || isDeepStrictEqual(good, before?.document) ? before?.document : good;
  const known = 'document' in read ? read.document : before?.document;
  const name = known === undefined ? basename(dir) : kind.nameOf(known);
  return { signature, name, findings, ...(document !== undefined && { document }) };
};

/** All valid documents. Omits one that cannot be in force together with earlier ones. */
const documentsIn = <D>(
  kind: Kind<D>,
  folders: ReadonlyMap<string, Folder<D>>,
  before: readonly D[],
): Pick<Poll<D>, 'findings' | 'documents'> => {
  const checked = checkTogether(
    kind,
    [...folders].map(([dir, folder]) => ({ ...folder, name: basename(dir) })),
  );
  const documents = documentsOf(checked);
  const isSame = documents.length === before.length && documents.every((one, at) => before[at] === one);
  return { findings: checked.flatMap(({ findings }) => findings), documents: isSame ? before : documents };
};

/**
 * Reads new and changed folders. Keeps the documents if nothing has changed.
 * @param whole ids of documents whose folders are complete
 */
const pollFolders = async <D>(
  kind: Kind<D>,
  root: string,
  before: Poll<D>,
  whole: ReadonlySet<string>,
): Promise<Poll<D>> => {
  const signatures = await signaturesIn(root, kind);
  const folders = new Map<string, Folder<D>>();
  let changed = [...before.folders.keys()].some((dir) => !signatures.has(dir));
  for (const [dir, signature] of signatures) {
    const known = before.folders.get(dir);
    const isOther = signature.startsWith(dir) && !signature.includes(`${join(dir, kind.mainFile)} `);
    if (known === undefined && isOther && kind.leavesOthersAlone) continue;
    // The first poll does not wait for a second one because there is no older version to use.
    const isStable = before.isFirst || before.signatures.get(dir) === signature;
    const isRead = known?.signature !== signature && (isStable || whole.size > 0);
    const fresh = isRead ? await readFolder(kind, dir, signature, known) : undefined;
    const isWhole = fresh?.document !== undefined && !hasErrors(fresh.findings) && whole.has(kind.id(fresh.document));
    // A folder that changed while it was read may mix two versions. The next poll reads it again.
    const isTaken = fresh !== undefined && (isStable || isWhole) && signatureOf(dir) === signature;
    const taken = isTaken ? fresh : known;
    if (taken !== undefined) folders.set(dir, taken);
    changed ||= taken !== known;
  }
  if (!changed) return { ...before, isFirst: false, signatures };
  return { isFirst: false, folders, signatures, ...documentsIn(kind, folders, before.documents) };
};

const nothing = <D>(): Poll<D> => ({
  ...{ isFirst: true, folders: new Map(), signatures: new Map(), findings: [], documents: [] },
});

const report = <D>({ name, one }: Kind<D>, log: WatchOptions['log'], before: Poll<D>, now: Poll<D>): void => {
  const known = new Set(before.findings.map(({ at, message }) => `${at} ${message}`));
  const fresh = errorsIn(now.findings).filter(({ at, message }) => !known.has(`${at} ${message}`));
  if (fresh.length > 0) log.error({ errors: fresh.length, first: fresh.slice(0, SHOWN) }, `${one} is refused`);
  if (now.documents !== before.documents) log.info({ documents: now.documents.length }, `${name}s have changed`);
};

/**
 * Reads the documents and watches them for changes.
 * @param view the service's view of them; the same documents give the same object
 * @returns the documents after the first poll. Bad folders are in `findings`; good folders are in use
 */
const watchFolders = async <D, V>(
  kind: Kind<D>,
  dir: string,
  view: (documents: readonly D[]) => V,
  { log, intervalMs = INTERVAL_MS }: WatchOptions,
): Promise<Live<V>> => {
  const root = resolve(dir);
  let latest = nothing<D>();
  let viewed = view(latest.documents);
  let failed: { readonly finding: Finding; readonly failure: unknown } | undefined;
  let whole: ReadonlySet<string> = new Set();

  /** Reads the folders, unless they change meanwhile. */
  const readOnce = async (): Promise<Poll<D> | undefined> => {
    const token = await changeToken(root);
    if (isBeingChanged(token)) {
      if (await finishIfFree(kind, root)) log.info(`an interrupted change of the ${kind.name}s was finished`);
      return undefined;
    }
    const ids = [...whole, ...Object.values((await newestVersion(kind.plural, root))?.ids ?? {})];
    const now = await pollFolders(kind, root, latest, new Set(ids));
    return (await changeToken(root)) === token ? now : undefined;
  };

  const pollOnce = async (): Promise<void> => {
    try {
      let now = await readOnce();
      for (let tries = 1; now === undefined && tries < TRIES; tries++) {
        await sleep(TRY_MS);
        now = await readOnce();
      }
      if (now === undefined) throw new Error(`the ${kind.name}s have been changing for seconds`);
      report(kind, log, latest, now);
      if (now.documents !== latest.documents) viewed = view(now.documents);
      latest = now;
      whole = new Set();
      failed = undefined;
    } catch (failure) {
      // The folder is gone, perhaps briefly. The last documents stay in use, and the next poll tries again.
      const finding = unreadable(basename(root), failure);
      if (finding.message !== failed?.finding.message) log.error({ err: failure }, `the ${kind.name}s cannot be read`);
      failed = { finding, failure };
    }
  };

  const { first, now, stop: close } = poll(pollOnce, intervalMs);
  await first;

  return {
    current: () => viewed,
    findings: () => (failed === undefined ? latest.findings : [failed.finding]),
    errorsOf: (name) =>
      errorsIn([...latest.folders.values()].filter((one) => one.name === name).flatMap(({ findings }) => findings)),
    refresh: async (ids = []) => {
      whole = new Set([...whole, ...ids]);
      await now();
      if (failed !== undefined) throw failed.failure;
    },
    close,
  };
};

export type Agreements = ReadonlyMap<string, AgreementDocument>;

export const byName = (documents: readonly AgreementDocument[]): Agreements =>
  new Map(documents.map((document) => [document.file.name, document]));

export type LiveTariffs = Live<Schedule>;
export type LiveAgreements = Live<Agreements>;

export const watchTariffs = (dir: string, options: WatchOptions): Promise<LiveTariffs> =>
  watchFolders(TARIFFS, dir, scheduleOf, options);

export const watchAgreements = (dir: string, options: WatchOptions): Promise<LiveAgreements> =>
  watchFolders(AGREEMENTS, dir, byName, options);
