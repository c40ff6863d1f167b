/** The coverage of tariffs for the console: parts of the price by service, and the zones of the client's warehouses. */
import { must } from '../../../base/must.ts';
import { dollarText } from '../../../rating/quantity.ts';
import type { Shipper } from '../../../rating/terms.ts';
import { fuelEndsNow } from '../check/fuel-ends.ts';
import { coverageOf, originsIn, type ServiceCoverage } from '../coverage.ts';
import type { Schedule } from '../schedule.ts';
import type { TariffsBody } from './schemas.ts';

type Body = TariffsBody['tariffs'][number]['coverage'];

const ZONES = ['charted', 'distance', 'estimated', 'unreached'] as const;

interface ShownCoverage extends Pick<ServiceCoverage, 'service' | 'areas' | 'parts'> {
  readonly fuel: { readonly [K in 'percent' | 'lastDay' | 'nextDay']?: string | undefined };
  readonly zones: Pick<ServiceCoverage['zones'], 'warehouses'>;
  readonly limits: Pick<ServiceCoverage['limits'], 'lengthIn' | 'lengthPlusGirthIn'>;
}

/** A row of `coverageRow`. @param warehouseOf returns a warehouse by its label */
export const coverageRowOf = <W>(
  { service, zones, fuel, areas, limits, parts }: ShownCoverage,
  warehouseOf: (label: string) => W,
) => ({
  shippingService: service,
  zones: ZONES.map((known) => ({
    zones: known,
    warehouses: zones.warehouses.filter((one) => one.zones === known).map(({ warehouse }) => warehouseOf(warehouse)),
  })).filter(({ warehouses }) => warehouses.length > 0),
  fuelPercent: fuel.percent === undefined ? null : dollarText(Math.round(Number(fuel.percent) * 100)),
  fuelLastDay: fuel.lastDay ?? null,
  fuelNextDay: fuel.nextDay ?? null,
  areaTiers: areas.tiers.length,
  areaZipCodes: areas.zipCodes,
  maximumLengthIn: limits.lengthIn,
  maximumLengthPlusGirthIn: limits.lengthPlusGirthIn,
  parts,
});

/**
 * @param id a tariff of the schedule
 * @param day a day on which the tariff has begun
 * @param isWanted whether a service is shown
 */
export const coverageBody = (
  schedule: Schedule,
  id: string,
  day: string,
  shipper: Pick<Shipper, 'warehouses'>,
  isWanted: (code: string) => boolean,
): Body => {
  const own = must(schedule.only(id), `the tariff ${id}`);
  const origins = originsIn(shipper, String);
  const services = own.documents.flatMap((document) => {
    const wanted = document.file.services.filter(({ code }) => isWanted(code));
    const shown = { ...document, file: { ...document.file, services: wanted } };
    return coverageOf(shown, own.bookOn(day).cards, { day, origins }).services;
  });
  return { date: day, services: services.map((service) => coverageRowOf(service, Number)) };
};

export const fuelEndsBody = (schedule: Schedule, instant: Date): TariffsBody['fuelEnds'] =>
  fuelEndsNow(schedule, instant).map(({ carrier, services, allServices, lastDay, hasEnded, carries }) => ({
    carrier,
    services: [...services],
    allServices,
    lastDay,
    hasEnded,
    carries,
  }));
