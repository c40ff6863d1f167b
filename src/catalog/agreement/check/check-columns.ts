/** Checks an agreement's rate columns against those of the tariffs: zones, minimum cells, and the agreement's own tables. */
import type { Card } from '../../../rating/card.ts';
import type { Finding } from '../../tariff/document.ts';
import { collected, error, warning } from '../../tariff/findings.ts';
import { type Named, OWN_ZONE, type ZoneRange, zoneText } from '../cells.ts';
import type { DiscountLine, MinimumLine } from '../document.ts';
import { cardsOf, type Held, listOf, namesService, zonesOf } from '../subject.ts';
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
    const names = unknown.map(zoneText).join(', ');
    return [error(at, `no service of this row has the zone ${names}: correct it. ${columns}`)];
  }
  const without = line.services === '*' ? [] : cards.filter((card) => zonesOf(zones, card)?.size === 0);
  return without.map(({ code, columns }) => {
    const message = `${code} has none of these zones: remove it from the row, or add zones of it.`;
    return warning(at, `${message} It has ${listOf(columns)}`);
  });
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
export const checkTableColumns = (
  file: string,
  own: readonly string[],
  { code, columns }: Card,
  without: string,
): Finding[] => {
  const missing = columns.filter((column) => !own.includes(column));
  const message = `has no column ${listOf(missing)}: packages to it ${without}. Add the column, unless this is right`;
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
