/** Checks an agreement's rate columns against those of the tariffs: zones, minimum cells, and the agreement's own tables. */
import { must } from '../../../base/must.ts';
import type { Card } from '../../../rating/card.ts';
import { brokenAt } from '../../../rating/multiweight.ts';
import { baseByPounds } from '../../../rating/package-price.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { cellCents, type Finding, type MultiweightTable } from '../../tariff/document.ts';
import { collected, error, sharing, warning } from '../../tariff/findings.ts';
import { type Named, OWN_ZONE, type ZoneRange, zoneText } from '../cells.ts';
import { ownColumnsOf, ownMultiweightOf } from '../compile-discounts.ts';
import { AGREEMENT_FILE, type DiscountLine, type MinimumLine } from '../document.ts';
import { cardsOf, fileOfIn, type Held, listOf, namesService, zonesOf } from '../subject.ts';
import type { Version } from '../versions.ts';
import { overlaps, togetherIn } from './check-lines.ts';

interface ZonedLine {
  readonly row: number;
  readonly services: Named<string>;
  readonly zones: Named<ZoneRange>;
}

/** Reports zones that none of a line's services has, and services that have none of the line's zones. */
const checkZones = (line: ZonedLine, file: string, held: Held): Finding[] => {
  const { zones } = line;
  const cards = cardsOf(line.services, held);
  const [first] = cards;
  if (zones === '*' || first === undefined) return [];
  const at = `${file} row ${line.row} column zones`;
  const unknown = zones.filter((range) => cards.every((card) => zonesOf([range], card)?.size === 0));
  if (unknown.length > 0) {
    const columns = `${first.code} has ${listOf(first.columns)}`;
    const names = `${unknown.length === 1 ? 'zone' : 'zones'} ${unknown.map(zoneText).join(', ')}`;
    return [error(at, `no service of this row has the ${names}: correct the cell. ${columns}`)];
  }
  const without = line.services === '*' ? [] : cards.filter((card) => zonesOf(zones, card)?.size === 0);
  return [...sharing(without.map(({ code, columns }) => [code, listOf(columns)]))].map(([columns, codes]) =>
    warning(at, `the row names no zone of ${codes.join(', ')}: remove the service, or add its zones, ${columns}`),
  );
};

/** Reports lines of one discount that name the same columns of a service differently, such as `2` and `202`. */
const checkSameColumns = (held: Held): Finding[] => {
  const { version, fileOf } = held;
  return held.cards.flatMap((card) => {
    const lines = version.tables.discounts.filter(({ services }) => namesService(services, { card, version }));
    const columns = new Map(lines.map((line) => [line, zonesOf(line.zones, card)]));
    const meet = (a: DiscountLine, b: DiscountLine): boolean => {
      const [one, other] = [columns.get(a), columns.get(b)];
      return one === undefined || other === undefined || [...one].some((column) => other.has(column));
    };
    return overlaps(lines, fileOf('discounts'), meet, togetherIn(version.file, version.tables));
  });
};

const checkMinimumCell = (line: MinimumLine, file: string, held: Held): Finding[] => {
  const { zone, weightLb } = line;
  if (zone === undefined || weightLb === undefined) return [];
  const at = `${file} row ${line.row}`;
  return cardsOf(line.services, held).flatMap((card): Finding[] => {
    if (zone === OWN_ZONE) {
      const most = Math.max(card.topLb, held.version.tables.rates[card.code]?.cents.length ?? 0);
      if (weightLb <= most) return [];
      const message = `${card.code} has no rate of ${weightLb} lb: its rates end at ${most} lb`;
      return [error(`${at} column weight_lb`, message)];
    }
    const own = held.version.tables.rates[card.code];
    const [column, ...more] = zonesOf([{ from: zone, to: zone }], card) ?? [];
    const { columns, code } = card;
    if (column === undefined)
      return [error(`${at} column zone`, `${code} has no zone ${zone}: correct it. It has ${listOf(columns)}`)];
    const name = columns[column] ?? '';
    const place = own?.columns.indexOf(name) ?? -1;
    const row = place === -1 ? undefined : own?.cents[weightLb - 1];
    const list = weightLb <= card.topLb && card.rates[column * (card.topLb + 1) + weightLb];
    const rate = row === undefined ? list : row[place];
    const several = `${zone} matches several columns of ${code}, and ${name} is used. Write the name of the column`;
    return collected(
      more.length > 0 && warning(`${at} column zone`, several),
      !rate && error(at, `${code} has no rate of ${weightLb} lb in zone ${zone}: correct zone or weight_lb`),
    );
  });
};

/** Compares an agreement table's columns with the service's. @param without what happens to packages to the other columns */
const checkTableColumns = (
  file: string,
  own: readonly string[],
  { code, columns }: Card,
  without: string,
): Finding[] => {
  const missing = columns.filter((column) => !own.includes(column));
  const [noun, them] = missing.length === 1 ? ['column', 'it'] : ['columns', 'them'];
  const message = `has no ${noun} ${listOf(missing)}: packages to ${them} ${without}. Add the ${noun}, unless this is right`;
  return collected(
    own
      .filter((column) => !columns.includes(column))
      .map((column) => error(`${file} column ${column}`, `is not a rate column of ${code}: it has ${listOf(columns)}`)),
    missing.length > 0 && warning(file, message),
  );
};

