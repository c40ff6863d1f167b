/**
 * USPS's price file, Notice 123: a workbook with a sheet for each product, or a folder with a CSV for each. The name of a sheet,
 * or the first line of a CSV, is the product. A row has the zones, and each row below is a weight. Rows up to 15.999 are ounces,
 * unless the weight says `lb`. Later rows are pounds.
 *
 * Also the charges of a holiday season: a CSV with a column for each product and run of zones. The file name has the dates.
 */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { limitIn, RATES } from '../../catalog/tariff/prices.ts';
import { dollarText } from '../../rating/quantity.ts';
import { type CarrierService, MAIL_DAYS, roundedUpFrom, titledIn } from '../read/carrier.ts';
import {
  centsInText,
  csvRecords,
  Findings,
  linesIn,
  NO_TABLES,
  type ParsedCharge,
  type ParsedFile,
  type ParsedRates,
  type Reader,
  RefusedFile,
} from '../read/reader.ts';
import { type Cell, cellAddress, type Sheet, shownText } from '../read/xlsx.ts';

/* The services of USPS, as named in its price lists. */

/** Domestic Mail Manual, 201.8.1: dimensional weight applies above one cubic foot. */
const CUBIC_FOOT_IN = 1_728;

const USPS_MAXIMUM_LB = 70;

type Terms = CarrierService['terms'];

/** Prices apply to every address with a ZIP code, including Saturdays. USPS has no fuel surcharge. */
const MAIL: Terms = {
  maximumActualLb: USPS_MAXIMUM_LB,
  dimensionalOverCubicIn: CUBIC_FOOT_IN,
  // Domestic Mail Manual, 123 and 153: above 70 lb of dimensional weight, the price is that of 70 lb.
  maximumDimensionalLb: USPS_MAXIMUM_LB,
  refusesPoBox: false,
  transit: MAIL_DAYS,
  hasNo: ['fuel', 'residential', 'deliveryArea', 'saturday'],
};
/** Maximum length plus girth, in inches. */
const GROUND: Terms = { ...MAIL, maximumLengthPlusGirthIn: 130 };
const PRIORITY: Terms = { ...MAIL, maximumLengthPlusGirthIn: 108 };

/** A service with the words that its price lists have for the product and for the kind of price. */
const priced = (code: string, product: string, words: string[][], kind: string, named: string, terms: Terms) => {
  return { code, description: `USPS ${product}, ${kind}`, named: words.map((one) => [...one, named]), terms };
};

const ADVANTAGE = [['ground', 'advantage']];
const MAILED = [['priority', 'mail'], ['pm']];

/** From the slowest to the fastest. */
export const USPS_SERVICES: readonly CarrierService[] = [
  priced('USPS-GA', 'Ground Advantage', ADVANTAGE, 'commercial', 'comm', GROUND),
  priced('USPS-GAR', 'Ground Advantage', ADVANTAGE, 'retail', 'retail', GROUND),
  priced('USPS-PM', 'Priority Mail', MAILED, 'commercial', 'comm', PRIORITY),
  priced('USPS-PMR', 'Priority Mail', MAILED, 'retail', 'retail', PRIORITY),
];

/** First day of prices that round sides up to the inch and use 139 cubic inches per pound (Postal Service, 2026-05-11). */
const COUNTED_UP_FROM = '2026-07-12';

/** Earlier, sides were rounded to the nearest inch (Domestic Mail Manual, 604.7.1.3). */
export const uspsSideRounding = (effective: string) => roundedUpFrom(COUNTED_UP_FROM, effective);

/** Cubic inches per pound, by the date of the prices. */
const uspsDimensionalFactor = (day: string): number => (day >= COUNTED_UP_FROM ? 139 : 166);

const CARRIER = 'USPS';
const WEIGHTS = /^weight\s*not\s*over/i;
/** `Zone 4`, `4`, `L, 1` and `Local, 1`. */
const ZONE = /^(?:zones?\s*)?(?:l(?:ocal)?\s*[,&]\s*)?([1-9])$/i;
const WEIGHT = /^(\d{1,2}(?:\.\d{1,3})?) ?(oz|ounces?|lbs?|pounds?)?\.?$/i;
const DAY = /\b(\d{1,2})\/(\d{1,2})\/(20\d\d)\b/;
/** Rows at the top of a sheet that may have titles. */
const TITLE_ROWS = 12;
const LEAST_ZONES = 5;
const SMALLEST_IN_LB = 15;

const textOf = (cell: Cell | undefined): string => shownText(cell).replace(/\s+/g, ' ').trim();

