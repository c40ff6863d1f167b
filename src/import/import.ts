/** Joins the readings of any number of files into one tariff. Pure: the same readings give the same document, in any order. */
import { byText } from '../base/by-text.ts';
import { must } from '../base/must.ts';
import { present } from '../base/present.ts';
import type { CoveredOrigin } from '../catalog/tariff/coverage.ts';
import { type SurchargeEntry, tariffFile, type ZoneChart } from '../catalog/tariff/document.ts';
import { sharing } from '../catalog/tariff/findings.ts';
import { byServiceOrder, CARRIERS, knownCarrier, serviceTitle, termsOf } from './carriers.ts';
import { mergeAreas } from './merge/areas.ts';
import {
  type CarrierZones,
  carrierZonesOf,
  misplacedCharts,
  type ServiceZones,
  serviceZonesOf,
} from './merge/carrier-zones.ts';
import { mergeCharges, misdatedRates, type TakenCharge } from './merge/charges.ts';
import { fuelEntry, mergeFuel } from './merge/fuel.ts';
import { type FromFile, mergeCubic, mergeMultiweight, mergeRates, transitFor } from './merge/prices.ts';
import { DIMENSIONAL_FACTOR, MAXIMUM_ACTUAL_LB, reportedZone } from './read/carrier.ts';
import { ALL_SERVICES, type ParsedFile, type ParsedRates, type Source, type TableKind } from './read/reader.ts';
import { type Assembly, missingFrom, missingOrigins, oldChartDate } from './report/report.ts';

export interface ImportOptions {
  readonly name: string;
  /** `YYYY-MM-DD`. */
  readonly effective: string;
  readonly origins?: readonly CoveredOrigin[];
}

/** Collects the results that are not part of the document. */
class Ledger {
  readonly contradictions: string[] = [];
  readonly unpriced: string[] = [];
  readonly warnings: string[] = [];

  /** Notes the problems of a part of the tariff. */
  take<P extends Partial<Record<'contradictions' | 'warnings', readonly string[]>> | undefined>(part: P): P {
    this.contradictions.push(...(part?.contradictions ?? []));
    this.warnings.push(...(part?.warnings ?? []));
    return part;
  }
}

const fromFiles = <K extends TableKind>(sources: readonly Source[], tables: K): FromFile<ParsedFile[K][number]>[] =>
  sources.flatMap(({ file, reading }) => reading[tables].map((part) => ({ file, reading: part })));

type ServiceParts = ReturnType<typeof servicesOf>[number];

const servicesOf = (sources: readonly Source[], ledger: Ledger) => {
  const all = fromFiles(sources, 'rates');
  const codes = [...new Set(all.map(({ reading }) => reading.code))].sort(byServiceOrder);
  return codes.map((code) => {
    const parts = all.filter(({ reading }) => reading.code === code);
    const { table } = ledger.take(mergeRates(code, parts));
    const first = <T>(pick: (reading: ParsedRates) => T | undefined): T | undefined =>
      parts.map(({ reading }) => pick(reading)).find((value) => value !== undefined);
    return {
      code,
      carrier: must(parts[0], `a reading of ${code}`).reading.carrier,
      description: first(({ description }) => (description === code ? undefined : description)) ?? code,
      dimensionalFactor: first(({ dimensionalFactor }) => dimensionalFactor) ?? DIMENSIONAL_FACTOR,
      table,
      terms: first(({ terms }) => terms),
    };
  });
};

/** The zones from 1 to 8 in which rate columns and chart zones are reported. Omits rate columns `1` to `8`. */
const rateZonesOf = (columns: readonly string[], zones: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set([...columns, ...zones])]
      .filter((zone) => !/^[1-8]$/.test(zone) || !columns.includes(zone))
      .map((zone) => [zone, reportedZone(zone)]),
  );

/** Charges that the carriers have and no file states. */
const unpricedOf = (services: readonly ServiceParts[], taken: readonly TakenCharge[]): SurchargeEntry[] =>
  CARRIERS.flatMap(({ name, unpriced = [] }) => {
    const codes = services.filter(({ carrier }) => carrier === name).map(({ code }) => code);
    return unpriced.flatMap((charge): SurchargeEntry[] => {
      const isTaken = (code: string): boolean =>
        taken.some(({ entry }) => entry.type === charge.type && entry.services.includes(code));
      const services = codes.filter((code) => !isTaken(code));
      return services.length === 0 ? [] : [{ ...charge, services, amount: { per: 'package', usd: { '*': null } } }];
    });
  });

/** The surcharges of the files, with fuel last, and the area lists that they name. */
const chargesOf = (
  sources: readonly Source[],
  services: readonly ServiceParts[],
  effective: string,
  ledger: Ledger,
) => {
  const areas = ledger.take(mergeAreas(fromFiles(sources, 'areas'), services));
  const charges = ledger.take(mergeCharges(sources, { effective, services, areas }));
  const { fuel } = ledger.take(mergeFuel(fromFiles(sources, 'fuel'), { effective, services }));
  const entries = [...charges.taken.map(({ entry }) => entry), ...unpricedOf(services, charges.taken)];
  return {
    areas: Object.fromEntries(Object.entries(areas.lists).map(([name, { list }]) => [name, list])),
    taken: { services, charges: charges.taken, repeated: charges.repeated, fuel },
    surcharges: [...entries, ...fuel.map((one) => fuelEntry(one, entries))],
  };
};

