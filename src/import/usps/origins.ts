/** The origins to read from a nationwide file, because nobody ships from everywhere. */
import { parseZipRange, ZIP5S_PER_ZIP3, zipText } from '../../catalog/tariff/zip.ts';
import { type ReadOptions, RefusedFile } from '../read/reader.ts';

/** More origins would take too much memory, and most rows of the chart would never be used. */
const MAX_ORIGINS = 100;

const zip3sIn = (text: string): number[] =>
  text.split(/[\s,;|]+/).flatMap((part) => {
    const range = parseZipRange(part);
    if (range === undefined)
      throw new RefusedFile(`${part} is not an origin: give ZIP3s or ranges, such as 850,600-606`);
    const [first, last] = [range.from, range.to].map((zip) => Math.floor(zip / ZIP5S_PER_ZIP3));
    return Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, at) => (first ?? 0) + at);
  });

/** Whether no origin to read is given. */
export const asksNoOrigin = ({ origin, shipsFrom = [] }: ReadOptions): boolean =>
  origin === undefined && shipsFrom.length === 0;

/**
 * The ZIP3s to read from a file: those given by the caller, or else those of the warehouses.
 * @throws RefusedFile if there are none, or too many
 */
export const askedOrigins = ({ origin, shipsFrom = [] }: ReadOptions): readonly string[] => {
  const zip3s = origin === undefined ? shipsFrom.map((zip5) => Number(zip5.slice(0, 3))) : zip3sIn(origin);
  const asked = [...new Set(zip3s)].sort((a, b) => a - b).map((zip3) => zipText(zip3, 3));
  if (asked.length === 0)
    throw new RefusedFile(
      'it has the zones from everywhere, and no warehouse is known: name the ZIP3s that you ship from, such as 850,600-606',
    );
  if (asked.length > MAX_ORIGINS)
    throw new RefusedFile(`an import takes at most ${MAX_ORIGINS} of its origins, and these are ${asked.length}`);
  return asked;
};
