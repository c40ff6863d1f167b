/**
 * Joins the files of several imports. Their order does not matter if all of them agree. Otherwise, a newer file replaces the
 * parts of an older file that it contradicts: a service's rates, an origin's chart, an area list, a charge, a day's fuel rate.
 */
import { FIRST_DAY, LAST_DAY, shifted } from '../catalog/tariff/days.ts';
import { assembleTariff, type ImportOptions } from './import.ts';
import { mergeAreas } from './merge/areas.ts';
import { carrierZonesOf } from './merge/carrier-zones.ts';
import { spelledOut } from './merge/charged-services.ts';
import { samePrice } from './merge/charges.ts';
import { type FromFile, mergeCubic, mergeMultiweight, mergeRates, mergeTransit, transitKey } from './merge/prices.ts';
import type { ParsedCharge, ParsedFile, Source, TableKind } from './read/reader.ts';
import type { Assembly } from './report/report.ts';

/** A file of an import: its path and its reading. */
export interface ImportFile {
  readonly path: string;
  readonly origin: string | undefined;
  readonly generation: number;
  readonly source: Source;
}

/** Keys that identify the same charge in two files: by name and by conditions. */
const keysOf = (charge: ParsedCharge): readonly string[] => {
  const { carrier, tier = '', entry } = charge;
  const whose = [carrier, entry.type, spelledOut(charge)];
  return [JSON.stringify([...whose, entry.description]), JSON.stringify([...whose, tier, entry.when])];
};

/** The days of a charge when another charge exists. If it has no first or last day, it makes room for the other one. */
const daysBeside = ({ entry }: ParsedCharge, { entry: other }: ParsedCharge) => {
  const { from = FIRST_DAY, until = LAST_DAY } = entry;
  const { from: begin = FIRST_DAY, until: end = LAST_DAY } = other;
  return {
    from: entry.from === undefined && end < until ? shifted(end, 1) : from,
    until: entry.until === undefined && begin > from ? shifted(begin, -1) : until,
  };
};

/** Whether two charges with the same key state different prices for a day. */
const contradict = (a: ParsedCharge, b: ParsedCharge): boolean => {
  const [one, other] = [daysBeside(a, b), daysBeside(b, a)];
  return one.from <= other.until && other.from <= one.until && !samePrice(a.entry, b.entry);
};

/** The charges of an earlier file. A charge that a newer file contradicts ends the day before the newer charge begins. */
const chargesBefore = (charges: readonly ParsedCharge[], newer: readonly ParsedFile[]): readonly ParsedCharge[] => {
  const byKey = new Map<string, ParsedCharge[]>();
  for (const charge of newer.flatMap((reading) => reading.charges))
    for (const key of keysOf(charge)) byKey.set(key, [...(byKey.get(key) ?? []), charge]);
  return charges.flatMap((charge): readonly ParsedCharge[] => {
    const others = keysOf(charge).flatMap((key) => byKey.get(key) ?? []);
    const [begin] = others
      .filter((other) => contradict(charge, other))
      .map(({ entry }) => entry.from ?? FIRST_DAY)
      .sort();
    if (begin === undefined) return [charge];
    if (begin <= (charge.entry.from ?? FIRST_DAY)) return [];
    return [{ ...charge, entry: { ...charge.entry, until: shifted(begin, -1) } }];
  });
};

/** What two files say about the same thing. */
const pair = <T>(earlier: T, newer: T): FromFile<T>[] => [
  { file: 'earlier', reading: earlier },
  { file: 'newer', reading: newer },
];

const contradictory = (merged: { readonly contradictions: readonly string[] } | undefined): boolean =>
  merged !== undefined && merged.contradictions.length > 0;

/** The parts of a file that may be replaced: all of them, or all except the charges. */
type Pieces = 'all' | 'no charges';

