/** Checks an agreement's own multiweight prices, both by themselves and against the tariff's. */
import { must } from '../../../base/must.ts';
import type { Card } from '../../../rating/card.ts';
import { brokenAt } from '../../../rating/multiweight.ts';
import { baseByPounds } from '../../../rating/package-price.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { cellCents, type Finding, type MultiweightTable } from '../../tariff/document.ts';
import { error, warning } from '../../tariff/findings.ts';
import { ownColumnsOf, ownMultiweightOf } from '../compile-multiweight.ts';
import { AGREEMENT_FILE } from '../document.ts';
import { fileOfIn } from '../findings.ts';
import type { Held } from '../subject.ts';
import type { Version } from '../versions.ts';
import { checkTableColumns } from './check-columns.ts';

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