const serviceOf = ({ name, rows }: Sheet) => {
  const titles = [name, ...rows.slice(0, TITLE_ROWS).flatMap(({ cells }) => cells.map(textOf))];
  return titles.map((title) => titledIn(USPS_SERVICES, title)).find((service) => service !== undefined);
};

const zonesIn = (cells: readonly Cell[]) =>
  cells.flatMap((cell, at) => {
    const zone = ZONE.exec(textOf(cell))?.[1];
    return at === 0 || zone === undefined ? [] : [{ zone, at }];
  });

/** The zone row, which follows the heading of the weights; undefined if the sheet is not a table of prices by zone. */
const headerOf = ({ rows }: Sheet) => {
  const begin = rows.findIndex(({ cells }) => cells.some((cell) => WEIGHTS.test(textOf(cell))));
  if (begin === -1) return undefined;
  const at = rows.findIndex(({ cells }, index) => index >= begin && zonesIn(cells).length >= LEAST_ZONES);
  return at === -1 ? undefined : { at, zones: zonesIn(must(rows[at], 'the row of the zones').cells) };
};

export const isUspsPrices = (sheet: Sheet): boolean => serviceOf(sheet) !== undefined && headerOf(sheet) !== undefined;

/** The date above a table. */
const dayOf = ({ rows }: Sheet): string | undefined => {
  const titles = rows.slice(0, TITLE_ROWS).flatMap(({ cells }) => cells.map(textOf));
  const [, month = '', day = '', year] = DAY.exec(titles.join(' ')) ?? [];
  return year === undefined ? undefined : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};

const readSheet = (sheet: Sheet, isCsv: boolean, findings: Findings): ParsedRates => {
  const { code, description } = must(serviceOf(sheet), 'the service of a sheet');
  const header = must(headerOf(sheet), 'the header of a sheet');
  const place = (row: number, column: number): string =>
    isCsv ? `line ${row}, column ${column + 1}` : `sheet ${sheet.name}, cell ${cellAddress(row, column)}`;
  const found = sheet.rows.slice(header.at + 1).flatMap(({ number, cells }) => {
    const [, weight, unit = ''] = WEIGHT.exec(textOf(cells[0])) ?? [];
    return weight === undefined || header.zones.every(({ at }) => textOf(cells[at]) === '')
      ? []
      : [{ number, cells, weight: Number(weight), unit: unit.toLowerCase() }];
  });
  // The last row in ounces is the first one just under a pound. Weights in pounds have no fraction.
  const lastOunce = found.findIndex(
    ({ weight, unit }) => unit === '' && !Number.isInteger(weight) && weight > SMALLEST_IN_LB,
  );
  const rows = found.map(({ number, cells, weight, unit }, index) => ({
    number,
    limit: limitIn(unit.startsWith('o') || (unit === '' && index <= lastOunce) ? `${weight} oz` : String(weight)),
    cents: header.zones.map(({ at }): number | null => {
      const text = textOf(cells[at]);
      const cents = text === '' ? null : centsInText(text);
      if (cents === undefined) findings.refuse(place(number, at), text, 'not a price');
      return cents ?? null;
    }),
  }));
  const pounds = rows.filter(({ limit }) => limit >= 1);
  if (pounds.length === 0 || pounds.some(({ limit }, index) => limit !== index + 1))
    findings.refuse(isCsv ? code : `sheet ${sheet.name}`, '', 'a row of a whole pound is missing');
  const day = dayOf(sheet);
  return {
    code,
    carrier: CARRIER,
    description,
    ...(day !== undefined && { dimensionalFactor: uspsDimensionalFactor(day) }),
    table: RATES.tableOf(
      header.zones.map(({ zone }) => zone),
      rows,
    ),
    source: (row, column) => place(must(rows[row], 'a row').number, must(header.zones[column], 'a zone').at),
  };
};

/** Reads the sheets that contain prices by zone. */
export const readUspsPrices = (sheets: readonly Sheet[], isCsv = false): ParsedFile => {
  const findings = new Findings();
  const own = sheets.filter(isUspsPrices);
  const skipped = sheets.filter((sheet) => !own.includes(sheet)).map(({ name }) => name.trim());
  const [day] = own.map(dayOf).filter((one) => one !== undefined);
  if (skipped.length > 0)
    findings.notes.push(`Sheets without prices by zone of these services, skipped: ${skipped.join('; ')}`);
  return {
    kind: isCsv ? 'USPS prices (CSV)' : 'USPS prices (XLSX)',
    ...NO_TABLES,
    rates: own.map((sheet) => readSheet(sheet, isCsv, findings)),
    ...present({ effective: day }),
    ...findings,
  };
};

const HEAD_BYTES = 4_096;

