/**
 * A whole import: reads the files, joins them with those of earlier imports, applies the operator's decisions, and checks the
 * tariff. The command line and the console run it.
 */
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { must } from '../base/must.ts';
import { present } from '../base/present.ts';
import { checkTariff, hasErrors } from '../catalog/tariff/check/check.ts';
import { compileTariff } from '../catalog/tariff/compile.ts';
import { coverageOf } from '../catalog/tariff/coverage.ts';
import type { Finding, TariffDocument } from '../catalog/tariff/document.ts';
import { systemCode } from '../catalog/tariff/folder-files.ts';
import { inOrder } from '../catalog/tariff/identity.ts';
import { addFuel, neededFuel, withAddedFuel } from './add-fuel.ts';
import { slugged } from './carriers.ts';
import { withDecisions } from './decisions.ts';
import type { ImportTask, ReadingProgress } from './drafts/tasks.ts';
import type { Layers } from './layers.ts';
import { assembleNewest, type ImportFile, partsOf } from './newest.ts';
import { RefusedFile, type Source } from './read/reader.ts';
import { type Assembly, decisionsText, type ImportReport, missingLines } from './report/report.ts';
import { lacksOrigin, readSource } from './source.ts';

export interface FileToImport {
  readonly path: string;
  /** For a zone list that does not state it. */
  readonly origin?: string | undefined;
}

/** What an import reports and asks while it reads. */
export interface Asking {
  /** Called at the start, when a file begins to be read, and when a file has been read. */
  readonly onProgress?: (progress: ReadingProgress) => void;
  /**
   * Asks for the origin of a file that lacks it, while the others are read. Undefined: nobody entered one. Without this function,
   * nothing is read if a file lacks its origin.
   */
  readonly originOf?: (path: string) => Promise<string | undefined>;
}

export interface Refusal {
  readonly path: string;
  readonly reason: string;
  /** Whether the file needs an origin and nobody entered one. */
  readonly lacksOrigin: boolean;
}

/** Returns why a file could not be read. Rethrows any other failure. */
const reasonOf = (failure: unknown): string => {
  if (failure instanceof RefusedFile) return failure.message;
  if (systemCode(failure) !== undefined && failure instanceof Error) return failure.message;
  throw failure;
};

type FileToRead = FileToImport & { readonly generation: number; readonly lacksOrigin: boolean };

/** Each file may take a separate process that needs much memory. */
const FILES_AT_ONCE = Math.min(4, availableParallelism());

const readOne = async (file: FileToRead, shipsFrom: readonly string[]): Promise<ImportFile | Refusal> => {
  const { path, origin, generation, lacksOrigin: lacked } = file;
  try {
    return { path, origin, generation, source: await readSource(path, { ...present({ origin }), shipsFrom }) };
  } catch (failure) {
    return { path, reason: reasonOf(failure), lacksOrigin: lacked && origin === undefined };
  }
};

const isRefusal = (outcome: ImportFile | Refusal): outcome is Refusal => 'reason' in outcome;

/** Reads files, several at once. Files that need an origin from an operator come last. @returns the outcomes, in the order given */
const readAll = async (
  files: readonly FileToRead[],
  shipsFrom: readonly string[],
  { onProgress = () => undefined, originOf = async () => undefined }: Asking,
): Promise<(ImportFile | Refusal)[]> => {
  const outcomes: (ImportFile | Refusal)[] = [];
  const queue = [...files.entries()].sort(([, a], [, b]) => Number(a.lacksOrigin) - Number(b.lacksOrigin));
  const waiting = new Set(files.filter((file) => file.lacksOrigin).map(({ path }) => path));
  const reading = new Set<string>();
  const tell = (): void => {
    const [now, asked] = [reading, waiting].map((paths) => [...paths].map((path) => basename(path)));
    onProgress({ read: Object.keys(outcomes).length, of: files.length, reading: now ?? [], waiting: asked ?? [] });
  };
  const readSome = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, file] = next;
      const { path } = file;
      // If any file cannot be read, nothing is imported, so do not ask.
      const isAsked = waiting.has(path) && !outcomes.some(isRefusal);
      const origin = isAsked ? await originOf(path) : file.origin;
      waiting.delete(path);
      reading.add(path);
      tell();
      outcomes[at] = await readOne({ ...file, origin }, shipsFrom);
      reading.delete(path);
      tell();
    }
  };
  tell();
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, readSome));
  return outcomes;
};

