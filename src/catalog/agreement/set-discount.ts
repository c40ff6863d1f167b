/** Gives a service a single percentage off in an agreement. It replaces all discounts on the service. */
import { basisPointsOf, dollarText } from '../../rating/quantity.ts';
import type { AgreementDocument, Amendment, DiscountLine } from './document.ts';
import { filesOn } from './versions.ts';

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