/** Reads one product from a CSV. */
export const uspsPriceCsv: Reader = {
  accepts: (bytes) => {
    const [first = '', ...rest] = linesIn(bytes, HEAD_BYTES);
    return (
      titledIn(USPS_SERVICES, first) !== undefined &&
      rest.slice(0, TITLE_ROWS).some((line) => WEIGHTS.test(line.replace(/^"/, '')))
    );
  },
  read: async (bytes) => {
    const rows = csvRecords(bytes).map((cells, at) => ({ number: at + 1, cells }));
    const sheet: Sheet = { name: '', rows };
    if (!isUspsPrices(sheet)) throw new RefusedFile('it has no row of zones');
    return readUspsPrices([sheet], true);
  },
};

const HOLIDAY_COLUMN = /^(ga|pm)_(comm|retail)_z([1-9])_([1-9])$/;
const HOLIDAY_CODES: Readonly<Record<string, string>> = {
  'ga comm': 'USPS-GA',
  'ga retail': 'USPS-GAR',
  'pm comm': 'USPS-PM',
  'pm retail': 'USPS-PMR',
};
const BAND = /^(\d{1,2}) ?- ?(\d{1,2}) ?lbs?$/i;
const DAYS = /(20\d\d-\d\d-\d\d)\D+(20\d\d-\d\d-\d\d)/;

/**
 * Reads a holiday season's charges by weight band. If a package is over several bands, the last one counts. A package over the
 * last band pays at least the charge of that band.
 */
export const holidayCharges: Reader = {
  accepts: (bytes) => {
    const [name, ...columns] = (linesIn(bytes, HEAD_BYTES)[0] ?? '').trim().split(',');
    return name === 'weight' && columns.length > 0 && columns.every((column) => HOLIDAY_COLUMN.test(column));
  },
  read: async (bytes, { label = '' }) => {
    const [, from, until] = DAYS.exec(label) ?? [];
    if (from === undefined || until === undefined)
      throw new RefusedFile('its name does not say its days: name it like holiday_2026-10-04_to_2027-01-17.csv');
    const chargeOf = (
      services: string[],
      at: string,
      band: string,
      overLb: number,
      usd: Record<string, string | null>,
    ): ParsedCharge => ({
      ...{ carrier: CARRIER, services, at },
      entry: {
        ...{ type: 'DEMAND_HOLIDAY', description: `Holiday season, ${band}`, from, until, dearestOf: 'holiday' },
        when: overLb > 0 ? { billingWeightOverLb: overLb } : {},
        amount: { per: 'package', usd },
      },
    });
    const [header = [], ...rows] = csvRecords(bytes).filter((cells) => cells.some((cell) => cell.trim() !== ''));
    const columns = header.slice(1).map((name) => {
      const [, product = '', kind = '', first = '', last = ''] = HOLIDAY_COLUMN.exec(name.trim()) ?? [];
      return { code: must(HOLIDAY_CODES[`${product} ${kind}`], 'a product'), first: Number(first), last: Number(last) };
    });
    const codes = [...new Set(columns.map(({ code }) => code))];
    const findings = new Findings();
    const most = Math.max(0, ...rows.map((cells) => Number(BAND.exec((cells[0] ?? '').trim())?.[2] ?? 0)));
    const isShort = most > 0 && most < USPS_MAXIMUM_LB;
    const charges = rows.flatMap((cells, index): ParsedCharge[] => {
      const line = index + 2;
      const [, low, high] = BAND.exec((cells[0] ?? '').trim()) ?? [];
      if (low === undefined)
        return findings.refuse(`line ${line}`, cells[0] ?? '', 'not a band of weights, such as 4-10 lb');
      return codes.flatMap((code): ParsedCharge[] => {
        const usd: Record<string, string> = {};
        for (const [at, column] of columns.entries()) {
          if (column.code !== code) continue;
          const text = (cells[at + 1] ?? '').trim();
          const cents = centsInText(text);
          if (cents == null) findings.refuse(`line ${line}, column ${at + 2}`, text, 'not an amount');
          else for (let zone = column.first; zone <= column.last; zone++) usd[zone] = dollarText(cents);
        }
        if (Object.keys(usd).length === 0) return [];
        const band = isShort && Number(high) === most ? `${low} lb or more` : `${low} to ${high} lb`;
        return [chargeOf([code], `line ${line}`, band, Number(low) - 1, usd)];
      });
    });
    if (isShort) {
      findings.notes.push(`The charges for more than ${most} lb are not in the file: quotes say that they are missing`);
      charges.push(chargeOf(codes, 'after the last line', `over ${most} lb`, most, { '*': null }));
    }
    return { kind: 'USPS holiday charges (CSV)', ...NO_TABLES, charges, ...findings };
  },
};