/** Removes what newer files contradict: a service's rates, an origin's chart, an area list, a charge, a fuel rate. */
const without = (reading: ParsedFile, newer: readonly ParsedFile[], pieces: Pieces): ParsedFile => {
  const left = <K extends TableKind>(
    kind: K,
    keyOf: (part: ParsedFile[K][number]) => string,
    differ: (earlier: ParsedFile[K][number], newer: ParsedFile[K][number]) => boolean,
  ): readonly ParsedFile[K][number][] => {
    const others = newer.flatMap((one): readonly ParsedFile[K][number][] => one[kind]);
    return reading[kind].filter((part) => !others.some((other) => keyOf(other) === keyOf(part) && differ(part, other)));
  };
  const codeOf = ({ code }: { readonly code: string }): string => code;
  return {
    ...reading,
    rates: left('rates', codeOf, (a, b) => contradictory(mergeRates(a.code, pair(a, b)))),
    multiweight: left('multiweight', codeOf, (a, b) =>
      contradictory(mergeMultiweight(a.code, pair(a, b), a.table.columns)),
    ),
    cubic: left('cubic', codeOf, (a, b) => contradictory(mergeCubic(a.code, pair(a, b), a.table.columns))),
    charts: left(
      'charts',
      ({ carrier, origin }) => `${carrier} ${origin}`,
      (a, b) => contradictory(carrierZonesOf(a.carrier, pair(a, b))),
    ),
    areas: left(
      'areas',
      ({ name }) => name,
      (a, b) => {
        const services = [a, b].map(({ carrier = '' }) => ({ code: '', carrier }));
        return contradictory(mergeAreas(pair(a, b), services));
      },
    ),
    charges: pieces === 'all' ? chargesBefore(reading.charges, newer) : reading.charges,
    fuel: left(
      'fuel',
      (rate) => [rate.carrier, spelledOut(rate), rate.from].join('\n'),
      (a, b) => Number(a.percent) !== Number(b.percent),
    ),
    transit: left('transit', transitKey, (a, b) => mergeTransit(pair(a, b)).contradictions.length > 0),
  };
};

/** All parts of a reading. */
export const partsOf = (reading: ParsedFile): readonly object[] => [
  ...[reading.rates, reading.multiweight, reading.cubic, reading.charts, reading.areas].flat(),
  ...[reading.charges, reading.fuel, reading.transit].flat(),
];

interface Newest {
  readonly files: readonly ImportFile[];
  readonly notes: readonly string[];
}

/** Returns earlier files without what newer files contradict, and a line for each file that lost something. */
const withoutContradicted = (earlier: readonly ImportFile[], newer: readonly ImportFile[], pieces: Pieces): Newest => {
  const readings = newer.map(({ source }) => source.reading);
  const notes: string[] = [];
  const files = earlier.flatMap((one): readonly ImportFile[] => {
    const { file, reading: whole } = one.source;
    const reading = without(whole, readings, pieces);
    const [before, left] = [partsOf(whole), partsOf(reading)];
    const same = before.filter((part) => left.includes(part)).length;
    if (same === before.length) return [one];
    notes.push(
      left.length === 0
        ? `${file} is no longer used: newer files replace everything in it`
        : `${file}: newer files replace ${before.length - same} of its ${before.length} tables, charges and fuel rates`,
    );
    return left.length === 0 ? [] : [{ ...one, source: { ...one.source, reading } }];
  });
  return { files, notes };
};

/** Removes earlier files that have a newer copy: a file of the same name, if only one earlier file has that name. */
const withoutCopied = (earlier: readonly ImportFile[], newer: readonly ImportFile[]): Newest => {
  const names = new Set(newer.map(({ source }) => source.file));
  const isCopied = ({ source: { file } }: ImportFile): boolean =>
    names.has(file) && earlier.filter(({ source }) => source.file === file).length === 1;
  return { files: earlier.filter((one) => !isCopied(one)), notes: [] };
};

/** Applies `left` import by import. The lines are those of the last import. */
const afterEach = (files: readonly ImportFile[], left: (earlier: Newest['files'], newer: Newest['files']) => Newest) =>
  [...new Set(files.map(({ generation }) => generation))]
    .sort((a, b) => a - b)
    .reduce<Newest>(
      (kept, generation) => {
        const own = files.filter((file) => file.generation === generation);
        const { files: before, notes } = left(kept.files, own);
        return { files: [...before, ...own], notes };
      },
      { files: [], notes: [] },
    );

/**
 * Joins the files of several imports into a tariff.
 * @returns the files that still have tables, and a line for each file that lost tables to the last import
 */
export const assembleNewest = (
  all: readonly ImportFile[],
  options: ImportOptions,
): Newest & { readonly assembly: Assembly } => {
  const assembled = ({ files, notes }: Newest) => ({
    files,
    notes,
    assembly: assembleTariff(
      files.map(({ source }) => source),
      options,
    ),
  });
  const current = afterEach(all, withoutCopied);
  let joined = assembled(current);
  // Two charges may seem to contradict each other until a third one states the days between them.
  for (const pieces of ['no charges', 'all'] as const) {
    if (joined.assembly.contradictions.length === 0) return joined;
    joined = assembled(afterEach(current.files, (earlier, newer) => withoutContradicted(earlier, newer, pieces)));
  }
  return joined;
};
