/** Compiles the discounts of a card: lines become cells by address, rate column and weight band. */
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { OwnMultiweight } from '../../rating/card.ts';
import { basisPoints, basisPointsOf } from '../../rating/quantity.ts';
import type { Combination, DiscountPart, DiscountTable } from '../../rating/terms.ts';
import { centsOf } from '../tariff/compile-charges.ts';
import { cellCents } from '../tariff/document.ts';
import type { DiscountLine } from './document.ts';
import { isBilledTo, namesService, type Subject, zonesOf } from './subject.ts';
import { isInForce } from './tiers.ts';

/* Compiles an agreement's own multiweight prices. */

/** The columns that the agreement's multiweight table of a service prices. Empty without a table. */
export const ownColumnsOf = ({ card, version }: Pick<Subject, 'card' | 'version'>): readonly string[] =>
  version.tables.multiweight?.[card.code]?.columns ?? [];

/** @returns undefined if the agreement has no multiweight table for the card's service */
export const ownMultiweightOf = ({
  card,
  version,
  prefix,
}: Pick<Subject, 'card' | 'version' | 'prefix'>): OwnMultiweight | undefined => {
  const { code, columns } = card;
  const table = version.tables.multiweight?.[code];
  if (table === undefined) return undefined;
  const places = columns.map((name) => table.columns.indexOf(name));
  return {
    ...must(version.file.services[code]?.multiweight, `services.${code}.multiweight`),
    perLb: table.perHundred === true ? 100 : 1,
    breaks: table.breaks.map(({ fromLb, centsPerLb }) => ({
      fromLb,
      cents: places.map((at) => (at === -1 ? 0 : (cellCents(centsPerLb, at) ?? 0))),
    })),
    columns: new Set(places.flatMap((at, column) => (at === -1 ? [] : [column]))),
    source: `${prefix}${version.folderOf('multiweight', code)}multiweight/${code}.csv`,
  };
};

const WHOLE = basisPoints(10_000);

/** The first pounds of the weight bands, in ascending order from 0. */
const startsOf = (lines: readonly DiscountLine[]): number[] => {
  const starts = new Set([0]);
  for (const { fromLb, toLb } of lines) {
    starts.add(fromLb <= 1 ? 0 : fromLb);
    if (toLb !== undefined) starts.add(toLb + 1);
  }
  return [...starts].sort((a, b) => a - b);
};

const bandsOf = (starts: readonly number[]): Uint16Array => {
  const bands = new Uint16Array(must(starts.at(-1), 'the first band'));
  let band = 0;
  for (let pounds = 0; pounds < bands.length; pounds++) {
    if (starts[band + 1] === pounds) band += 1;
    bands[pounds] = band;
  }
  return bands;
};

/** Returns the lines that apply, in file order: the highest of each `betterOf`, and all without one. */
const counted = (lines: readonly DiscountLine[]): DiscountLine[] =>
  lines.filter(
    (line, at) =>
      line.betterOf === undefined ||
      !lines.some((other, place) => {
        if (other.betterOf !== line.betterOf || place === at) return false;
        const more = basisPointsOf(other.percent) - basisPointsOf(line.percent);
        return more > 0 || (more === 0 && place < at);
      }),
  );

const partOf = (line: DiscountLine, { version, prefix }: Subject): DiscountPart => ({
  type: line.tier === undefined ? 'DISCOUNT' : 'EARNED_DISCOUNT',
  description: line.discount,
  rate: basisPointsOf(line.percent),
  ...present({ tier: line.tier }),
  ...(line.usd === undefined ? {} : { cents: centsOf(line.usd) }),
  ...(line.row === 0 ? {} : { source: `${prefix}${version.folderOf('discounts')}discounts.csv row ${line.row}` }),
});

/** The address and mode numbers of a line, each `multiweight * 2 + residential`. */
const kindsOf = ({ address, appliesTo, usd }: DiscountLine): number[] =>
  [0, 1, 2, 3].filter(
    (kind) =>
      (address === 'any' || (address === 'residential') === (kind % 2 === 1)) &&
      (appliesTo === 'both' || (appliesTo === 'multiweight') === kind >= 2) &&
      (usd === undefined || kind < 2),
  );

