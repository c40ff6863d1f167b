/** Takes a part of a tariff, for comparison with a tariff that has fewer services. */
import type { TariffDocument } from '../document.ts';

/** The members with these names. */
export const kept = <T>(all: Readonly<Record<string, T>>, names: ReadonlySet<string | undefined>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));

/** The tariff with only these services, and with the charges, charts, areas and days that affect them. */
export const ofServices = (document: TariffDocument, codes: ReadonlySet<string>): TariffDocument => {
  const { file, rates, multiweight, cubic, charts, areas, transit } = document;
  const services = file.services.filter(({ code }) => codes.has(code));
  const surcharges = file.surcharges
    .map((entry) =>
      entry.services === undefined ? entry : { ...entry, services: entry.services.filter((code) => codes.has(code)) },
    )
    .filter((entry) => entry.services?.length !== 0);
  const carriers = new Set(services.map(({ carrier }) => carrier));
  return {
    file: { ...file, services, surcharges, ...(file.calendars && { calendars: kept(file.calendars, carriers) }) },
    rates: kept(rates, codes),
    multiweight: kept(multiweight, codes),
    cubic: kept(cubic, codes),
    charts: kept(charts, new Set(services.map(({ zones }) => zones.chart))),
    areas: kept(areas, new Set(surcharges.map(({ when }) => when.area?.list))),
    ...(transit && { transit: transit.filter(({ service }) => codes.has(service)) }),
  };
};
