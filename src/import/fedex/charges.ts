/** FedEx's charges for packages within the United States: which charge each fee is, and which fees no quote can know. */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { shifted } from '../../catalog/tariff/days.ts';
import type { NotTaken, ParsedCharge, Unreadable } from '../read/reader.ts';
import { deliveryArea } from './area-charges.ts';
import type { ChargeRow, Context, Draft } from './charge-rows.ts';
import type { Fee, FeeRow } from './fee-table.ts';
import { type NamedServices, type SharedZones, servicesIn } from './fee-text.ts';
import { additionalHandling, oversize, unauthorized } from './handling-charges.ts';
import { declaredValue, residential, saturday, signature } from './option-charges.ts';

/** A column of amounts, and its ship dates. */
export interface Term {
  /** Index into the cells of a row. */
  readonly column: number;
  /** For messages: `2026`. Empty if there is only one. */
  readonly name: string;
  readonly from?: string;
  /** The earliest possible first day, for a column that does not state one. */
  readonly notBefore?: string;
  readonly until?: string;
}

type ReadCharge = (rows: readonly ChargeRow[], context: Context) => Draft[];

const CHARGES: readonly (readonly [RegExp, ReadCharge])[] = [
  [/^Additional Handling Surcharge$/i, additionalHandling],
  [/^Oversize Charge$/i, oversize],
  [/^Ground Unauthorized Package Charge$/i, unauthorized],
  [/^Residential Delivery Charge$/i, residential],
  [/^Delivery Area Surcharge$/i, deliveryArea],
  [/^(?:FedEx )?Delivery Signature Options$/i, signature],
  [/^Declared Value$/i, declaredValue],
  [/^Saturday Delivery$/i, saturday],
];

const UNKNOWN_TO_QUOTES: readonly (readonly [RegExp, string])[] = [
  [/^Demand/i, 'the document states no amounts: import a CSV of charges'],
  [/^Fuel/i, 'the document states no percentage: import a CSV of fuel surcharges'],
  [/^(?:Dangerous Goods|Hazardous Materials)/i, 'is for dangerous goods, which a quote does not have'],
  [/^Address Correction|^Reroute|^Delivery Reattempts/i, 'depends on what happens in transit'],
  [/^(?:Missing or Invalid Account|Payer Rebilling)/i, 'depends on what goes wrong'],
  [/^Third Party Billing/i, 'quotes with third-party billing do not include it'],
  [/Tag$|Return Label$|^Return Pickup|^Returns/i, 'quotes of returns do not include it'],
  [
    /Convenient Delivery Options$|Delivery Manager/i,
    'is for an appointment or another delivery option, which a quote does not have',
  ],
  [/Priority Alert|On Demand Care|^SenseAware/i, 'is for a service under contract, which a quote does not have'],
  [/^Signature Proof of Delivery/i, 'is for what is requested after delivery'],
  [/Pickup|^Saturday Expedited/i, 'depends on the pickup, which a quote does not have'],
  [/^Minimum Billable Weight for FedEx Packaging/i, 'a quote is for the packaging of the shipper'],
  [/^(?:Dimensional Weight|Multiple-Piece Shipments)/i, 'is a term of the services, not a charge'],
];

const OTHER_FEES = /^(?:Clearance|Currency|Duties|Electronic Export|International|Northern Canada|U\.S\. Inbound)/i;

/** Removes a fee's rows for freight and other countries. `others` is their number. */
const packageFee = ({ name, page, rows }: Fee) => {
  const all = rows.map((row) => ({ row, names: servicesIn(row.services) }));
  const isOther = ({ names }: { names: NamedServices }): boolean =>
    OTHER_FEES.test(name) || (names.codes.length === 0 && names.maximumFor === undefined && names.others);
  const kept = all.filter((row) => !isOther(row));
  const ours = kept.some(({ names }) => names.codes.length > 0 || names.unknown.length > 0) ? kept : [];
  return { name, page, rows: ours, others: all.length - ours.length };
};

const textOf = (name: string, { services, cells }: FeeRow, terms: readonly Term[]): string => {
  const amounts = cells.map((cell, index) => {
    const term = terms.find(({ column }) => column === index)?.name ?? '';
    return term === '' ? cell : `${cell} (${term})`;
  });
  return `${name}, ${services}: ${amounts.join('; ')}`;
};

