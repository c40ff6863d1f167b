/** Surcharges whose price for a client differs from the list. */
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import type { Card } from '../../../rating/card.ts';
import { reasonsOf } from '../../../rating/charge-text.ts';
import type { Surcharge } from '../../../rating/charges.ts';
import { BILLINGS } from '../../../rating/fields.ts';
import { dollars, dollarText } from '../../../rating/quantity.ts';
import type { ChargeChange } from '../../../rating/terms.ts';
import { columnsText } from '../cells.ts';
import { changedCharges, type Variant, variantsOf } from '../compile-charges.ts';
import { isByBilling, type Subject } from '../subject.ts';
import type { AgreementSurcharge } from './schemas.ts';

type Range = AgreementSurcharge['list'];

const rangeOf = (amounts: readonly number[]): Range =>
  amounts.length === 0 ? null : { least: dollars(Math.min(...amounts)), most: dollars(Math.max(...amounts)) };

/** The columns in which a surcharge may apply. */
const columnsOf = ({ when }: Surcharge, { columns }: Card): number[] =>
  [...columns.keys()].filter((column) => when.columns?.has(column) !== false);

const listAt = ({ amount }: Surcharge, column: number): number[] => {
  if (amount.per === 'declaredValue') return [];
  if (amount.per === 'percent') return [amount.rate];
  const cents = amount.unknown?.has(column) === true ? undefined : amount.centsByColumn[column];
  return cents === undefined ? [] : [cents];
};

/** Columns by name, with consecutive ones as a range: `zone 2`, `zones 2-4, 44`. */
const zonesText = (indexes: readonly number[], { columns }: Card): string => {
  const names = indexes.toSorted((a, b) => a - b).map((index) => must(columns[index], 'a rate column'));
  return `${indexes.length === 1 ? 'zone' : 'zones'} ${columnsText(names)}`;
};

/** A change in words: `30.00% off`, `at most $4.00`. */
export const kindText = (kind: ChargeChange['kind'], value: number, isPercentage: boolean): string => {
  const text = dollarText(value);
  const sum = isPercentage ? `${text}%` : `$${text}`;
  const what: Readonly<Record<ChargeChange['kind'], string>> = {
    'percent off': `${text}% off`,
    'amount off': `${sum} off`,
    'points off': `${text} points off`,
    fixed: `fixed at ${sum}`,
    exactly: `exactly ${sum}`,
    waived: 'waived',
    'at most': `at most ${sum}`,
    'own rate': `its own rate, ${sum}`,
  };
  return what[kind];
};

const changeText = ({ kind, value, columns, reckoned }: ChargeChange, { amount }: Surcharge, card: Card): string => {
  const what = kindText(kind, value, amount.per === 'percent');
  const all = reckoned === undefined ? what : `${what} (${reckoned})`;
  return columns === undefined ? all : `${all} in ${zonesText([...columns], card)}`;
};

const rowOf = (surcharge: Surcharge, { own, when }: Variant, card: Card): AgreementSurcharge => {
  const columns = columnsOf(surcharge, card);
  const { type, description, amount } = surcharge;
  const isAmount = amount.per !== 'declaredValue';
  return {
    services: [card.code],
    type,
    description,
    because: [...reasonsOf(surcharge, card), ...when],
    per: amount.per,
    list: rangeOf(columns.flatMap((column) => listAt(surcharge, column))),
    billed: isAmount ? rangeOf(columns.map((column) => must(own.byColumn[column], 'the charge of a column'))) : null,
    changes: own.changes
      .filter((change) => change.columns === undefined || columns.some((column) => change.columns?.has(column)))
      .map((change) => changeText(change, surcharge, card)),
  };
};

const rowsFor = (subject: Subject): AgreementSurcharge[] => {
  const { card } = subject;
  const charges = changedCharges(subject);
  if (charges === undefined) return [];
  return card.surcharges.flatMap((surcharge, index) =>
    variantsOf(charges, index).map((variant) => rowOf(surcharge, variant, card)),
  );
};

/** The rows of a service. Rows that depend on who pays name the billing option. */
const rowsOfService = (subject: Subject): AgreementSurcharge[] => {
  if (!isByBilling(subject)) return rowsFor(subject);
  const all = BILLINGS.flatMap((billing) => rowsFor({ ...subject, billing }).map((row) => ({ row, billing })));
  return [...grouped(all, ({ row }) => JSON.stringify(row)).values()].map((same) => {
    const { row } = must(same[0], 'a row');
    if (same.length === BILLINGS.length) return row;
    const billings = same.map(({ billing }) => billing.replace('_', ' ')).join(' or ');
    return { ...row, because: [...row.because, `billing: ${billings}`] };
  });
};

/** Merges equal rows of several services. */
export const surchargeRows = (subjects: readonly Subject[]): AgreementSurcharge[] => {
  const rows = subjects.flatMap(rowsOfService).filter(({ changes }) => changes.length > 0);
  return [...grouped(rows, (row) => JSON.stringify({ ...row, services: [] })).values()].map((equal) => ({
    ...must(equal[0], 'a row'),
    services: equal.flatMap(({ services }) => services),
  }));
};
