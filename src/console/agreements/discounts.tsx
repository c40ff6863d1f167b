/** The discounts of an agreement, as tables in the layout of printed agreements. */
import type { Agreement } from '../calls.ts';
import { count } from '../ui/format.ts';
import { type Col, Table } from '../ui/table.tsx';
import { type Grid, type GridColumn, type GridRow, gridsOf } from './discount-grid.ts';
import { billingText, servicesText, tierText } from './words.ts';

const ADDRESSES = { any: '', residential: 'To a home', commercial: 'To a business' } as const;

const zonesText = (zones: readonly string[]): string => {
  const text = zones.map((zone) => zone.replace('-', '–')).join(', ');
  return zones.length === 1 && !text.includes('–') ? `Zone ${text}` : `Zones ${text}`;
};

const ColumnLabel = ({ tier, address, billing, zones, isRest, counts }: GridColumn) => {
  const where = zones === null ? (isRest ? 'Other zones' : '') : zonesText(zones);
  const parts = [ADDRESSES[address], billingText(billing), where];
  const words = parts.filter((word) => word !== '');
  return (
    <>
      {tier === null ? null : (
        <span class="sub">
          {tierText(tier)} {counts ? <span class="mark good">in force</span> : null}
        </span>
      )}
      {words.length > 0 || tier !== null ? words.join(', ') : 'Discount'}
    </>
  );
};

const weightText = ({ fromLb, toLb }: GridRow): string => {
  if (toLb === null) return fromLb === 1 ? 'All weights' : `${count(fromLb)} lb and up`;
  return fromLb === toLb ? `${count(fromLb)} lb` : `${count(fromLb)}–${count(toLb)} lb`;
};

const APPLIES = {
  both: '',
  packages: ', on single packages',
  multiweight: ', on shipments that are rated as a whole',
} as const;

/** The first row, if all rows have the same services. */
const onlyServices = ({ rows }: Grid): GridRow | undefined => {
  const [first] = rows;
  return rows.every(({ services }) => services?.join() === first?.services?.join()) ? first : undefined;
};

const captionOf = (grid: Grid, agreement: Agreement): string => {
  const { discount, betterOf, appliesTo } = grid;
  const only = onlyServices(grid);
  const where = only === undefined ? '' : `: ${servicesText(only.services, agreement)}`;
  const rule = betterOf === null ? '' : `. Of the discounts in “${betterOf}”, only the highest applies`;
  return `${discount}${where}${APPLIES[appliesTo]}${rule}`;
};

/** Screen readers read the name of a service in each row. Only the first row shows it. */
const ServiceCell = ({ row, grid, agreement }: { row: GridRow; grid: Grid; agreement: Agreement }) => {
  const before = grid.rows[grid.rows.indexOf(row) - 1];
  const isSame = before !== undefined && before.services?.join() === row.services?.join();
  return <span class={isSame ? 'visually-hidden' : undefined}>{servicesText(row.services, agreement)}</span>;
};

const Off = ({ off, counts }: { readonly off: string | null; readonly counts: boolean }) => {
  if (off === null) return <>—</>;
  return counts ? <strong>{off}</strong> : <span class="hint">{off}</span>;
};

const DiscountTable = ({ grid, agreement }: { readonly grid: Grid; readonly agreement: Agreement }) => {
  const isOne = onlyServices(grid) !== undefined;
  const hasWeights = isOne || grid.rows.some(({ fromLb, toLb }) => fromLb > 1 || toLb !== null);
  const service: Col<GridRow> = ['Service', (row) => <ServiceCell {...{ row, grid, agreement }} />, 'head'];
  const weight: Col<GridRow> = ['Billing weight', weightText, isOne ? 'head' : undefined];
  return (
    <div class={headingParts(grid) > MOST_NARROW ? 'wide' : undefined}>
      <Table
        caption={captionOf(grid, agreement)}
        rows={grid.rows}
        keyOf={({ key }) => key}
        cols={[
          !isOne && service,
          hasWeights && weight,
          ...grid.columns.map(
            (column, at): Col<GridRow> => [
              <ColumnLabel {...column} />,
              ({ offs }) => <Off off={offs[at] ?? null} counts={column.counts} />,
              'number',
            ],
          ),
        ]}
      />
    </div>
  );
};

/** Tables whose headings have more parts than this take the whole width. */
const MOST_NARROW = 4;

const headingParts = ({ columns }: Grid): number =>
  columns.reduce(
    (parts, { tier, address, billing, zones }) =>
      parts +
      Math.max(
        1,
        Number(tier !== null) + Number(address !== 'any') + Number(billing !== null) + Number(zones !== null),
      ),
    0,
  );

export const Discounts = ({ agreement }: { readonly agreement: Agreement }) => {
  const grids = gridsOf(agreement.discounts);
  if (grids.length === 0) return null;
  return (
    <section class="stack">
      <h3>Discounts</h3>
      <p class="hint">
        Percent off the list base charge, before surcharges. Different discounts on one package add up.
        {agreement.tier === null ? '' : ' Discounts of a tier apply only while it is in force.'}
      </p>
      <div class="cols">
        {grids.map((grid) => (
          <DiscountTable key={JSON.stringify([grid.discount, grid.appliesTo, grid.columns])} {...{ grid, agreement }} />
        ))}
      </div>
    </section>
  );
};