/** Dates a charge within a term. Measures that apply from a later day split it in two. */
const dated = ({ begins, ends, later, entry, ...charge }: Draft, term: Term): ParsedCharge[] => {
  const known = (days: readonly (string | undefined)[]) => days.filter((day) => day !== undefined).sort();
  const from = known([begins, term.from]).at(-1);
  const [until] = known([ends, term.until]);
  if (from !== undefined && until !== undefined && from > until) return [];
  const at = (days: { from?: string | undefined; until?: string | undefined }, when = entry.when): ParsedCharge => ({
    carrier: 'FedEx',
    ...charge,
    entry: { ...entry, when, ...present(days) },
  });
  if (later === undefined || (until !== undefined && until < later.from)) return [at({ from, until })];
  const all = { ...entry.when, anyOf: [...(entry.when.anyOf ?? []), ...later.anyOf] };
  if ((from ?? term.notBefore ?? '') >= later.from) return [at({ from, until }, all)];
  return [at({ from, until: shifted(later.from, -1) }), at({ from: later.from, until }, all)];
};

/** A cell that says there is no such charge in its term. */
const NONE = /^(?:-|n\/?a|none|new|not applicable)$/i;

interface Found {
  readonly charges: ParsedCharge[];
  readonly unreadable: Unreadable[];
  readonly notTaken: NotTaken[];
  others: number;
}

const readCharge = (
  read: ReadCharge,
  fee: ReturnType<typeof packageFee>,
  terms: readonly Term[],
  shared: SharedZones,
  found: Found,
) => {
  for (const term of terms) {
    const rows = fee.rows.flatMap(({ row, names }): ChargeRow[] => {
      const cell = must(row.cells[term.column], 'the amount of a fee');
      return NONE.test(cell) ? [] : [{ at: `page ${row.page}`, names, cell, whole: textOf(fee.name, row, terms) }];
    });
    const refuse = ({ at, whole }: ChargeRow, problem: string): void => {
      const where = term.name === '' ? at : `${at}, column ${term.name}`;
      found.unreadable.push({ at: where, text: whole, problem });
    };
    const isStrange = ({ names }: ChargeRow): boolean => names.unknown.length > 0;
    for (const row of rows.filter(isStrange)) refuse(row, `names no known service: ${row.names.unknown.join(', ')}`);
    const drafts = read(
      rows.filter((row) => !isStrange(row)),
      { shared, refuse },
    );
    found.charges.push(...drafts.flatMap((draft) => dated(draft, term)));
  }
};

/** Reads the fees that concern packages within the United States. Every row is a charge, not taken, or unreadable. */
export const readCharges = (fees: readonly Fee[], terms: readonly Term[], shared: SharedZones) => {
  const found: Found = { charges: [], unreadable: [], notTaken: [], others: 0 };
  for (const fee of fees.map(packageFee)) {
    found.others += fee.others;
    const charge = CHARGES.find(([name]) => name.test(fee.name))?.[1];
    const reason = UNKNOWN_TO_QUOTES.find(([name]) => name.test(fee.name))?.[1];
    if (fee.rows.length === 0 && fee.others === 0 && reason === undefined)
      found.unreadable.push({
        at: `page ${fee.page}`,
        text: fee.name,
        problem: 'has no services and amounts beside it',
      });
    if (charge !== undefined) readCharge(charge, fee, terms, shared, found);
    else
      for (const { row } of fee.rows) {
        const place = { at: `page ${row.page}`, text: textOf(fee.name, row, terms) };
        if (reason !== undefined) found.notTaken.push({ ...place, reason });
        else if (row.cells.every((cell) => !cell.includes('$') && !cell.includes('%')))
          found.notTaken.push({ ...place, reason: 'states no amount' });
        else found.unreadable.push({ ...place, problem: 'is a charge that the reader does not know' });
      }
  }
  const { others, ...rest } = found;
  const notes = others === 0 ? [] : [`${others} rows that are only for freight and international services are skipped`];
  return { ...rest, notes };
};
