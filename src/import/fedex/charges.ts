/** FedEx's charges for packages within the United States: which charge each fee is, and which fees no quote can know. */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { CHARGES, type ChargeSpec, type ChargeType, chargeEntry } from '../../catalog/tariff/charge-catalog.ts';
import { dividedAt, shifted } from '../../catalog/tariff/days.ts';
import { keysOf } from '../../rating/fields.ts';
import { dollarText } from '../../rating/quantity.ts';
import { centsInText, Findings, type NotTaken, type ParsedCharge } from '../read/reader.ts';
import { deliveryArea } from './area-charges.ts';
import {
  byNetwork,
  type ChargeRow,
  type Context,
  type Draft,
  draftOf,
  isGround,
  maximaOf,
  maximumOf,
  NOT_UNDERSTOOD,
  perPackage,
  ruled,
  singles,
  withMaxima,
} from './charge-rows.ts';
import type { Fee, FeeRow } from './fee-table.ts';
import {
  type Amount,
  amountsIn,
  type NamedServices,
  type SharedZones,
  servicesIn,
  type ZoneAmounts,
  zoneAmountsIn,
} from './fee-text.ts';
import { FEDEX_VOLUME_FROM } from './services.ts';

/* FedEx's charges for large, heavy and unauthorized packages. The tables state the amounts. The catalog has the measures. */

/** The first days of amounts that begin later in some zones, after an empty entry for all days before. */
const stepsOf = ({ zones }: ZoneAmounts): readonly string[] =>
  ['', ...new Set(zones.flatMap(({ from }) => from ?? []))].sort();

/**
 * The amounts by zone on a ship date; null if the amount begins later, because the file does not state the earlier one. Notes
 * name FedEx Ground zones that share an amount (14 and 22). These numbers mean other zones in express services.
 */
const usdByZone = (
  { zones }: ZoneAmounts,
  day: string,
  codes: readonly string[],
  shared: SharedZones,
): Record<string, string | null> => {
  const usd = zones.map(({ cents, from = '' }) => (from <= day ? dollarText(cents) : null));
  if (usd.every((amount) => amount === null)) return { '*': null };
  const byZone = usd.map((amount, index) => [`zone ${index + 2}`, amount] as const);
  const columns = !codes.every(isGround)
    ? []
    : [...shared].flatMap(([zone, names]) => names.map((name) => [name, usd[Number(zone) - 2] ?? null] as const));
  return Object.fromEntries([...byZone, ...columns]);
};

/** The parts of additional handling, by their names in the tables. */
const HANDLING_PARTS: Readonly<Record<string, ChargeType>> = {
  dimension: 'ADDITIONAL_HANDLING_DIMENSION',
  weight: 'ADDITIONAL_HANDLING_WEIGHT',
  packaging: 'ADDITIONAL_HANDLING_PACKAGING',
};

/** The condition of a charge, without days. A single measure needs no list. */
const conditionOf = ({ when, published }: ChargeSpec): Draft['entry']['when'] => {
  const [only, ...more] = published?.anyOf ?? [];
  if (only === undefined) return { ...when };
  return more.length === 0 ? only : { anyOf: [only, ...more] };
};

const handlingDraft = (type: ChargeType, amount: Draft['entry']['amount'], of: Omit<Draft, 'entry'>): Draft => {
  const spec: ChargeSpec = CHARGES[type];
  const { description, dearestOf } = spec;
  const { later, leastBillingWeightLb } = spec.published ?? {};
  const limits = present({ dearestOf, leastBillingWeightLb });
  return { ...of, ...present({ later }), entry: { type, description, when: conditionOf(spec), ...limits, amount } };
};

const byZone = (rows: readonly ChargeRow[], parts: Readonly<Record<string, ChargeType>>, context: Context): Draft[] => {
  const read = rows.flatMap((row) => {
    const values = zoneAmountsIn(row.cell);
    if (values?.every(({ part }) => Object.hasOwn(parts, part))) return values.map((value) => ({ row, value }));
    return context.refuse(row, NOT_UNDERSTOOD);
  });
  return Object.entries(parts).flatMap(([name, type]) =>
    ruled(
      read.filter(({ value }) => value.part === name),
      context,
    ).flatMap(({ row, codes, value }) =>
      byNetwork(codes).flatMap((group) =>
        stepsOf(value).map((day, at, steps) => {
          const next = steps[at + 1];
          const ends = next === undefined ? undefined : shifted(next, -1);
          const of = { services: group, at: row.at, begins: day === '' ? undefined : day, ends };
          return handlingDraft(type, { per: 'package', usd: usdByZone(value, day, group, context.shared) }, of);
        }),
      ),
    ),
  );
};