/** Tables by lines and by everything else that they depend on. The days of an agreement share them. */
const tables = new WeakMap<readonly DiscountLine[], Map<string, DiscountTable | undefined>>();

/** @returns undefined if no line names the card's service in the tier in force */
export const discountTable = (subject: Subject): DiscountTable | undefined => {
  const { card, version, tiers, prefix } = subject;
  const lines = version.tables.discounts;
  const known = getOrMake(tables, lines, () => new Map<string, DiscountTable | undefined>());
  const isBilled = lines.some(({ billing }) => billing !== undefined);
  const key = [
    ...[isBilled ? subject.billing : '', prefix, version.folderOf('discounts'), version.file.carrier],
    tiers.map(({ tier = '' }) => tier).join('\t'),
    ...[card.code, card.carrier, card.columns.join(), card.rateZones.join(), ownColumnsOf(subject).join()],
  ].join('\n');
  if (!known.has(key)) known.set(key, tableOf(subject));
  return known.get(key);
};

/** Whether a line changes a price. */
const counts = ({ percent, usd }: DiscountLine): boolean => basisPointsOf(percent) !== 0 || usd !== undefined;

const tableOf = (subject: Subject): DiscountTable | undefined => {
  const { card, version, tiers } = subject;
  const lines = version.tables.discounts.filter(
    (line) => isInForce(line, tiers) && isBilledTo(line, subject) && namesService(line.services, subject),
  );
  if (!lines.some(counts)) return undefined;
  const starts = startsOf(lines);
  const columns = card.columns.length;
  // The agreement's own multiweight prices are net. Only lines for multiweight shipments alone change them.
  const netColumns = new Set(ownColumnsOf(subject).map((name) => card.columns.indexOf(name)));
  const cells = new Map<number, DiscountLine[]>();
  for (const line of lines) {
    const covered = zonesOf(line.zones, card) ?? card.columns.keys();
    const own = starts.flatMap((start, band) =>
      (start >= line.fromLb || (start === 0 && line.fromLb <= 1)) && (line.toLb === undefined || start <= line.toLb)
        ? [band]
        : [],
    );
    for (const column of covered)
      for (const kind of kindsOf(line)) {
        if (kind >= 2 && line.appliesTo === 'both' && netColumns.has(column)) continue;
        for (const band of own) {
          const at = (kind * columns + column) * starts.length + band;
          getOrMake(cells, at, (): DiscountLine[] => []).push(line);
        }
      }
  }
  const parts = new Map(lines.map((line) => [line, partOf(line, subject)]));
  const part = (line: DiscountLine): DiscountPart => must(parts.get(line), 'a part of a discount');
  const combinations: Combination[] = [{ rate: basisPoints(0), parts: [] }];
  const known = new Map<string, number>();
  const table = new Uint16Array(4 * columns * starts.length);
  for (const [at, held] of cells) {
    // Amounts apply after percentages.
    const kept = counted(held)
      .filter(counts)
      .sort((a, b) => Number(a.usd !== undefined) - Number(b.usd !== undefined));
    const key = kept.map(({ row, discount }) => `${row} ${discount}`).join('\n');
    const before = key === '' ? 0 : known.get(key);
    table[at] = before ?? combinations.length;
    if (before !== undefined) continue;
    known.set(key, combinations.length);
    const sum = kept.reduce((rate, { percent }) => rate + basisPointsOf(percent), 0);
    combinations.push({ rate: basisPoints(Math.max(-WHOLE, Math.min(WHOLE, sum))), parts: kept.map(part) });
  }
  const rates = Int16Array.from(combinations, ({ rate }) => rate);
  const sums = combinations.map((one) => one.parts.reduce((sum, { cents = 0 }) => sum + cents, 0));
  const cents = sums.some((sum) => sum > 0) ? Int32Array.from(sums) : undefined;
  return {
    ...{ bands: bandsOf(starts), bandCount: starts.length, columnCount: columns },
    ...{ cells: table, combinations, rates, cents },
  };
};
