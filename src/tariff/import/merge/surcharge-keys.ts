/** Names of surcharges that say which entries of two versions of a tariff are the same. */
import type { SurchargeEntry } from '../../document.ts';

const plainName = ({ type, description, services = [] }: SurchargeEntry): string =>
  `surcharge ${type} "${description}"${services.length === 0 ? '' : ` of ${services.join(', ')}`}`;

/** ` from 2026-10-05 until 2026-11-22`, or nothing. */
export const periodText = ({ from, until }: Pick<SurchargeEntry, 'from' | 'until'>): string =>
  `${from === undefined ? '' : ` from ${from}`}${until === undefined ? '' : ` until ${until}`}`;

/**
 * Names that are unique within each list: the type, the description and the services. Only entries that share all three
 * have their dates in the name, so that a new year's dates do not make another surcharge.
 */
export const surchargeKeys = (
  ...lists: readonly (readonly SurchargeEntry[])[]
): ((entry: SurchargeEntry) => string) => {
  const names = new Map<SurchargeEntry, string>();
  const plain = lists.map((entries) => entries.map(plainName));
  const shared = new Set(plain.flatMap((own) => own.filter((name, at) => own.indexOf(name) !== at)));
  for (const entries of lists) {
    const counts = new Map<string, number>();
    for (const entry of entries) {
      const name = plainName(entry);
      const dated = shared.has(name) ? `${name}${periodText(entry)}` : name;
      const count = (counts.get(dated) ?? 0) + 1;
      counts.set(dated, count);
      names.set(entry, count === 1 ? dated : `${dated}, number ${count}`);
    }
  }
  return (entry) => names.get(entry) ?? plainName(entry);
};
