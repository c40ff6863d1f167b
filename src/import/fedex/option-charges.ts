/** FedEx's charges for residential delivery and for requested options: signatures, Saturday delivery, declared value. */
import { must } from '../../base/must.ts';
import { CHARGES, chargeEntry } from '../../catalog/tariff/charge-catalog.ts';
import { keysOf } from '../../rating/fields.ts';
import { dollarText } from '../../rating/quantity.ts';
import { centsInText } from '../read/reader.ts';
import {
  byNetwork,
  type ChargeRow,
  type Context,
  type Draft,
  maximaOf,
  maximumOf,
  NOT_UNDERSTOOD,
  perPackage,
  ruled,
  singles,
  withMaxima,
} from './charge-rows.ts';
import { type Amount, amountsIn } from './fee-text.ts';

/** Home Delivery has no multiweight prices, so its charge has no maximum. FedEx's list rates also state this charge. */
export const residential = (rows: readonly ChargeRow[], context: Context): Draft[] => {
  const maxima = maximumOf(maximaOf(rows, context), () => true);
  return ruled(singles(rows, context), context).flatMap(({ row, codes, value }) => {
    const home = codes.filter((code) => code === 'FDX-HOME').map((code) => ({ group: [code], cap: {} }));
    const others = byNetwork(codes.filter((code) => code !== 'FDX-HOME')).flatMap((group) => withMaxima(group, maxima));
    return [...others, ...home].map(
      ({ group, cap }): Draft => ({
        services: group,
        at: row.at,
        begins: value.from,
        entry: { ...chargeEntry('RESIDENTIAL'), ...cap, amount: perPackage(value.cents) },
      }),
    );
  });
};

/**
 * From this declared value, a package gets a direct signature free of charge unless it requests an adult signature (Service Guide
 * 2026, page 134, Declared Value).
 */
const SIGNED_FREE_USD = 500;

const SIGNED = { Indirect: 'SIGNATURE_INDIRECT', Direct: 'SIGNATURE_DIRECT', Adult: 'SIGNATURE_ADULT' } as const;

export const signature = (rows: readonly ChargeRow[], context: Context): Draft[] => {
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
      context.refuse(row, NOT_UNDERSTOOD);
      return [];
    });
  return ruled(read, context).flatMap(({ row, codes, value }) =>
    names.flatMap((name, index) => {
      const amount = must(value[index], `the amount of ${name}`);
      return withMaxima(
        codes,
        maximumOf(maxima, (other) => isOf(other, name)),
      ).map(
        ({ group, cap }): Draft => ({
          services: group,
          at: row.at,
          begins: amount.from,
          entry: {
            ...chargeEntry(SIGNED[name]),
            when: {
              ...CHARGES[SIGNED[name]].when,
              ...(name === 'Adult' ? {} : { declaredValueUnderUsd: SIGNED_FREE_USD }),
            },
            ...cap,
            amount: perPackage(amount.cents),
          },
        }),
      );
    }),
  );
};

const DECLARED =
  /^\$(\d{1,4}(?:\.\d\d)?) for shipments valued between \$(\d{1,4})\.01-\$(\d{1,5}) \$ ?(\d{1,4}(?:\.\d\d)?) per \$100 of declared value for shipments valued in excess of \$(\d{1,5})$/;

export const declaredValue = (rows: readonly ChargeRow[], context: Context): Draft[] => {
  const read = rows.flatMap((row) => {
    const [, least = '', free, upTo, each = '', over] = DECLARED.exec(row.cell) ?? [];
    const [minimum, perHundred] = [centsInText(least), centsInText(each)];
    // The minimum charge must equal the price of the hundreds in its range, or be slightly higher.
    const excess = (minimum ?? 0) - (perHundred ?? 0) * (Number(upTo) / 100);
    if (minimum && perHundred && upTo === over && excess >= 0 && excess <= perHundred)
      return [{ row, value: { minimum, perHundred, free: Number(free) } }];
    context.refuse(row, NOT_UNDERSTOOD);
    return [];
  });
  return ruled(read, context).map(
    ({ row, codes, value: { minimum, perHundred, free } }): Draft => ({
      services: codes,
      at: row.at,
      entry: {
        ...chargeEntry('DECLARED_VALUE'),
        amount: {
          per: 'declaredValue',
          freeUsd: free,
          usdPer100: dollarText(perHundred),
          minimumUsd: dollarText(minimum),
        },
      },
    }),
  );
};

/** Shipments with multiweight prices do not pay this charge (page 142). */
export const saturday = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  ruled(singles(rows, context), context).map(
    ({ row, codes, value }): Draft => ({
      services: codes,
      at: row.at,
      begins: value.from,
      entry: { ...chargeEntry('SATURDAY_DELIVERY'), multiweightMaximumUsd: '0.00', amount: perPackage(value.cents) },
    }),
  );