/** Whether a file lacks its origin. Its other problems are reported when it is read. */
const isLacking = async ({ path, origin }: FileToImport, shipsFrom: readonly string[]): Promise<boolean> => {
  try {
    return await lacksOrigin(path, { ...present({ origin }), shipsFrom });
  } catch (failure) {
    reasonOf(failure);
    return false;
  }
};

/** Removes services that are only imported on request, such as FedEx One Rate, if nobody requested them. */
export const onlyAsked = (files: readonly ImportFile[], codes: readonly string[]): ImportFile[] =>
  files.map((file) => {
    const { source } = file;
    const { reading } = source;
    const rates = reading.rates.filter(({ onRequest, code }) => onRequest !== true || codes.includes(code));
    const omitted = new Set(reading.rates.filter((one) => !rates.includes(one)).map(({ code }) => code));
    const cubic = reading.cubic.filter(({ code }) => !omitted.has(code));
    return { ...file, source: { ...source, reading: { ...reading, rates, cubic } } };
  });

/** Returns the problem with the services that an import requests; undefined if the files have all of them. */
export const unknownServices = (files: readonly ImportFile[], codes: readonly string[]): string | undefined => {
  const offered = files.flatMap(({ source }) =>
    source.reading.rates.flatMap(({ onRequest, code }) => (onRequest === true ? [code] : [])),
  );
  const unknown = codes.filter((code) => !offered.includes(code));
  if (unknown.length === 0) return undefined;
  const there = offered.length === 0 ? 'the files have none on request' : `there are ${offered.join(', ')}`;
  return `No file has ${unknown.join(', ')} on request: ${there}`;
};

export interface ImportRequest extends Asking, Pick<ImportTask, 'name' | 'effective' | 'services' | 'origins'> {
  readonly files: readonly FileToImport[];
  /** The tariff that the files are imported into. */
  readonly layers: Layers | undefined;
  /** The published tariff with this name and first day. Files that contain only fuel add to it. Others keep the fuel added to it. */
  readonly published?: TariffDocument | undefined;
}

export interface Imported {
  /** The files that the tariff is made of. */
  readonly files: readonly ImportFile[];
  readonly report: ImportReport;
  /** The tariff, with the operator's decisions; absent if nothing has rates. */
  readonly document: TariffDocument | undefined;
  /** The tariff from the files alone; absent if they contain no rates. */
  readonly imported: TariffDocument | undefined;
  /** Unreadable cells and contradictions. */
  readonly doubts: number;
  readonly errors: number;
}

/** `refused`: files that cannot be read. `problem`: services that no file has, or a folder that was not made by an import. */
export type ImportOutcome = Imported | { readonly refused: readonly Refusal[] } | { readonly problem: string };

/** The files of earlier imports under their given names, then those of this import, whose paths are `fresh`. */
const allFiles = async (request: ImportRequest) => {
  const { files, effective, layers, origins } = request;
  // Files for another date do not apply.
  const kept = layers?.effective === effective ? layers.files : [];
  const generation = Math.max(0, ...kept.map((file) => file.generation)) + 1;
  const shipsFrom = origins.map(({ zip5 }) => zip5);
  const given: FileToRead[] = [];
  for (const file of files) given.push({ ...file, lacksOrigin: await isLacking(file, shipsFrom), generation });
  const asked = given.filter((file) => file.lacksOrigin);
  const all = [...given, ...kept.map((file) => ({ ...file, lacksOrigin: false }))];
  const isAtOnce = asked.length > 0 && request.originOf === undefined;
  const outcomes = await readAll(isAtOnce ? asked : all, shipsFrom, request);
  const refused = outcomes.filter(isRefusal);
  if (refused.length > 0) return { refused };
  const read = outcomes.filter((outcome): outcome is ImportFile => !isRefusal(outcome));
  const [fresh, earlier] = [read.slice(0, files.length), read.slice(files.length)];
  const hashes = new Set(fresh.map(({ source }) => source.sha256));
  const renamed = earlier.map((file, at) => ({
    ...file,
    source: { ...file.source, file: must(kept[at], 'an earlier file').file },
  }));
  return {
    files: [...renamed.filter(({ source }) => !hashes.has(source.sha256)), ...fresh],
    fresh: new Set(files.map(({ path }) => path)),
  };
};

/**
 * Adds fuel from files that contain nothing else to a tariff that was not imported, such as a published one.
 * @returns undefined if the files contain more, or if there is no such tariff
 */
