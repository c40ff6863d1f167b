/** Merges the transit days of any number of files. */
import type { TransitRow } from '../../catalog/tariff/document.ts';
import { capped } from '../../catalog/tariff/findings.ts';
import { transitInOrder } from '../../catalog/tariff/transit.ts';
import type { ParsedTransit } from '../read/reader.ts';
import type { ServiceName } from './charged-services.ts';
import type { FromFile } from './prices.ts';

/** Most contradictions that are listed individually. */
const MAX_NAMED = 20;

/** The unit that a newer file replaces: the days of some services from an origin. */
export const transitKey = ({ rows }: ParsedTransit): string =>
  [...new Set(rows.map(({ service, origin }) => `${service} ${origin}`))].sort().join();

/** Joins rows. If two files give different days for a lane, keeps the first and notes a contradiction. */
export const mergeTransit = (parts: readonly FromFile<ParsedTransit>[]) => {
  const kept = new Map<string, { readonly row: TransitRow; readonly file: string }>();
  const contradictions: string[] = [];
  for (const { file, reading } of parts)
    for (const row of reading.rows) {
      const lane = `${row.service}, origin ${row.origin}, destination ${row.destination}`;
      const before = kept.get(lane);
      if (before === undefined) kept.set(lane, { row, file });
      else if (before.row.days !== row.days)
        contradictions.push(`${lane}: ${before.row.days} days in ${before.file}, ${row.days} in ${file}`);
    }
  return {
    rows: [...kept.values()].map(({ row }) => row),
    contradictions: [...capped(contradictions, MAX_NAMED, (more) => `and ${more} more lanes`)],
  };
};

/** The days of the tariff's services, and a warning for each carrier without rates. */
export const transitFor = (parts: readonly FromFile<ParsedTransit>[], services: readonly ServiceName[]) => {
  const { rows, contradictions } = mergeTransit(parts);
  const codes = new Set(services.map(({ code }) => code));
  const rated = new Set(services.map(({ carrier }) => carrier));
  const without = new Set(parts.map(({ reading }) => reading.carrier).filter((carrier) => !rated.has(carrier)));
  return {
    rows: transitInOrder(rows.filter(({ service }) => codes.has(service))),
    contradictions,
    warnings: [...without].map((name) => `There are transit days of ${name}, but no rates: not used`),
  };
};
