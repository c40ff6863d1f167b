/** The import report for the operator: what was read, what could not be read, what is missing, what was decided. */
import { byText } from '../../base/by-text.ts';
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { Coverage, CoveredOrigin } from '../../catalog/tariff/coverage.ts';
import { shifted } from '../../catalog/tariff/days.ts';
import { diffTariffs, kept, namesOf } from '../../catalog/tariff/diff/diff.ts';
import type { Finding, SurchargeEntry, TariffDocument } from '../../catalog/tariff/document.ts';
import { capped, severalOf, sharing } from '../../catalog/tariff/findings.ts';
import { volumeLabel } from '../../catalog/tariff/prices.ts';
import { contains, zipRangeOf } from '../../catalog/tariff/zip.ts';
import { partName } from '../../lists/columns/plain-words.ts';
import { TARIFF_PARTS } from '../../rating/charges.ts';
import { carrierOf, LISTED_SERVICES, serviceTitle } from '../carriers.ts';
import type { CarrierZones } from '../merge/carrier-zones.ts';
import { amountText, periodText, type ServiceName, servicesText, surchargeKeys } from '../merge/charged-services.ts';
import type { MergedCharges, TakenCharge } from '../merge/charges.ts';
import type { Fuel } from '../merge/fuel.ts';
import { measuresText } from '../plain-csv/charges.ts';
import type { ParsedAreas, Source, Unreadable } from '../read/reader.ts';

/*
 * Findings of a tariff's check, for people who know the carriers' files. A place in the tariff's folder is named by what it is
 * about. Places with the same problem share a line.
 */

const TABLE = /^(rates|multiweight|cubic|zones|areas)\/([\w-]+)\.csv ?/;
const PART = /^(?:row \d+ )?(row|column|origin) (.+)$/;
const ENTRY = /^tariff\.json (services|surcharges)\[(\d+)\]/;

/** What a finding is about: a thing, and the kind and name of one of its parts. */
interface Place {
  readonly thing: string;
  readonly kind: string;
  readonly part: string;
}

const THINGS: Readonly<Record<string, string>> = { zones: 'Zone chart ', areas: 'areas ' };

const placeOf = (at: string, { file: { services, surcharges } }: TariffDocument): Place => {
  const [start = '', folder = '', name = ''] = TABLE.exec(at) ?? [];
  if (start !== '') {
    const [, kind = '', part = ''] = PART.exec(at.slice(start.length)) ?? [];
    const thing = `${THINGS[folder] ?? ''}${serviceTitle(name)}`;
    return { thing, kind: kind === 'column' && folder !== 'zones' ? 'zone' : kind, part };
  }
  const [, list, index] = ENTRY.exec(at) ?? [];
  const service = list === 'services' ? services[Number(index)] : undefined;
  const charge = list === 'surcharges' ? surcharges[Number(index)] : undefined;
  const whose = charge?.services ?? services.map(({ code }) => code);
  const named = charge === undefined ? undefined : `${charge.description} of ${servicesText(whose, services)}`;
  return { thing: service === undefined ? (named ?? at) : serviceTitle(service.code), kind: '', part: '' };
};

const inWords = (message: string): string =>
  message
    .replaceAll(/\bzones\/([\w-]+)\.csv/g, 'zone chart $1')
    .replaceAll(/\b(?:rates|multiweight|cubic|areas)\/([\w-]+)\.csv/g, (_, name: string) => serviceTitle(name))
    .replaceAll(/\bsurcharges\[\d+\] /g, '');

/** A line for each problem: `UPS Next Day Air Early, zones 102, 103: 151 lb costs less than 150 lb`. */
export const findingLines = (findings: readonly Finding[], document: TariffDocument | undefined): string[] => {
  if (document === undefined) return findings.map(({ at, message }) => `${at}: ${message}`);
  const places = findings.map(({ at, message }) => ({ ...placeOf(at, document), message }));
  const parts = sharing(places.map(({ part, ...rest }) => [part, JSON.stringify(rest)]));
  const things = [...parts].map(([key, names]): [string, string] => {
    const { thing, kind, message }: Place & { readonly message: string } = JSON.parse(key);
    return [kind === '' ? thing : `${thing}, ${kind}${names.length === 1 ? '' : 's'} ${severalOf(names)}`, message];
  });
  return [...sharing(things)].map(([message, names]) => `${severalOf(names, '; ')}: ${inWords(message)}`);
};

