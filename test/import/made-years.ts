/** Files of the carriers for 2025 to 2027, as the project makes them, and imports of them in any order. */
import { createHash } from 'node:crypto';
import { tariffId } from '../../src/catalog/tariff/identity.ts';
import { readFeeSheet } from '../../src/import/fedex/fee-guide.ts';
import { readListRates } from '../../src/import/fedex/list-rates.ts';
import { readZoneLocator } from '../../src/import/fedex/zone-locator.ts';
import { assembleNewest } from '../../src/import/newest.ts';
import type { ParsedFile, Source } from '../../src/import/read/reader.ts';
import { pdfReader, plainCsv, workbookReader } from '../../src/import/source.ts';
import { pdfWith } from '../pdf.ts';
import { listRatePages, locatorPage, zoneRanges } from './made-fedex.ts';
import { feeSheet, type MadeRow, zones } from './made-fedex-fees.ts';
import { dailyRates, zoneChart } from './made-ups.ts';

const US = ['U.S. Package Services'];
const GROUND = ['FedEx Ground®, FedEx Home Delivery®,', 'and FedEx International Ground', 'Shipments'];

/** With a mark that dates all zones. */
const marked = (lines: readonly string[], date: string): string[] => [
  ...lines.map((line) => line.replace(/package$/, 'package*')),
  `*Effective ${date}`,
];

/** Zones 5 and 6 alone. */
const zones5 = (lines: readonly string[], date: string): string[] => [
  ...lines.map((line) => (line.startsWith('Zones 5') ? line.replace(/package$/, 'package*') : line)),
  `*Effective ${date}`,
];

/** The amounts of one year: homes by ground and by express, handling of weight, and oversize. */
interface Year {
  readonly homes: readonly [ground: string, express: string];
  readonly weight: readonly [string, string, string, string];
  readonly oversize: readonly [string, string, string, string];
}

const IN_2025: Year = {
  homes: ['5.95', '6.55'],
  weight: ['43.50', '47.50', '52.75', '55'],
  oversize: ['240', '260', '297.50', '305'],
};
const IN_2026: Year = {
  homes: ['6.45', '6.95'],
  weight: ['46', '50.25', '56.25', '58.75'],
  oversize: ['255', '275', '320', '330'],
};
const IN_2027: Year = {
  homes: ['6.85', '7.35'],
  weight: ['49', '53.25', '59.25', '61.75'],
  oversize: ['265', '285', '330', '340'],
};

/** Charges of two years. Those of 2025 are as FedEx marks them: some begin on July 14, others hold all year. */
const rowsOf = (years: readonly [Year, Year]): readonly MadeRow[] => {
  const cells = (linesOf: (year: Year) => string[], mark: (lines: string[], date: string) => string[]): string[][] =>
    years.map((year) => (year === IN_2025 ? mark(linesOf(year), 'July 14, 2025') : linesOf(year)));
  const oversized = ({ oversize }: Year): string[] => zones(...oversize);
  return [
    {
      name: ['Residential Delivery Charge'],
      services: GROUND,
      cells: years.map(({ homes }) => [`$${homes[0]} per package`]),
    },
    { services: US, cells: years.map(({ homes }) => [`$${homes[1]} per package`]) },
    {
      name: ['Additional Handling Surcharge'],
      services: US,
      cells: cells(({ weight }) => ['Weight:', ...zones(...weight)], zones5),
    },
    { name: ['Oversize Charge'], services: US, cells: cells(oversized, marked) },
    { services: ['FedEx Home Delivery Shipments'], cells: cells(oversized, zones5) },
  ];
};

const csv = async (label: string, ...lines: string[]): Promise<ParsedFile> =>
  await plainCsv.read(Buffer.from(`${lines.join('\n')}\n`), { label });

/** A chart of UPS by distance that somebody typed: the zones from one ZIP3 under the name of another. */
const typedChart = (origin: string, zip3: number): Promise<ParsedFile> =>
  csv(
    'typed',
    'origin,destination,UPS-GROUND',
    ...zoneRanges('UPS', zip3).flatMap(({ from, to, zone }) =>
      zone === undefined ? [] : [`${origin},${String(from).padStart(3, '0')}-${String(to).padStart(3, '0')},${zone}`],
    ),
  );

const FUEL_HEAD = 'carrier,services,effective,percent';
const weeks = (carrier: string, group: string, first: string, count: number): string[] =>
  Array.from({ length: count }, (_, week) => {
    const day = new Date(Date.parse(first) + week * 7 * 86_400_000).toISOString().slice(0, 10);
    return `${carrier},${group},${day},${(18 + week / 4).toFixed(2)}`;
  });
const CHARGE_HEAD = 'carrier,charge,services,address,usd,from,until';