const withFuelAlone = (sources: readonly Source[], { effective, layers, published }: ImportRequest) => {
  const current = [layers?.current, published].find((document) => document?.file.effective === effective);
  const isFuel = ({ reading }: Source): boolean => reading.fuel.length === partsOf(reading).length;
  if (current === undefined || !sources.every(isFuel)) return undefined;
  const fuel = sources.flatMap(({ file, reading }) =>
    reading.fuel.map((rate) => ({ ...rate, source: `${file}, ${rate.at}` })),
  );
  const added = addFuel(current, neededFuel(current, fuel), true);
  const warnings = ['These files contain only fuel: all else is as it was in the tariff'];
  const isRefused = 'problem' in added;
  const contradictions = isRefused ? [added.problem] : [];
  return { document: isRefused ? undefined : added.document, findings: { warnings, contradictions } };
};

/** The assembled tariff with the operator's decisions, the decisions as text, and what is said about dropped ones. */
const decided = ({ document: imported }: Assembly, { layers, published }: ImportRequest) => {
  const { base, current } = layers ?? {};
  if (imported !== undefined && published !== undefined) {
    const { document, lost } = withAddedFuel(imported, published);
    return { document, decisions: decisionsText(imported, document), warnings: [], contradictions: lost };
  }
  if (imported === undefined || base === undefined || current === undefined)
    return { document: imported, decisions: [], warnings: [], contradictions: [] };
  const { document, gone, doubled } = withDecisions(base, current, imported);
  const warnings = [
    ...gone.map((what) => `The files no longer have ${what}: the decisions on it are dropped`),
    ...doubled.map((what) => `${what}: the first is yours, and both are charged. Remove yours if they are one charge`),
  ];
  return { document, decisions: decisionsText(imported, document), warnings, contradictions: [] };
};

/** Returns what a tariff lacks on its first day. A tariff with errors cannot be compiled. */
const lackedBy = (document: TariffDocument | undefined, findings: readonly Finding[]): readonly string[] =>
  document === undefined || hasErrors(findings)
    ? []
    : missingLines(coverageOf(document, compileTariff(document), { day: document.file.effective, origins: [] }));

const NOT_IMPORTED =
  'The tariff in the folder was not made by an import, so changes of yours cannot be told from what files said. ' +
  'Import into a new folder, and copy your changes';

/** Imports files, in addition to files imported earlier for the same date. Keeps the operator's decisions. */
export const runImport = async (request: ImportRequest): Promise<ImportOutcome> => {
  const { name, effective, services, layers, origins } = request;
  const read = await allFiles(request);
  if (read.refused !== undefined) return { refused: read.refused };
  const unknown = unknownServices(read.files, services);
  if (unknown !== undefined) return { problem: unknown };
  // Services of earlier imports stay.
  const asked = [...services, ...(layers?.current?.file.services.map(({ code }) => code) ?? [])];
  const newest = assembleNewest(onlyAsked(read.files, asked), { name, effective, origins });
  const { files, notes, assembly: joined } = newest;
  if (joined.document !== undefined && layers?.current !== undefined && layers.base === undefined)
    return { problem: NOT_IMPORTED };
  const sources = files.map(({ source }) => source);
  const fuelled = joined.document === undefined ? withFuelAlone(sources, request) : undefined;
  const { document = fuelled?.document, decisions, ...said } = decided(joined, request);
  const plain = fuelled === undefined ? joined : { ...joined, ...fuelled.findings };
  const assembly = {
    ...plain,
    warnings: [...said.warnings, ...plain.warnings],
    contradictions: [...said.contradictions, ...plain.contradictions],
  };
  // Findings name rows, so check the tariff in the order of the written files.
  const checked = document === undefined ? undefined : inOrder(document);
  const findings = checked === undefined ? [] : checkTariff(checked);
  const fresh = new Set(files.filter(({ path }) => read.fresh.has(path)).map(({ source }) => source));
  const report: ImportReport = {
    sources: sources.filter((source) => fresh.has(source)),
    earlier: sources.filter((source) => !fresh.has(source)).map(({ file }) => file),
    replaced: notes,
    decisions,
    assembly,
    incomplete: lackedBy(document, findings),
    findings,
    checked,
  };
  return {
    files,
    report,
    document,
    imported: joined.document,
    doubts: assembly.unreadable.length + assembly.contradictions.length,
    errors: findings.filter(({ severity }) => severity === 'error').length,
  };
};

/** Makes a tariff's name from the name of its folder. */
export const tariffNameOf = (dir: string): string => slugged(basename(dir), 40) || 'tariff';