/** Content that the tariff takes from the files. */
export interface Taken {
  readonly services: readonly ServiceName[];
  readonly charges: readonly TakenCharge[];
  readonly repeated: MergedCharges['repeated'];
  readonly fuel: readonly Fuel[];
}

/** The number of ZIP codes or ranges by tier. */
const tiersOf = ({ list }: ParsedAreas): [tier: string, count: number][] =>
  [...grouped(list.rows, ({ tier }) => tier)].map(([tier, rows]) => [tier, rows.length]);

/** The fuel rates of one file. */
const fuelOf = (file: string, fuel: readonly Fuel[]) =>
  fuel.flatMap(({ services, rates }) => {
    const own = rates.filter(({ source }) => source.startsWith(`${file}, `));
    const percents = own.map(({ rate }) => Number(rate));
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const days = { from: first.from, until: last.until ?? null };
    const [lowestPercent, highestPercent] = [Math.min(...percents).toFixed(2), Math.max(...percents).toFixed(2)];
    return [{ services, rates: own.length, ...days, lowestPercent, highestPercent }];
  });

const termsText = ({ when: { anyOf }, leastBillingWeightLb, multiweightMaximumUsd }: SurchargeEntry): string =>
  [
    anyOf === undefined ? '' : `, if ${measuresText(anyOf)}`,
    leastBillingWeightLb === undefined ? '' : `, billed as at least ${leastBillingWeightLb} lb`,
    multiweightMaximumUsd === undefined ? '' : `, at most ${multiweightMaximumUsd} per multiweight shipment`,
  ].join('');

/** The lines of a file's charges, fuel and areas, and of what was not taken. */
const chargeLines = ({ file, reading }: Source, { services, charges, repeated, fuel }: Taken): string[] => [
  ...charges
    .filter((charge) => charge.file === file)
    .map(
      ({ entry }) =>
        `  ${entry.type} "${entry.description}", ${servicesText(entry.services, services)}: ${amountText(entry)}${termsText(entry)}${periodText(entry)}`,
    ),
  ...repeated
    .filter((one) => one.file === file)
    .map(({ source, count }) => `  ${count} ${count === 1 ? 'charge' : 'charges'} as in ${source}`),
  ...fuelOf(file, fuel).map(
    (own) =>
      `  fuel, ${servicesText(own.services, services)}: ${own.rates} rates from ${own.from}${own.until === null ? '' : ` until ${own.until}`}, ${own.lowestPercent} to ${own.highestPercent}%`,
  ),
  ...reading.areas.map((area) => {
    const tiers = tiersOf(area).map(([tier, count]) => `${tier} ${count}`);
    const owner = area.carrier === undefined ? '' : ` of ${area.carrier}`;
    return `  areas ${area.name}${owner}: ${area.list.rows.length} ZIP codes or ranges (${tiers.join(', ')})`;
  }),
];

