/**
 * Surcharges that people added to a tariff by hand, such as fuel by week: an import that knows nothing of them must not
 * lose them when it replaces the folder.
 */
import type { SurchargeEntry, TariffDocument } from '../document.ts';

const overlaps = (a: SurchargeEntry, b: SurchargeEntry): boolean =>
  a.type === b.type &&
  (a.services === undefined || b.services === undefined || a.services.some((code) => b.services?.includes(code)));

/** A surcharge for those of its services that the tariff still has; undefined where none is left. */
const forServices = (surcharge: SurchargeEntry, codes: readonly string[]): SurchargeEntry | undefined => {
  if (surcharge.services === undefined) return surcharge;
  const services = surcharge.services.filter((code) => codes.includes(code));
  return services.length === 0 ? undefined : { ...surcharge, services };
};

/**
 * Adds to a new tariff what the one before it charged and the new one's files say nothing of: a type that they have for
 * one of the same services is theirs. Area lists that such surcharges name come with them.
 * @returns the tariff, and a line that names what was kept
 */
export const keepSurcharges = (
  document: TariffDocument | undefined,
  before: TariffDocument | undefined,
): { readonly document: TariffDocument | undefined; readonly kept: readonly string[] } => {
  if (document === undefined || before === undefined) return { document, kept: [] };
  const codes = document.file.services.map(({ code }) => code);
  const own = document.file.surcharges;
  const kept = before.file.surcharges
    .filter((surcharge) => !own.some((other) => overlaps(surcharge, other)))
    .flatMap((surcharge) => forServices(surcharge, codes) ?? []);
  if (kept.length === 0) return { document, kept: [] };
  const lists = kept.flatMap(({ when }) => (when.area === undefined ? [] : [when.area.list]));
  const areas = Object.entries(before.areas).filter(([name]) => lists.includes(name));
  const types = [...new Set(kept.map(({ type }) => type))].join(', ');
  return {
    document: {
      ...document,
      file: { ...document.file, surcharges: [...own, ...kept] },
      areas: { ...Object.fromEntries(areas), ...document.areas },
    },
    kept: [`Surcharges of the tariff that was there are kept, since no file speaks of them: ${types}`],
  };
};
