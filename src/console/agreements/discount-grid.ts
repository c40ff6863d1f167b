/** Discount lines as tables in the layout of printed agreements: services and weights down; tiers, addresses and zones across. */
import { groupsOf } from '../../base/maps.ts';
import type { Agreement } from '../calls.ts';
import { money } from '../ui/format.ts';

export type DiscountLine = Agreement['discounts'][number];

export interface GridColumn extends Pick<DiscountLine, 'tier' | 'address' | 'billing' | 'zones' | 'counts'> {
  readonly key: string;
  /** Whether it is for all zones without another column. */
  readonly isRest: boolean;
}

export interface GridRow extends Pick<DiscountLine, 'services' | 'fromLb' | 'toLb'> {
  readonly key: string;
  /** Cells such as `5%` or `$0.50`, parallel to the columns; null for no discount. */
  readonly offs: readonly (string | null)[];
}

export interface Grid extends Pick<DiscountLine, 'discount' | 'betterOf' | 'appliesTo'> {
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
}

/** `5%` or `$0.50`, and `5% more` for an agreed increase. */
export const offOf = ({ usd, percent }: Pick<DiscountLine, 'usd' | 'percent'>): string => {
  if (usd !== null) return money(usd);
  return percent < 0 ? `${-percent}% more` : `${percent}%`;
};

const kindOf = ({ tier, address, billing }: Pick<DiscountLine, 'tier' | 'address' | 'billing'>): string =>
  JSON.stringify([tier, address, billing]);

/** The first and last number of `2-8` or `44`; undefined for a zone with another name. */
const rangeOf = (zone: string): readonly [from: number, to: number] | undefined => {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(zone) ?? [];
  return from === undefined ? undefined : [Number(from), Number(to)];
};

/** @param zone a single zone; null for all zones without a line */
const covers = ({ zones }: DiscountLine, zone: string | null): boolean => {
  if (zones === null || zone === null) return zones === null;
  const [number = Number.NaN] = rangeOf(zone) ?? [];
  return zones.some((own) => {
    const [from = Number.NaN, to = Number.NaN] = rangeOf(own) ?? [];
    return own === zone || (from <= number && number <= to);
  });
};

/** The zones of lines, split where any range begins or ends, so that no zone is in two of them. Null means all others. */
const zonesApart = (lines: readonly DiscountLine[]): readonly (string | null)[] => {
  const named = [...new Set(lines.flatMap(({ zones }) => zones ?? []))];
  const starts = named.flatMap((zone) => {
    const [from, to] = rangeOf(zone) ?? [];
    return from === undefined || to === undefined ? [] : [from, to + 1];
  });
  const cuts = [...new Set(starts)].sort((a, b) => a - b);
  const pieces = cuts.map((from, at) => {
    const to = (cuts[at + 1] ?? from + 1) - 1;
    return to === from ? String(from) : `${from}-${to}`;
  });
  const others = named.filter((zone) => rangeOf(zone) === undefined);
  const isNamed = (zone: string): boolean => lines.some((line) => line.zones !== null && covers(line, zone));
  const isRest = lines.some((line) => covers(line, null));
  return [...pieces.filter(isNamed), ...others, ...(isRest ? [null] : [])];
};

/** The columns for lines with the same tier, address and payer. Adjacent zones share a column if all lines treat them alike. */
const columnsOf = (lines: readonly DiscountLine[]): GridColumn[] =>
  groupsOf(lines, kindOf).flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { tier, address, billing, counts } = first;
    const columns: { covering: string; zones: (string | null)[] }[] = [];
    for (const zone of zonesApart(own)) {
      const covering = own.map((line) => covers(line, zone)).join();
      const last = columns.at(-1);
      if (last?.covering === covering) last.zones.push(zone);
      else columns.push({ covering, zones: [zone] });
    }
    return columns.map(({ zones: some }) => {
      const named = some.filter((zone) => zone !== null);
      const zones = named.length === 0 ? null : named;
      const isRest = zones === null && columns.length > 1;
      return { key: `${kindOf(first)} ${named.join()}`, tier, address, billing, counts, zones, isRest };
    });
  });

/** What services must share to be in one table: tiers, addresses, and the boundaries of zones. */
const extentOf = (lines: readonly DiscountLine[]): string =>
  groupsOf(lines, kindOf)
    .map((own) => {
      const zones = zonesApart(own);
      const numbers = zones.flatMap((zone) => (zone === null ? [] : (rangeOf(zone) ?? [])));
      const others = zones.filter((zone) => zone === null || rangeOf(zone) === undefined);
      return JSON.stringify([own.slice(0, 1).map(kindOf), Math.min(...numbers), Math.max(...numbers), others]);
    })
    .join();

/** The weight bands, split where any line begins or ends. */
const bandsOf = (lines: readonly DiscountLine[]): { fromLb: number; toLb: number | null }[] => {
  const starts = new Set(
    lines.flatMap(({ fromLb, toLb }) => (toLb === null ? [Math.max(1, fromLb)] : [Math.max(1, fromLb), toLb + 1])),
  );
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted.map((fromLb, at) => {
    const next = sorted[at + 1];
    return { fromLb, toLb: next === undefined ? null : next - 1 };
  });
};

/** Rows for the lines of one services cell. */
const rowsOf = (lines: readonly DiscountLine[], columns: readonly GridColumn[]): GridRow[] =>
  bandsOf(lines).flatMap(({ fromLb, toLb }) => {
    const covering = lines.filter((line) => line.fromLb <= fromLb && (line.toLb === null || fromLb <= line.toLb));
    if (covering.length === 0) return [];
    const services = covering[0]?.services ?? null;
    return [
      {
        key: `${services?.join() ?? '*'} ${fromLb}`,
        ...{ services, fromLb, toLb },
        offs: columns.map((column) => {
          const line = covering.find((one) => kindOf(one) === kindOf(column) && covers(one, column.zones?.[0] ?? null));
          return line === undefined ? null : offOf(line);
        }),
      },
    ];
  });

/** Services share a table if they have the same zones, tiers and addresses. */
export const gridsOf = (lines: readonly DiscountLine[]): Grid[] =>
  groupsOf(lines, ({ discount, betterOf, appliesTo }) => JSON.stringify([discount, betterOf, appliesTo])).flatMap(
    (named) => {
      const parts = groupsOf(named, ({ services }) => JSON.stringify(services));
      return groupsOf(parts, extentOf).flatMap((table) => {
        const [line] = table.flat();
        if (line === undefined) return [];
        const { discount, betterOf, appliesTo } = line;
        const columns = columnsOf(table.flat());
        return [{ discount, betterOf, appliesTo, columns, rows: table.flatMap((own) => rowsOf(own, columns)) }];
      });
    },
  );