/** Enough to find the place. The JSON report has the full text. */
const MAX_TEXT = 120;
const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).trimEnd()} …` : text);

/** One line for all services whose prices lack the same parts on a day. */
export const missingLines = ({ day, services }: Coverage): string[] => {
  const said = services.map(({ service, parts, fuel }): [string, string] => {
    const missing = TARIFF_PARTS.filter((part) => parts[part] === 'missing')
      .map((part) => (part === 'fuel' && fuel.nextDay !== undefined ? `fuel before ${fuel.nextDay}` : partName(part)))
      .join(', ');
    return [service, missing];
  });
  return [...sharing(said.filter(([, missing]) => missing !== ''))].map(
    ([missing, codes]) =>
      `${servicesText(
        codes,
        services.map(({ service: code, carrier }) => ({ code, carrier })),
      )}: on ${day}, the tariff does not include ${missing}. Quotes will say that they are incomplete`,
  );
};

/** The contents of the files. */
interface Contents {
  readonly services: readonly ServiceName[];
  /** The services whose zones are estimated from the distance where no chart has the origin. */
  readonly estimated: readonly string[];
  readonly byCarrier: ReadonlyMap<string, CarrierZones>;
  readonly files: readonly Source[];
  readonly effective: string;
  readonly origins: readonly CoveredOrigin[];
}

const isWithin = (zip5: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => contains(zipRangeOf(range), zipRangeOf(zip5)));

/** A line for each carrier that lacks charts, and whether shipments from there have no price. */
export const missingOrigins = ({ services, estimated, byCarrier, origins }: Contents) =>
  [...byCarrier].flatMap(([carrier, { originsOf }]): ['unpriced' | 'warnings', string][] => {
    const own = services.filter((service) => service.carrier === carrier);
    if (own.length === 0) return [];
    const missing = origins
      .filter(({ zip5 }) => [...originsOf.values()].some((ranges) => !isWithin(zip5, ranges)))
      .map(({ zip5, label }) => `${zip5} (${label})`);
    if (missing.length === 0) return [];
    const which = `the ${missing.length === 1 ? 'origin' : 'origins'} ${severalOf(missing)}`;
    const others = own.filter(({ code }) => !estimated.includes(code)).map(({ code }) => code);
    const reach = [
      ...(others.length < own.length ? ['zones from there are estimated from the distance'] : []),
      ...(others.length > 0 ? [`${servicesText(others, own)} cannot be quoted from there`] : []),
    ];
    const line = `${carrier} has no zone chart for ${which}: ${reach.join('; ')}`;
    return [[others.length > 0 ? 'unpriced' : 'warnings', line]];
  });

const missingServices = ({ services }: Contents): string[] => {
  const codes = services.map(({ code }) => code);
  const isMissing = (code: string) => !codes.includes(code) && codes.map(carrierOf).includes(carrierOf(code));
  return LISTED_SERVICES.filter(isMissing).map((code) => `${serviceTitle(code)} has no rates in these files`);
};

/** Carriers publish new charts and area lists at least once a year. */
const OLD_TABLE_DAYS = 366;

const isOld = (from: string | undefined, effective: string): from is string =>
  from !== undefined && from < shifted(effective, -OLD_TABLE_DAYS);

/** The date of a carrier's oldest chart, if it is too old for the tariff. */
export const oldChartDate = (carrier: string, sources: readonly Source[], effective: string): string | undefined =>
  sources
    .filter(({ reading }) => reading.charts.some((chart) => chart.carrier === carrier))
    .map(({ reading }) => reading.effective)
    .filter((from) => isOld(from, effective))
    .sort()[0];

const oldTables = ({ files, effective }: Contents): string[] => {
  const old = files.flatMap(({ file, reading: { effective: from, charts, areas } }): [string, string][] =>
    charts.length + areas.length === 0 || !isOld(from, effective)
      ? []
      : [[file, `a ${charts.length > 0 ? 'zone chart' : 'list of areas'} from ${from}, for rates from ${effective}`]],
  );
  return [...sharing(old)].map(
    ([kind, names]) => `${severalOf(names)} ${names.length === 1 ? 'is' : 'are each'} ${kind}: is there a newer one?`,
  );
};

const NO_RATES =
  'These files contain no rates: import the rates too, or give the name and the first day of a tariff that has them';

/** A line for each other missing thing. */
export const missingFrom = (contents: Contents): string[] => {
  const { services, byCarrier, files, effective } = contents;
  const carriers = [...new Set(services.map(({ carrier }) => carrier))];
  const withoutRates = [...byCarrier.keys()].filter((carrier) => !carriers.includes(carrier));
  return [
    ...(services.length === 0 ? [NO_RATES] : []),
    ...missingServices(contents),
    ...withoutRates.map((carrier) => `There are zone charts of ${carrier}, but no rates`),
    ...oldTables(contents),
    ...files
      .filter(({ reading }) => reading.effective !== undefined && reading.effective > effective)
      .map(({ file, reading }) => `${file} takes effect on ${reading.effective}, which is after ${effective}`),
  ];
};

const MAX_DECISIONS = 50;

/** A line for each decision: what the files say, and what the tariff has instead. */
export const decisionsText = (imported: TariffDocument, document: TariffDocument): readonly string[] => {
  const nameOf = surchargeKeys(imported.file.surcharges, document.file.surcharges);
  const [inFiles, inTariff] = [namesOf(imported, nameOf), namesOf(document, nameOf)];
  const removed = inFiles.filter((name) => !inTariff.includes(name));
  const added = inTariff.filter((name) => !inFiles.includes(name));
  const common = (one: TariffDocument): TariffDocument => {
    const services = one.file.services.filter(({ code }) => ![...removed, ...added].includes(`service ${code}`));
    const codes = new Set(services.map(({ code }) => code));
    const surcharges = one.file.surcharges.filter((entry) => ![...removed, ...added].includes(nameOf(entry)));
    const [rates, multiweight] = [kept(one.rates, codes), kept(one.multiweight, codes)];
    return { ...one, file: { ...one.file, services, surcharges }, rates, multiweight, cubic: kept(one.cubic, codes) };
  };
  const lines = [
    ...removed.map((name) => `${name}: the files have it, the tariff does not`),
    ...added.map((name) => `${name}: the tariff has it, the files do not`),
    ...diffTariffs(common(imported), common(document)).map(
      ({ at, before, after }) => `${at}: the files say ${before ?? 'nothing'}, the tariff has ${after ?? 'nothing'}`,
    ),
  ];
  return capped(lines, MAX_DECISIONS, (more) => `and ${more} more`);
};

/** Formats columns for people: `2-8, 44-46`. */
const columnsText = (columns: readonly string[]): string => {
  const parts: string[] = [];
  for (let from = 0, to = 1; to <= columns.length; to++) {
    if (to < columns.length && Number(columns[to]) === Number(columns[to - 1]) + 1) continue;
    const [first = '', last = ''] = [columns[from], columns[to - 1]];
    parts.push(to - from > 2 ? `${first}-${last}` : columns.slice(from, to).join(', '));
    from = to;
  }
  return parts.join(', ');
};

/** Transit days by service, for all origins in a file. */
const transitLines = ({ reading }: Source): string[] => {
  const rows = reading.transit.flatMap((one) => one.rows);
  return [...new Set(rows.map(({ service }) => service))].map((code) => {
    const own = rows.filter(({ service }) => service === code);
    const origins = [...new Set(own.map(({ origin }) => origin))];
    return `  ${code}: ${own.length} rows of transit days from ${severalOf(origins)}`;
  });
};

/** The content of a file that the tariff takes. */
export const takenLines = (source: Source, taken: Taken): string[] => {
  const { reading } = source;
  return [
    ...reading.rates.map(({ code, table }) => {
      const first = table.ounces?.[0];
      const ounces = first === undefined ? '' : `from ${first.upToOz} oz; `;
      const above = table.centsPerLbAboveTop === undefined ? '' : ', and a price per pound above';
      return `  ${code}: ${ounces}1-${table.cents.length} lb${above}; zones ${columnsText(table.columns)}`;
    }),
    ...reading.multiweight.map(
      ({ code, table }) =>
        `  ${code}: multiweight from ${must(table.breaks[0], 'a break').fromLb} lb; zones ${columnsText(table.columns)}`,
    ),
    ...reading.cubic.map(({ code, table: { columns, tiers, inInches = false } }) => {
      const most = volumeLabel(must(tiers.at(-1), 'a tier').hundredths, inInches);
      return `  ${code}: by volume up to ${most} cubic ${inInches ? 'inches' : 'feet'}; zones ${columnsText(columns)}`;
    }),
    ...reading.charts.map(
      ({ origin, chart }) => `  origin ${origin}: ${chart.rows.length} destinations; ${chart.columns.join(', ')}`,
    ),
    ...transitLines(source),
    ...chargeLines(source, taken),
  ];
};

/** Enough for a person. If a file has more problems, they have a common cause. The JSON report has all of them. */
const MAX_LINES = 500;

const section = (title: string, lines: readonly string[]): string[] => {
  const shown = capped(lines, MAX_LINES, (more) => `and ${more} more`);
  return lines.length === 0 ? [] : ['', `${title}:`, ...shown.map((line) => `  ${line}`)];
};

/** The result of joining files. */
export interface Assembly {
  /** Absent if the files contain no rates. Unreadable cells are empty. The first of contradicting values counts. */
  readonly document?: TariffDocument;
  readonly unreadable: readonly (Unreadable & { readonly file: string })[];
  readonly contradictions: readonly string[];
  /** Why some shipments have no price. */
  readonly unpriced: readonly string[];
  readonly warnings: readonly string[];
  readonly taken: Taken;
}

export interface ImportReport {
  /** The files of this import. */
  readonly sources: readonly Source[];
  /** Names of files of earlier imports that are still used. */
  readonly earlier: readonly string[];
  /** A line for each earlier file whose tables were replaced. */
  readonly replaced: readonly string[];
  readonly decisions: readonly string[];
  readonly assembly: Assembly;
  /** What prices of the first day lack. */
  readonly incomplete: readonly string[];
  /** Findings of checking `checked`. */
  readonly findings: readonly Finding[];
  /** The tariff with the operator's decisions. Undefined if nothing has rates. */
  readonly checked: TariffDocument | undefined;
}

/** Lines for the problems of the files and the tariff. */
export const problemLines = ({ assembly, incomplete, findings, checked }: ImportReport) => {
  const bySeverity = grouped(findings, ({ severity }) => severity);
  const found = (severity: Finding['severity'], effect?: Finding['effect']): string[] =>
    findingLines(bySeverity.get(severity)?.filter((finding) => finding.effect === effect) ?? [], checked);
  return {
    unreadable: assembly.unreadable.map(
      ({ file, at, text, problem }) => `${file}, ${at}: ${JSON.stringify(text)}: ${problem}`,
    ),
    contradictions: assembly.contradictions,
    errors: found('error'),
    unpriced: [...assembly.unpriced, ...found('warning', 'unpriced')],
    incomplete: [...incomplete, ...found('warning', 'incomplete')],
    warnings: [...assembly.warnings, ...found('warning')],
  };
};

/** The files of the import, sorted by name. */
export const sourcesOf = ({ sources }: ImportReport): readonly Source[] =>
  sources.toSorted((a, b) => byText(a.file, b.file));

/** The report as text. */
export const reportText = (report: ImportReport): string => {
  const { unreadable, contradictions, errors, unpriced, incomplete, warnings } = problemLines(report);
  const sourceLines = (source: Source): string[] => [
    `${source.file}: ${source.reading.kind}${source.reading.effective === undefined ? '' : `, from ${source.reading.effective}`}`,
    ...takenLines(source, report.assembly.taken),
    ...source.reading.notes.map((note) => `  note: ${note}`),
    ...(source.reading.notTaken.length === 0 ? [] : ['  Not imported:']),
    ...source.reading.notTaken.map(({ at, text, reason }) => `    ${at}: ${shortened(text)}: ${reason}`),
  ];
  return [
    ...sourcesOf(report).flatMap(sourceLines),
    ...section('Imported earlier, and kept', [...report.earlier, ...report.replaced]),
    ...section('Decided by the operator, and kept', report.decisions),
    ...section('Unreadable', unreadable),
    ...section('Contradictions', contradictions),
    ...section('Errors', errors),
    ...section('Warnings', [...unpriced, ...incomplete, ...warnings]),
    '',
  ].join('\n');
};

/** The report as JSON. */
export const reportJson = ({ sources, earlier, replaced, decisions, assembly, findings, ...rest }: ImportReport) => ({
  files: sources.map(({ file, sha256, reading: { kind, rates, charts, areas, notTaken, notes } }) => ({
    ...{ file, sha256, kind },
    services: rates.map(({ code, table }) => ({ code, weights: table.cents.length, zones: table.columns })),
    origins: charts.map(({ origin }) => origin),
    charges: assembly.taken.charges.filter((charge) => charge.file === file).map(({ entry }) => entry),
    fuel: fuelOf(file, assembly.taken.fuel),
    areas: areas.map((area) => ({
      name: area.name,
      carrier: area.carrier ?? null,
      tiers: Object.fromEntries(tiersOf(area)),
    })),
    notTaken,
    notes,
  })),
  earlier,
  replaced,
  decisions,
  unreadable: assembly.unreadable,
  contradictions: assembly.contradictions,
  errors: findings.filter(({ severity }) => severity === 'error'),
  warnings: [
    ...[...assembly.unpriced, ...rest.incomplete, ...assembly.warnings].map((message) => ({ message })),
    ...findings.filter(({ severity }) => severity === 'warning'),
  ],
});
