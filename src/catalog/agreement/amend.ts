/** Writes the changes of an agreement from a day on as an amendment, so that earlier days keep their prices. */
import { isDeepStrictEqual } from 'node:util';
import { basisPointsOf, dollarText } from '../../rating/quantity.ts';
import {
  type AgreementDocument,
  type AgreementFile,
  type AgreementTables,
  type Amendment,
  CODE_TABLES,
  type DiscountLine,
} from './document.ts';
import { LINE_TABLES } from './tables.ts';
import { filesOn } from './versions.ts';

/** The members that an amendment cannot change. */
const ofSame = (file: AgreementFile, { file: { name, carrier, effective } }: AgreementDocument): AgreementFile => ({
  ...file,
  ...{ name, carrier, effective },
});

const changedRates = (old: AgreementTables, now: AgreementTables): Partial<AgreementTables> => {
  let changed: Partial<AgreementTables> = {};
  for (const kind of CODE_TABLES) {
    const tables = Object.entries(now[kind] ?? {}).filter(([code, own]) => !isDeepStrictEqual(old[kind]?.[code], own));
    if (tables.length > 0) changed = { ...changed, [kind]: Object.fromEntries(tables) };
  }
  return changed;
};

/** Returns the files in force just before a day's amendment. */
const until = (document: AgreementDocument, from: string) =>
  filesOn({ ...document, amendments: document.amendments.filter((one) => one.from < from) }, from);

/** Returns the file names of removed tables. An amendment can replace a rate table but cannot remove it. */
export const removedRates = (before: AgreementDocument, after: AgreementDocument, from: string): readonly string[] => {
  const [old, now] = [until(before, from).tables, filesOn(after, from).tables];
  return CODE_TABLES.flatMap((kind) =>
    Object.keys(old[kind] ?? {})
      .filter((code) => !Object.hasOwn(now[kind] ?? {}, code))
      .map((code) => `${kind}/${code}.csv`),
  );
};

/**
 * Returns `before` until a day and `after` from that day on, with the later amendments of `after`.
 * @param from after the effective date of `before`
 */
export const amendedFrom = (before: AgreementDocument, after: AgreementDocument, from: string): AgreementDocument => {
  const [old, now] = [until(before, from), filesOn(after, from)];
  const file = ofSame(now.file, before);
  const lines = LINE_TABLES.filter((table) => !isDeepStrictEqual(old.tables[table], now.tables[table]));
  const amendment: Amendment = {
    from,
    ...(isDeepStrictEqual(old.file, file) ? {} : { file }),
    ...Object.fromEntries(lines.map((table) => [table, now.tables[table] ?? []])),
    ...changedRates(old.tables, now.tables),
  };
  return {
    file: before.file,
    tables: before.tables,
    amendments: [
      ...before.amendments.filter((one) => one.from < from),
      ...(Object.keys(amendment).length > 1 ? [amendment] : []),
      ...after.amendments
        .filter((one) => one.from > from)
        .map((one) => (one.file === undefined ? one : { ...one, file: ofSame(one.file, before) })),
    ],
  };
};

/* Gives a service a single percentage off in an agreement. It replaces all discounts on the service. */

export interface ServiceDiscount {
  readonly service: string;
  /** All services of the agreement's carrier. Lines for all services keep applying to the others. */
  readonly services: readonly string[];
  /** Off the base, such as `35`. */
  readonly percent: string;
  /** The first ship date of the discount. */
  readonly from: string;
}

/** The name of the discount in quotes. */
const NAME = 'Discount';

const linesWith = (lines: readonly DiscountLine[], discount: ServiceDiscount): DiscountLine[] => {
  const { service, services, percent } = discount;
  const kept = lines.flatMap((line): DiscountLine[] => {
    const others = (line.services === '*' ? services : line.services).filter((code) => code !== service);
    if (line.services !== '*' && others.length === line.services.length) return [line];
    return others.length === 0 ? [] : [{ ...line, services: others }];
  });
  const own = {
    discount: NAME,
    services: [service],
    zones: '*',
    fromLb: 1,
    address: 'any',
    appliesTo: 'both',
    // Written as in the file, so that the agreement's id equals the id of its folder.
    percent: dollarText(basisPointsOf(percent)),
  } as const;
  return [...kept, { ...own, row: 0 }].map((line, at) => ({ ...line, row: at + 2 }));
};

/** Returns the agreement with the discount from a day on, including later amendments. Earlier days do not change. */
export const withServiceDiscount = (document: AgreementDocument, discount: ServiceDiscount): AgreementDocument => {
  const { tables, amendments, file } = document;
  const { from } = discount;
  const later = (amendment: Amendment): Amendment =>
    amendment.discounts === undefined
      ? amendment
      : { ...amendment, discounts: linesWith(amendment.discounts, discount) };
  const rest = amendments.filter((amendment) => amendment.from > from).map(later);
  if (from <= file.effective)
    return {
      file,
      tables: { ...tables, discounts: linesWith(tables.discounts, discount) },
      amendments: amendments.map(later),
    };
  const inForce = filesOn(document, from).tables.discounts;
  const sameDay = amendments.find((amendment) => amendment.from === from);
  return {
    file,
    tables,
    amendments: [
      ...amendments.filter((amendment) => amendment.from < from),
      { ...sameDay, from, discounts: linesWith(inForce, discount) },
      ...rest,
    ],
  };
};