const partsOf = (
  service: ServiceParts,
  sources: readonly Source[],
  zones: ServiceZones,
  effective: string,
  ledger: Ledger,
) => {
  const { code, carrier, description, dimensionalFactor, table, terms } = service;
  const multiweight = ledger.take(mergeMultiweight(code, fromFiles(sources, 'multiweight'), table.columns));
  const cubic = ledger.take(mergeCubic(code, fromFiles(sources, 'cubic'), table.columns));
  const chartDate = oldChartDate(carrier, sources, effective);
  const sideRounding = knownCarrier(carrier)?.sideRounding(effective);
  if (sideRounding === undefined)
    ledger.warnings.push(
      `How ${carrier} rounds a fraction of an inch is unknown, so ${code} rounds each side up to a whole inch`,
    );
  const entry = {
    code,
    carrier,
    description,
    refusesPoBox: true,
    dimensionalFactor,
    ...present({ sideRounding }),
    maximumActualLb: MAXIMUM_ACTUAL_LB,
    ...termsOf(code),
    ...terms,
    zones: { ...zones.zones, ...present({ chartDate: zones.names.length === 0 ? undefined : chartDate }) },
    rateZones: rateZonesOf(table.columns, zones.names),
    ...present({ multiweight: multiweight?.terms, cubic: cubic?.terms }),
  };
  return { entry, multiweight: multiweight?.table, cubic: cubic?.table };
};

/**
 * Joins readings into a tariff.
 * @param sources the files. A file that is given twice counts once
 */
export const assembleTariff = (sources: readonly Source[], options: ImportOptions): Assembly => {
  // Compares names too, because two services may have the same grid.
  const distinct = [...new Map(sources.map((source) => [`${source.file} ${source.sha256}`, source])).values()];
  const files = distinct.sort((a, b) => byText(a.file, b.file) || byText(a.sha256, b.sha256));
  const ledger = new Ledger();
  ledger.take({ contradictions: misdatedRates(files, options.effective) });
  const services = servicesOf(files, ledger);
  const sourceCharts = fromFiles(files, 'charts');
  ledger.take(misplacedCharts(sourceCharts));
  const byCarrier = new Map<string, CarrierZones>();
  const charts: Record<string, ZoneChart> = {};
  const carriers = [...services, ...sourceCharts.map(({ reading }) => reading)].map(({ carrier }) => carrier);
  for (const carrier of [...new Set(carriers)].filter((name) => name !== ALL_SERVICES).sort(byText)) {
    const zones = carrierZonesOf(carrier, sourceCharts);
    byCarrier.set(carrier, zones);
    const taken = Object.keys(zones.charts).filter((name) => Object.hasOwn(charts, name));
    if (taken.length > 0)
      ledger.contradictions.push(
        `Charts of ${carrier} and of another carrier have the name ${taken.join(', ')}: spell the carrier in one way`,
      );
    Object.assign(charts, zones.charts);
    ledger.take(zones);
  }
  const uncharted: [string, string][] = [];
  const entries = services.map((service) => {
    const subject = { code: service.code, carrier: service.carrier, columns: service.table.columns };
    const zones = serviceZonesOf(subject, byCarrier.get(service.carrier), charts);
    if (zones.uncharted !== undefined) uncharted.push([service.code, zones.uncharted]);
    return partsOf(service, files, zones, options.effective, ledger);
  });
  const estimated = entries.flatMap(({ entry }) => (entry.zones.distanceMiles === undefined ? [] : entry.code));
  for (const [reach, codes] of sharing(uncharted)) {
    const kind = codes.every((code) => estimated.includes(code)) ? 'warnings' : 'unpriced';
    ledger[kind].push(
      `${codes.map((code) => serviceTitle(code)).join(', ')} ${codes.length === 1 ? 'has' : 'have'} no zone chart: ${reach}`,
    );
  }
  const { rows: transit } = ledger.take(transitFor(fromFiles(files, 'transit'), services));
  const { effective, origins = [] } = options;
  const { areas, surcharges, taken } = chargesOf(files, services, effective, ledger);
  const contents = { services, estimated, byCarrier, files, effective, origins };
  for (const [kind, line] of missingOrigins(contents)) ledger[kind].push(line);
  ledger.warnings.push(...missingFrom(contents));
  const assembly = {
    unreadable: files.flatMap(({ file, reading }) => reading.unreadable.map((cell) => ({ file, ...cell }))),
    contradictions: ledger.contradictions,
    unpriced: ledger.unpriced,
    warnings: ledger.warnings,
    taken,
  };
  if (services.length === 0) return assembly;
  const withDays = new Set(entries.flatMap(({ entry }) => (entry.transit === undefined ? [] : entry.carrier)));
  const calendars = CARRIERS.filter(({ name }) => withDays.has(name)).map(({ name, calendar }) => [name, calendar]);
  const file = tariffFile.parse({
    name: options.name,
    description: 'Imported from the files under sources.',
    effective: options.effective,
    sources: files.map((source) => ({ file: source.file, sha256: source.sha256 })),
    services: entries.map(({ entry }) => entry),
    surcharges,
    ...(calendars.length > 0 && { calendars: Object.fromEntries(calendars) }),
  });
  const used = new Set(file.services.map(({ zones }) => zones.chart));
  const byCode = <T>(tableOf: (entry: (typeof entries)[number]) => T | undefined): Record<string, T> =>
    present(Object.fromEntries(entries.map((one) => [one.entry.code, tableOf(one)])));
  return {
    ...assembly,
    document: {
      file,
      rates: Object.fromEntries(services.map(({ code, table }) => [code, table])),
      multiweight: byCode(({ multiweight }) => multiweight),
      cubic: byCode(({ cubic }) => cubic),
      charts: Object.fromEntries(Object.entries(charts).filter(([name]) => used.has(name))),
      areas,
      ...(transit.length > 0 && { transit }),
    },
  };
};
