/**
 * Joins the files of several imports. Newer files replace older ones piece by piece: the rates of a service, the chart of an
 * origin, a list of areas, a charge, the fuel of a day.
 */
import { shifted } from '../days.ts';
import { spelledOut } from './merge/charged-services.ts';
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

/** The charges of an earlier file. One that a newer file has too ends on the day before the newer one begins. */
const chargesBefore = (charges: readonly ParsedCharge[], newer: readonly ParsedFile[]): readonly ParsedCharge[] => {
  const begins = new Map<string, string>();
  for (const charge of newer.flatMap((reading) => reading.charges))
    for (const key of keysOf(charge)) {
      const { from = '' } = charge.entry;
      const before = begins.get(key);
      if (before === undefined || from < before) begins.set(key, from);
    }
  return charges.flatMap((charge): readonly ParsedCharge[] => {
    const [begin] = keysOf(charge)
      .flatMap((key) => begins.get(key) ?? [])
      .sort();
    const { from = '', until } = charge.entry;
    if (begin === undefined) return [charge];
    if (begin <= from) return [];
    const last = shifted(begin, -1);
    return until !== undefined && until <= last ? [charge] : [{ ...charge, entry: { ...charge.entry, until: last } }];
  });
};

/** A reading without what newer files have too: a service's rates, an origin's chart, a list of areas, a fuel rate. */
const without = (reading: ParsedFile, newer: readonly ParsedFile[]): ParsedFile => {
  const left = <T>(pick: (reading: ParsedFile) => readonly T[], keyOf: (part: T) => string): readonly T[] => {
    const keys = new Set(newer.flatMap((one) => pick(one).map(keyOf)));
    return pick(reading).filter((part) => !keys.has(keyOf(part)));
  };
  return {
    ...reading,
    rates: left(
      ({ rates }) => rates,
      ({ code }) => code,
    ),
    multiweight: left(
      ({ multiweight }) => multiweight,
      ({ code }) => code,
    ),
    cubic: left(
      ({ cubic }) => cubic,
      ({ code }) => code,
    ),
    charts: left(
      ({ charts }) => charts,
      ({ carrier, origin }) => `${carrier} ${origin}`,
    ),
    areas: left(
      ({ areas }) => areas,
      ({ name }) => name,
    ),
    charges: chargesBefore(reading.charges, newer),
    fuel: left(
      ({ fuel }) => fuel,
      (rate) => [rate.carrier, spelledOut(rate), rate.from].join('\n'),
    ),
  };
};

const partsOf = ({ rates, multiweight, cubic, charts, areas, charges, fuel }: ParsedFile): readonly object[] => [
  ...[rates, multiweight, cubic, charts, areas, charges, fuel].flat(),
];

/** Earlier files without tables that newer files have too, and a line for each file that lost one. */
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
 * Joins the files of several imports. Of each table, keeps the newest.
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
