/** Lines of discounts as tables like those on paper: services and weights down; tiers, addresses and zones across. */
import type { Agreement } from '../calls.ts';
import { money } from '../ui/format.ts';

export type DiscountLine = Agreement['discounts'][number];

export interface GridColumn {
  readonly key: string;
  readonly tier: string | null;
  readonly address: DiscountLine['address'];
  readonly billing: DiscountLine['billing'];
  readonly zones: readonly string[] | null;
  /** Whether its tier is in force. */
  readonly counts: boolean;
}

export interface GridRow {
  readonly key: string;
  readonly services: readonly string[] | null;
  readonly fromLb: number;
  readonly toLb: number | null;
  /** `5%` or `$0.50` beside the columns; null where there is no discount. */
  readonly offs: readonly (string | null)[];
}

export interface Grid {
  readonly discount: string;
  readonly betterOf: string | null;
  readonly appliesTo: DiscountLine['appliesTo'];
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
}

const groupsOf = <T>(entries: readonly T[], keyOf: (entry: T) => string): readonly (readonly T[])[] => {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [entry]);
    else known.push(entry);
  }
  return [...groups.values()];
};

const columnKey = ({ tier, address, billing, zones }: DiscountLine): string =>
  JSON.stringify([tier, address, billing, zones]);

const columnsOf = (lines: readonly DiscountLine[]): GridColumn[] =>
  groupsOf(lines, columnKey).flatMap(([first]) =>
    first === undefined
      ? []
      : [
          {
            key: columnKey(first),
            tier: first.tier,
            address: first.address,
            billing: first.billing,
            zones: first.zones,
            counts: first.counts,
          },
        ],
  );

/** The weight bands: each begins where any line begins, or where one has ended. */
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

/** Rows of the lines of one cell of services. */
const rowsOf = (lines: readonly DiscountLine[], columns: readonly GridColumn[]): GridRow[] =>
  bandsOf(lines).flatMap(({ fromLb, toLb }) => {
    const covering = lines.filter((line) => line.fromLb <= fromLb && (line.toLb === null || fromLb <= line.toLb));
    if (covering.length === 0) return [];
    const services = covering[0]?.services ?? null;
    return [
      {
        key: `${services?.join() ?? '*'} ${fromLb}`,
        ...{ services, fromLb, toLb },
        offs: columns.map(({ key }) => {
          const line = covering.find((one) => columnKey(one) === key);
          return line === undefined ? null : line.usd === null ? `${line.percent}%` : money(line.usd);
        }),
      },
    ];
  });

/** Services that have the same columns share a table. */
export const gridsOf = (lines: readonly DiscountLine[]): Grid[] =>
  groupsOf(lines, ({ discount, betterOf, appliesTo }) => JSON.stringify([discount, betterOf, appliesTo])).flatMap(
    (named) => {
      const parts = groupsOf(named, ({ services }) => JSON.stringify(services)).map((own) => ({
        own,
        columns: columnsOf(own),
      }));
      const tables = groupsOf(parts, ({ columns }) => columns.map(({ key }) => key).join(' '));
      return tables.flatMap((table) => {
        const [first] = table;
        const [line] = first?.own ?? [];
        if (first === undefined || line === undefined) return [];
        const { discount, betterOf, appliesTo } = line;
        const { columns } = first;
        return [{ discount, betterOf, appliesTo, columns, rows: table.flatMap(({ own }) => rowsOf(own, columns)) }];
      });
    },
  );