const unauthorized = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  ruled(singles(rows, context), context).map(({ row, codes, value }) =>
    handlingDraft('UNAUTHORIZED', perPackage(value.cents), { services: codes, at: row.at, begins: value.from }),
  );

/* FedEx's charges for residential delivery and for requested options: signatures, Saturday delivery, declared value. */

/** Home Delivery has no multiweight prices, so its charge has no maximum. FedEx's list rates also state this charge. */
const residential = (rows: readonly ChargeRow[], context: Context): Draft[] => {
  const maxima = maximumOf(maximaOf(rows, context), () => true);
  return ruled(singles(rows, context), context).flatMap(({ row, codes, value }) => {
    const home = codes.filter((code) => code === 'FDX-HOME').map((code) => ({ group: [code], cap: {} }));
    const others = byNetwork(codes.filter((code) => code !== 'FDX-HOME')).flatMap((group) => withMaxima(group, maxima));
    return [...others, ...home].map(({ group, cap }) =>
      draftOf(row, group, value, { ...chargeEntry('RESIDENTIAL'), ...cap }),
    );
  });
};

/**
 * From this declared value, a package gets a direct signature free of charge unless it requests an adult signature (Service Guide
 * 2026, page 134, Declared Value).
 */
const SIGNED_FREE_USD = 500;

const SIGNED = { Indirect: 'SIGNATURE_INDIRECT', Direct: 'SIGNATURE_DIRECT', Adult: 'SIGNATURE_ADULT' } as const;

const signature = (rows: readonly ChargeRow[], context: Context): Draft[] => {
  const maxima = maximaOf(rows, context);
  const names = keysOf(SIGNED);
  const isOf = (amount: Amount, name: keyof typeof SIGNED): boolean =>
    `${amount.label} ${amount.qualifier}`.split(/[ ,:]/).includes(name);
  const read = rows
    .filter(({ names }) => names.maximumFor === undefined)
    .flatMap((row) => {
      const amounts = amountsIn(row.cell) ?? [];
      const found = names.map((name) => amounts.filter((amount) => isOf(amount, name)));
      if (found.every(({ length }) => length === 1) && amounts.every(({ per }) => per === 'package'))
        return [{ row, value: found.flat() }];
      return context.refuse(row, NOT_UNDERSTOOD);
    });
  return ruled(read, context).flatMap(({ row, codes, value }) =>
    names.flatMap((name, index) => {
      const amount = must(value[index], `the amount of ${name}`);
      const maximum = maximumOf(maxima, (other) => isOf(other, name));
      const free = name === 'Adult' ? {} : { declaredValueUnderUsd: SIGNED_FREE_USD };
      const entry = { ...chargeEntry(SIGNED[name]), when: { ...CHARGES[SIGNED[name]].when, ...free } };
      return withMaxima(codes, maximum).map(({ group, cap }) => draftOf(row, group, amount, { ...entry, ...cap }));
    }),
  );
};

const DECLARED =
  /^\$(\d{1,4}(?:\.\d\d)?) for shipments valued between \$(\d{1,4})\.01-\$(\d{1,5}) \$ ?(\d{1,4}(?:\.\d\d)?) per \$100 of declared value for shipments valued in excess of \$(\d{1,5})$/;

const declaredValue = (rows: readonly ChargeRow[], context: Context): Draft[] => {
  const read = rows.flatMap((row) => {
    const [, least = '', free, upTo, each = '', over] = DECLARED.exec(row.cell) ?? [];
    const [minimum, perHundred] = [centsInText(least), centsInText(each)];
    // The minimum charge must equal the price of the hundreds in its range, or be slightly higher.
    const excess = (minimum ?? 0) - (perHundred ?? 0) * (Number(upTo) / 100);
    if (minimum && perHundred && upTo === over && excess >= 0 && excess <= perHundred)
      return [{ row, value: { minimum, perHundred, free: Number(free) } }];
    return context.refuse(row, NOT_UNDERSTOOD);
  });
  return ruled(read, context).map(({ row, codes, value: { minimum, perHundred, free } }): Draft => {
    const [usdPer100, minimumUsd] = [dollarText(perHundred), dollarText(minimum)];
    const amount = { per: 'declaredValue' as const, freeUsd: free, usdPer100, minimumUsd };
    return { services: codes, at: row.at, entry: { ...chargeEntry('DECLARED_VALUE'), amount } };
  });
};

