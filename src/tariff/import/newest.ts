/**
 * Joins the files of several imports. Where two files agree, the order of the imports does not matter. Where they do not,
 * the newer file replaces a piece of the older one: the rates of a service, the chart of an origin, a list of areas, a
 * charge, the fuel of a day.
 */
import { isDeepStrictEqual } from 'node:util';
import { FIRST_DAY, LAST_DAY, shifted } from '../days.ts';
import { mergeAreas } from './merge/areas.ts';
import { carrierZonesOf } from './merge/carrier-zones.ts';
import { spelledOut } from './merge/charged-services.ts';
import { mergeCubic } from './merge/cubic.ts';
import { type FromFile, mergeMultiweight, mergeRates } from './merge/rates.ts';
import type { ParsedCharge, ParsedFile, Source } from './read/reader.ts';

/** A file of an import: its path and its reading. */
export interface ImportFile {
  readonly path: string;
  readonly origin: string | undefined;
  readonly generation: number;
  readonly source: Source;
}

/** What makes a charge the same in two files: its name, or its conditions. */
const keysOf = (charge: ParsedCharge): readonly string[] => {
  const { carrier, tier = '', entry } = charge;
  const whose = [carrier, entry.type, spelledOut(charge)];
  return [JSON.stringify([...whose, entry.description]), JSON.stringify([...whose, tier, entry.when])];
};

/** Everything that makes a price but the days. */
const pricedBy = ({ entry: { description: _, from: __, until: ___, ...rest } }: ParsedCharge): unknown => rest;

/** The days of a charge beside another one: without a last or a first day, it gives way to the other. */
const daysBeside = ({ entry }: ParsedCharge, { entry: other }: ParsedCharge) => {
  const { from = FIRST_DAY, until = LAST_DAY } = entry;
  const { from: begin = FIRST_DAY, until: end = LAST_DAY } = other;
  return {
    from: entry.from === undefined && end < until ? shifted(end, 1) : from,
    until: entry.until === undefined && begin > from ? shifted(begin, -1) : until,
  };
};

/** Whether two charges of one key state different prices for a day. */
const contradict = (a: ParsedCharge, b: ParsedCharge): boolean => {
  const [one, other] = [daysBeside(a, b), daysBeside(b, a)];
  return one.from <= other.until && other.from <= one.until && !isDeepStrictEqual(pricedBy(a), pricedBy(b));
};

/** The charges of an earlier file. One that a newer file contradicts ends on the day before the newer one begins. */
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

/** What two files say of one thing. */
const pair = <T>(earlier: T, newer: T): FromFile<T>[] => [
  { file: 'earlier', reading: earlier },
  { file: 'newer', reading: newer },
];

/** A reading without what newer files contradict: a service's rates, an origin's chart, a list of areas, a fuel rate. */
const without = (reading: ParsedFile, newer: readonly ParsedFile[]): ParsedFile => {
  const left = <T>(
    pick: (reading: ParsedFile) => readonly T[],
    keyOf: (part: T) => string,
    differ: (earlier: T, newer: T) => boolean,
  ): readonly T[] => {
    const others = newer.flatMap(pick);
    return pick(reading).filter((part) => !others.some((other) => keyOf(other) === keyOf(part) && differ(part, other)));
  };
  return {
    ...reading,
    rates: left(
      ({ rates }) => rates,
      ({ code }) => code,
      (a, b) => mergeRates(a.code, pair(a, b)).contradictions.length > 0,
    ),
    multiweight: left(
      ({ multiweight }) => multiweight,
      ({ code }) => code,
      (a, b) => mergeMultiweight(a.code, pair(a, b)).contradictions.length > 0,
    ),
    cubic: left(
      ({ cubic }) => cubic,
      ({ code }) => code,
      (a, b) => (mergeCubic(a.code, pair(a, b), a.table.columns)?.contradictions.length ?? 0) > 0,
    ),
    charts: left(
      ({ charts }) => charts,
      ({ carrier, origin }) => `${carrier} ${origin}`,
      (a, b) => {
        const charts = pair(a, b).map(({ file, reading: chart }) => ({ file, chart }));
        return carrierZonesOf(a.carrier, charts).contradictions.length > 0;
      },
    ),
    areas: left(
      ({ areas }) => areas,
      ({ name }) => name,
      (a, b) =>
        mergeAreas(
          pair(a, b),
          [a, b].map(({ carrier = '' }) => ({ code: '', carrier })),
        ).contradictions.length > 0,
    ),
    charges: chargesBefore(reading.charges, newer),
    fuel: left(
      ({ fuel }) => fuel,
      (rate) => [rate.carrier, spelledOut(rate), rate.from].join('\n'),
      (a, b) => Number(a.percent) !== Number(b.percent),
    ),
  };
};

/** All that a reading has. */
export const partsOf = ({ rates, multiweight, cubic, charts, areas, charges, fuel }: ParsedFile): readonly object[] => [
  ...[rates, multiweight, cubic, charts, areas, charges, fuel].flat(),
];

/** Earlier files without what newer files contradict, and a line for each file that lost something. */
const withoutNewer = (
  earlier: readonly ImportFile[],
  newer: readonly ImportFile[],
): { readonly files: readonly ImportFile[]; readonly notes: readonly string[] } => {
  const readings = newer.map(({ source }) => source.reading);
  const names = new Set(newer.map(({ source }) => source.file));
  const notes: string[] = [];
  const files = earlier.flatMap((one): readonly ImportFile[] => {
    const { file, reading: whole } = one.source;
    // A file of the same name is a newer copy, unless several earlier files have that name.
    if (names.has(file) && earlier.filter(({ source }) => source.file === file).length === 1) return [];
    const reading = without(whole, readings);
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

/**
 * Joins the files of several imports.
 * @returns the files that still have tables, and a line for each file that lost tables to the last import
 */
export const newestOf = (
  files: readonly ImportFile[],
): { readonly files: readonly ImportFile[]; readonly notes: readonly string[] } => {
  const generations = [...new Set(files.map(({ generation }) => generation))].sort((a, b) => a - b);
  let kept: ReturnType<typeof withoutNewer> = { files: [], notes: [] };
  for (const generation of generations) {
    const own = files.filter((file) => file.generation === generation);
    const { files: left, notes } = withoutNewer(kept.files, own);
    kept = { files: [...left, ...own], notes };
  }
  return kept;
};