/** The readings of all files by name. The names sort in another order than they are listed in. */
export const readYears = async (): Promise<ReadonlyMap<string, Source>> => {
  const sheet = (years: readonly string[], takeEffect: string, amounts: readonly [Year, Year]): ParsedFile =>
    readFeeSheet(feeSheet([rowsOf(amounts)], { years, takeEffect }));
  const readings: Record<string, ParsedFile> = {
    'list-2025.pdf': readListRates(listRatePages('January 6, 2025', '5.95')),
    'list-2026.pdf': await pdfReader.read(pdfWith(listRatePages('January 5, 2026', '6.45')), {}),
    'list-2027.pdf': readListRates(listRatePages('January 4, 2027', '6.85')),
    'fees-2026.pdf': sheet(['2025', '2026'], 'Jan. 5, 2026', [IN_2025, IN_2026]),
    'a-fees-2027.pdf': sheet(['2026', '2027'], 'Jan. 4, 2027', [IN_2026, IN_2027]),
    '070-076.pdf': readZoneLocator([locatorPage(70, 76)]),
    '798-799.pdf': readZoneLocator([locatorPage(798, 799)]),
    'daily-2026.xlsx': await workbookReader.read(dailyRates(2026), {}),
    '100.xls': await workbookReader.read(zoneChart(100), {}),
    'typed-100.csv': await typedChart('100', 100),
    'typed-606.csv': await typedChart('606', 70),
    'fuel-both.csv': await csv(
      'fuel-both',
      FUEL_HEAD,
      ...weeks('UPS', 'ground', '2026-01-05', 60),
      ...weeks('FedEx', 'ground', '2024-12-30', 120),
    ),
    'fuel-fedex.csv': await csv('fuel-fedex', FUEL_HEAD, ...weeks('FedEx', 'express', '2024-12-30', 120)),
    'fuel-early.csv': await csv('fuel-early', FUEL_HEAD, ...weeks('FedEx', 'ground', '2024-12-30', 80)),
    'fuel-other.csv': await csv('fuel-other', FUEL_HEAD, 'FedEx,ground,2026-01-05,99.00'),
    'fuel-old.csv': await csv('fuel-old', FUEL_HEAD, ...weeks('FedEx', 'ground', '2023-01-02', 4)),
    'areas-fedex.csv': await csv('areas-fedex', 'carrier,zip,tier', 'FedEx,00501,standard', 'FedEx,00502,remote'),
    'areas-ups.csv': await csv('areas-ups', 'carrier,zip,tier', 'UPS,00501,das'),
    'charges-ups.csv': await csv('charges-ups', CHARGE_HEAD, 'UPS,residential surcharge,ground,residential,6.50,,'),
    'charges-both.csv': await csv(
      'charges-both',
      CHARGE_HEAD,
      'UPS,saturday delivery,air,,16.00,,',
      'FedEx,saturday delivery,express,,17.00,,',
    ),
    'charges-areas.csv': await csv(
      'charges-areas',
      CHARGE_HEAD.replace('address', 'area'),
      'FedEx,remote area,,remote,13.25,,',
    ),
    'charges-homes.csv': await csv(
      'charges-homes',
      CHARGE_HEAD,
      'FedEx,residential delivery,FDX-HOME,residential,9.99,,',
    ),
    'charges-summer.csv': await csv(
      'charges-summer',
      CHARGE_HEAD,
      'FedEx,residential delivery,FDX-HOME,residential,6.05,2026-07-06,',
    ),
    'demand.csv': await csv('demand', CHARGE_HEAD, 'FedEx,demand: homes,,residential,0.60,2026-10-05,2027-01-17'),
    'demand-again.csv': await csv(
      'demand-again',
      CHARGE_HEAD,
      'FedEx,demand: homes,,residential,0.60,2026-10-05,2027-01-17',
    ),
    'demand-other.csv': await csv(
      'demand-other',
      CHARGE_HEAD,
      'FedEx,demand: homes,,residential,0.65,2026-11-02,2027-01-17',
    ),
  };
  return new Map(
    Object.entries(readings).map(([file, reading]) => {
      const sha256 = createHash('sha256').update(file).digest('hex');
      return [file, { file, sha256, reading }];
    }),
  );
};

/** Imports files, those of each list at once, and one list after the other. */
export const importYears = (
  files: ReadonlyMap<string, Source>,
  imports: readonly (readonly string[])[],
  effective: string,
) => {
  const all = imports.flatMap((names, at) =>
    names.map((name) => {
      const source = files.get(name);
      if (source === undefined) throw new Error(`there is no file ${name}`);
      return { path: name, origin: undefined, generation: at + 1, source };
    }),
  );
  const { document, contradictions, warnings } = assembleNewest(all, { name: 'years', effective }).assembly;
  return { id: document === undefined ? undefined : tariffId(document), document, contradictions, warnings };
};

export const permutations = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first, at) =>
        permutations(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
      );