/** Shipments with multiweight prices do not pay this charge (page 142). */
const saturday = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  ruled(singles(rows, context), context).map(({ row, codes, value }) =>
    draftOf(row, codes, value, { ...chargeEntry('SATURDAY_DELIVERY'), multiweightMaximumUsd: '0.00' }),
  );

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

const READERS: readonly (readonly [RegExp, ReadCharge])[] = [
  [/^Additional Handling Surcharge$/i, (rows, context) => byZone(rows, HANDLING_PARTS, context)],
  [/^Oversize Charge$/i, (rows, context) => byZone(rows, { '': 'OVERSIZE' }, context)],
  [/^Ground Unauthorized Package Charge$/i, unauthorized],
  [/^Residential Delivery Charge$/i, residential],
  [/^Delivery Area Surcharge$/i, deliveryArea],
  [/^(?:FedEx )?Delivery Signature Options$/i, signature],
  [/^Declared Value$/i, declaredValue],
  [/^Saturday Delivery$/i, saturday],
];

/** Fees that are not taken from any document, by name, and why. */
export const UNSTATED: readonly (readonly [RegExp, string])[] = [
  [/^Demand/i, 'the document states no amounts: import a CSV of charges'],
  [/^Fuel/i, 'the document states no percentage: import a CSV of fuel surcharges'],
  [/^Third Party Billing/i, 'quotes with third-party billing do not include it'],
];

/** Why a fee is not taken. Undefined if no reason is known. */
export const reasonIn = (reasons: typeof UNSTATED, fee: string): string | undefined =>
  reasons.find(([name]) => name.test(fee))?.[1];

const UNKNOWN_TO_QUOTES: typeof UNSTATED = [
  ...UNSTATED,
  [/^(?:Dangerous Goods|Hazardous Materials)/i, 'is for dangerous goods, which a quote does not have'],
  [/^Address Correction|^Reroute|^Delivery Reattempts/i, 'depends on what happens in transit'],
  [/^(?:Missing or Invalid Account|Payer Rebilling)/i, 'depends on what goes wrong'],
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
  if (later === undefined) return [at({ from, until })];
  const all = { ...entry.when, anyOf: [...(entry.when.anyOf ?? []), ...later] };
  return dividedAt(FEDEX_VOLUME_FROM, from, until, from ?? term.notBefore).map(({ isAfter, ...days }) =>
    at(days, isAfter ? all : entry.when),
  );
};

/** A cell that says there is no such charge in its term. */
const NONE = /^(?:-|n\/?a|none|new|not applicable)$/i;

class Found extends Findings {
  readonly charges: ParsedCharge[] = [];
  readonly notTaken: NotTaken[] = [];
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
    const refuse = ({ at, whole }: ChargeRow, problem: string) =>
      found.refuse(term.name === '' ? at : `${at}, column ${term.name}`, whole, problem);
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
  const found = new Found();
  let others = 0;
  for (const fee of fees.map(packageFee)) {
    others += fee.others;
    const charge = READERS.find(([name]) => name.test(fee.name))?.[1];
    const reason = reasonIn(UNKNOWN_TO_QUOTES, fee.name);
    if (fee.rows.length === 0 && fee.others === 0 && reason === undefined)
      found.refuse(`page ${fee.page}`, fee.name, 'has no services and amounts beside it');
    if (charge !== undefined) readCharge(charge, fee, terms, shared, found);
    else
      for (const { row } of fee.rows) {
        const [at, text] = [`page ${row.page}`, textOf(fee.name, row, terms)];
        const hasAmount = row.cells.some((cell) => cell.includes('$') || cell.includes('%'));
        if (reason === undefined && hasAmount) found.refuse(at, text, 'is a charge that the reader does not know');
        else found.notTaken.push({ at, text, reason: reason ?? 'states no amount' });
      }
  }
  if (others > 0) found.notes.push(`${others} rows that are only for freight and international services are skipped`);
  return found;
};