/** Checks the agreement's own tables against the tariff's. */
const checkTables = ({ cards, version: { tables }, fileOf }: Held): Finding[] =>
  (['rates', 'caps'] as const).flatMap((kind) =>
    cards.flatMap((card): Finding[] => {
      const table = Object.hasOwn(tables[kind], card.code) ? tables[kind][card.code] : undefined;
      if (table === undefined) return [];
      const file = fileOf(kind, card.code);
      const without = kind === 'rates' ? 'cost the list rate' : 'have no cap';
      const isShort = table.cents.length < card.topLb && table.centsPerLbAboveTop === undefined;
      const hasWhole = card.multiweight !== undefined && tables.multiweight?.[card.code] === undefined;
      const isKept = kind === 'rates' && (card.cubic !== undefined || hasWhole);
      const short = `ends at ${table.cents.length} lb, but the tariff's rates at ${card.topLb} lb: heavier packages ${without}`;
      return collected(
        checkTableColumns(file, table.columns, card, without),
        isShort && warning(file, `${short}. Add the rows, unless this is right`),
        isKept && warning(file, 'leaves list multiweight and cubic prices in force, which may be wrong'),
      );
    }),
  );

export const checkColumns = (held: Held): Finding[] => {
  const { fileOf } = held;
  const { discounts, surcharges, minimums } = held.version.tables;
  return [
    ...discounts.flatMap((line) => checkZones(line, fileOf('discounts'), held)),
    ...surcharges.flatMap((line) => checkZones(line, fileOf('surcharges'), held)),
    ...minimums.flatMap((line) => checkZones({ zones: '*', ...line }, fileOf('minimums'), held)),
    ...minimums.flatMap((line) => checkMinimumCell(line, fileOf('minimums'), held)),
    ...checkSameColumns(held),
    ...checkTables(held),
  ];
};

/* Checks an agreement's own multiweight prices, both by themselves and against the tariff's. */

/** The place of a price in its file. */
const placeOf = (file: string, row: number, column: string | undefined): string =>
  `${file} row ${row + 2} column ${must(column, 'a column')}`;

const checkColumn = (file: string, { columns, breaks }: MultiweightTable, at: number): Finding[] => {
  let before = Number.POSITIVE_INFINITY;
  return breaks.flatMap(({ centsPerLb }, row): Finding[] => {
    const cents = cellCents(centsPerLb, at);
    const place = placeOf(file, row, columns[at]);
    if (cents === null)
      return [warning(place, 'is empty: such packages are priced one by one. Write the price, unless this is right')];
    if (cents === 0) return [error(place, '0.00 is not a price; leave the cell empty if there is no rate')];
    const isMore = cents > before;
    before = cents;
    return isMore ? [warning(place, 'is more than for lighter shipments: is this what the contract says?')] : [];
  });
};

/** Checks the tables by themselves, and that agreement.json gives the weight from which they apply. */
export const checkMultiweight = (version: Version, json: string): Finding[] => {
  const { services } = version.file;
  const tables = version.tables.multiweight ?? {};
  const own = Object.entries(tables).flatMap(([code, table]): Finding[] => {
    const file = fileOfIn(version)('multiweight', code);
    const terms = services[code]?.multiweight;
    const cells = table.columns.flatMap((_, at) => checkColumn(file, table, at));
    const [first] = table.breaks;
    if (terms === undefined) {
      const member = `services.${code}.multiweight in ${AGREEMENT_FILE}`;
      return [error(file, `has no effect: write ${member}, or remove this file`), ...cells];
    }
    if (first === undefined || first.fromLb <= terms.minimumTotalLb) return cells;
    const begins = `begins at ${first.fromLb} lb, but minimumTotalLb of ${AGREEMENT_FILE} is ${terms.minimumTotalLb}`;
    const message = `${begins}: lighter packages are priced one by one. Correct one of them`;
    return [warning(`${file} row 2`, message), ...cells];
  });
  const empty = Object.keys(services).filter(
    (code) => services[code]?.multiweight !== undefined && !Object.hasOwn(tables, code),
  );
  return [
    ...own,
    ...empty.map((code) => {
      const message = `has no prices: add them as multiweight/${code}.csv, or remove this member`;
      return error(`${json} services.${code}.multiweight`, message);
    }),
  ];
};

/** The list charge for a shipment: its multiweight price, or else the price of packages of the minimum average weight. */
const listFor = (card: Card, column: number, lb: number, averageLb: number): number => {
  const whole = card.multiweight === undefined ? 0 : brokenAt(card.multiweight, column, lb).baseCents;
  if (whole > 0) return whole;
  const each = Math.max(1, Math.min(averageLb, card.topLb));
  return Math.round((baseByPounds(card, column, each) * lb) / each);
};

/** Checks columns and prices against the list's. One above the list's is probably per 100 pounds, not per pound. */
export const checkBesideList = ({ cards, version, fileOf }: Held): Finding[] =>
  cards.flatMap((card) => {
    const own = ownMultiweightOf({ card, version, prefix: '' });
    if (own === undefined) return [];
    const file = fileOf('multiweight', card.code);
    const without = card.multiweight === undefined ? 'are priced one by one' : "get the list's multiweight prices";
    const ask = own.perLb === 1 ? ' Prices per 100 lb go below a row cwt_from_lb' : '';
    const prices = own.breaks.flatMap(({ fromLb }, row) =>
      [...own.columns].flatMap((column): Finding[] => {
        const cents = brokenAt(own, column, fromLb).baseCents;
        const list = listFor(card, column, fromLb, own.minimumAverageLb);
        if (list === 0 || cents <= list) return [];
        const message = `makes ${dollarText(cents)} of ${fromLb} lb, and the list ${dollarText(list)}`;
        return [warning(placeOf(file, row, card.columns[column]), `${message}: is this what the contract says?${ask}`)];
      }),
    );
    return [...checkTableColumns(file, ownColumnsOf({ card, version }), card, without), ...prices];
  });
