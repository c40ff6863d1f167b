/** Rates in an operator's plain CSV files: as a grid, and in long form. */
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { CUBIC, limitIn, MULTIWEIGHT, OUNCES_PER_LB, PER_LB, RATES } from '../../catalog/tariff/prices.ts';
import { carrierOf, serviceTitled } from '../carriers.ts';
import {
  centsInText,
  type ParsedCubic,
  type ParsedRates,
  type ReadOptions,
  RefusedFile,
  type Unreadable,
} from '../read/reader.ts';
import { otherColumns, type ParsedPlainCsv, type PlainRow, type PlainTable, ZONE } from './table.ts';

interface Found {
  readonly cents: number | null;
  /** Such as `line 3`. */
  readonly at: string;
}

/** The prices of one service, by weight (`8 oz`, `1`, `per_lb`) and zone. */
interface ServiceRates {
  readonly code: string;
  readonly carrier: string;
  readonly zones: string[];
  readonly byWeight: Map<string, Map<string, Found>>;
}

/** The zone in a column title: `2` for `Zone 2` and `zone_2`. */
const zoneIn = (title: string): string => title.replace(/^zone[ _-]?(?=[A-Za-z0-9])/i, '');

/**
 * Finds the zone columns of a grid.
 * @throws RefusedFile if two columns have the same zone, or a column is not a zone
 */
const zoneColumns = (
  table: PlainTable,
  known: readonly string[],
): readonly { zone: string; title: string; at: number }[] => {
  const columns = otherColumns(table, known).map(({ title, at }) => ({ zone: zoneIn(title), title, at }));
  const seen = new Map<string, string>();
  for (const { zone, title } of columns) {
    if (!ZONE.test(zone)) throw new RefusedFile(`its column ${title} is not a zone: name it 2 or Zone 2`);
    const other = seen.get(zone);
    if (other !== undefined) throw new RefusedFile(`its columns ${other} and ${title} are the same zone`);
    seen.set(zone, title);
  }
  return columns;
};

/** The service code in a file's name, or the code of the price list that it names. */
const serviceOf = (label: string): string => (SERVICE_CODE.test(label) ? label : (serviceTitled(label)?.code ?? label));

const serviceIn = (table: PlainTable, row: PlainRow, { label = '' }: ReadOptions): string | undefined => {
  const code = table.names.includes('service') ? row.text('service') : serviceOf(label);
  return SERVICE_CODE.test(code) ? code : row.refuse('service', 'not a service code');
};

const requireService = (table: PlainTable, { label = '' }: ReadOptions): void => {
  if (table.names.includes('service') || SERVICE_CODE.test(serviceOf(label))) return;
  throw new RefusedFile('it does not state its service: add a column service, or name the file after the service code');
};

const POUNDS = /^[1-9]\d{0,3}$/;
const OUNCES = /^(\d{1,5}(?:\.\d{1,3})?) ?oz$/i;
const UNDER_A_POUND = /^under 1 ?lb$/i;
/** For `1 to 8 oz`, only the upper limit matters. */
const FROM = /^\d{1,2} ?(?:to|-) ?(?=\d)/i;

/** Names a weight as `rates/<CODE>.csv` does: `8 oz`, `1`, `per_lb`. 16 ounces are 1 pound. */
const weightIn = (stated: string): string | undefined => {
  const text = stated.replace(FROM, '');
  if (/^per[ _]?lb$/i.test(text)) return PER_LB;
  if (UNDER_A_POUND.test(text)) return '15.999 oz';
  if (POUNDS.test(stated)) return text;
  const ounces = Number(OUNCES.exec(text)?.[1] ?? 0);
  if (ounces > 0 && ounces < OUNCES_PER_LB) return `${ounces} oz`;
  return ounces > 0 && ounces % OUNCES_PER_LB === 0 ? String(ounces / OUNCES_PER_LB) : undefined;
};

/** The weight of a row, in `weight_lb` or `weight_oz`. */
const weightCell = (row: PlainRow): { readonly column: string; readonly text: string } => {
  const [pounds, ounces] = [row.text('weight_lb'), row.text('weight_oz')];
  if (ounces === '') return { column: 'weight_lb', text: pounds };
  // If both are filled, this text is not a valid weight.
  return { column: 'weight_oz', text: `${pounds === '' ? '' : `${pounds} lb `}${ounces.replace(/ ?oz$/i, '')} oz` };
};

/** Parses cents. Null for an empty cell. Undefined if the text is not a price. */
const priceIn = (text: string): number | null | undefined => (text === '' ? null : centsInText(text));

const put = (
  services: Map<string, ServiceRates>,
  row: PlainRow,
  at: { code: string; key: string; zone: string; column: string; text: string },
): void => {
  const { code, key, zone, column, text } = at;
  const cents = priceIn(text);
  if (cents === undefined) {
    row.refuse(column, 'not a price', text);
    return;
  }
  const carrier = row.text('carrier') || carrierOf(code);
  const service = getOrMake(services, code, () => ({ code, carrier, zones: [], byWeight: new Map() }));
  if (!service.zones.includes(zone)) service.zones.push(zone);
  const byZone = getOrMake(service.byWeight, key, () => new Map<string, Found>());
  const before = byZone.get(zone);
  if (before !== undefined && before.cents !== cents)
    row.refuse(column, `differs from the price in ${before.at}`, text);
  else byZone.set(zone, { cents, at: row.at });
};

const rateReading = (
  { code, carrier, zones, byWeight }: ServiceRates,
  description: string,
  unreadable: Unreadable[],
): ParsedRates => {
  const cellsOf = (key: string) => zones.map((zone) => byWeight.get(key)?.get(zone)?.cents ?? null);
  const keys = [...byWeight.keys()];
  const topLb = Math.max(0, ...keys.filter((key) => POUNDS.test(key)).map(Number));
  const pounds = Array.from({ length: topLb }, (_, at) => String(at + 1));
  for (const label of pounds)
    if (!byWeight.has(label)) unreadable.push({ at: `${code}, ${label} lb`, text: '', problem: 'the row is missing' });
  const ounces = keys.filter((key) => OUNCES.test(key)).sort((a, b) => limitIn(a) - limitIn(b));
  const labels = [...ounces, ...pounds, ...keys.filter((key) => key === PER_LB)];
  const table = RATES.tableOf(
    zones,
    labels.map((label) => ({ limit: limitIn(label), cents: cellsOf(label) })),
  );
  const source = (row: number, column: number): string => {
    const zone = must(zones[column], 'a zone');
    return `${byWeight.get(must(labels[row], 'a row'))?.get(zone)?.at ?? 'line ?'}, zone ${zone}`;
  };
  return { code, carrier, description, table, source };
};

/** Reads a rate grid, or rates in long form. */
export const readRates = (table: PlainTable, options: ReadOptions): ParsedPlainCsv => {
  requireService(table, options);
  const services = new Map<string, ServiceRates>();
  const isLong = table.names.includes('zone') && table.names.includes('rate');
  const zones = isLong ? [] : zoneColumns(table, ['service', 'carrier', 'weightlb', 'weightoz']);
  for (const row of table.rows) {
    const code = serviceIn(table, row, options);
    if (code === undefined) continue;
    const weight = weightCell(row);
    const key = weightIn(weight.text);
    if (key === undefined)
      row.refuse(weight.column, 'neither whole pounds, ounces below 16 oz nor per_lb', weight.text);
    else if (isLong) {
      const zone = zoneIn(row.text('zone'));
      if (!ZONE.test(zone)) row.refuse('zone', 'not a zone', zone);
      else put(services, row, { code, key, zone, column: 'rate', text: row.text('rate') });
    } else
      for (const { zone, title, at } of zones)
        put(services, row, { code, key, zone, column: title, text: row.cells[at] ?? '' });
  }
  const { label = '' } = options;
  const titled = table.names.includes('service') || SERVICE_CODE.test(label) ? undefined : serviceTitled(label);
  const rates = [...services.values()].map((service) =>
    rateReading(service, titled?.description ?? service.code, table.unreadable),
  );
  // The name of a price list contains its date.
  const effective = titled === undefined ? undefined : /20\d\d-[01]\d-[0-3]\d/.exec(label)?.[0];
  const kind = isLong ? 'rates in long form (CSV)' : 'rate grid (CSV)';
  return { kind, rates, ...present({ effective }) };
};

/* Tables in an operator's plain CSV files whose rows are limits: multiweight by pounds, and cubic prices. */

interface Tier {
  readonly limit: number;
  readonly cents: readonly (number | null)[];
  readonly row: PlainRow;
}

interface Limits {
  /** The name of the column with the limits. */
  readonly column: string;
  /** Undefined if the text is not a limit. */
  readonly limitIn: (text: string) => number | undefined;
  readonly problem: string;
  /** Columns that are not zones. */
  readonly others: readonly string[];
}

/** The rows of each service, by ascending limits. */
const tiersIn = (table: PlainTable, options: ReadOptions, { column, limitIn, problem, others }: Limits) => {
  requireService(table, options);
  const zones = zoneColumns(
    table,
    ['service', 'carrier', column, ...others].map((name) => name.replaceAll('_', '')),
  );
  const columns = zones.map(({ zone }) => zone);
  const byCode = new Map<string, Map<number, Tier>>();
  for (const row of table.rows) {
    const code = serviceIn(table, row, options);
    if (code === undefined) continue;
    const limit = limitIn(row.text(column)) ?? row.refuse(column, problem);
    if (limit === undefined) continue;
    const cents = zones.map(({ title, at }) => {
      const price = row.cells[at] ?? '';
      const found = priceIn(price);
      return found === undefined ? (row.refuse(title, 'not a price', price) ?? null) : found;
    });
    const tiers = getOrMake(byCode, code, () => new Map<number, Tier>());
    const before = tiers.get(limit);
    if (before === undefined) tiers.set(limit, { limit, cents, row });
    else row.refuse(column, `is in ${before.row.at} too`);
  }
  return [...byCode].map(([code, rows]) => {
    const tiers = [...rows.values()].sort((a, b) => a.limit - b.limit);
    const rowAt = (index: number): PlainRow => must(tiers[index], 'a row').row;
    return {
      code,
      carrier: rowAt(0).text('carrier') || carrierOf(code),
      columns,
      tiers,
      source: (row: number, at: number) => `${rowAt(row).at}, zone ${columns[at]}`,
    };
  });
};

/** Reads multiweight prices per pound. */
export const readMultiweight = (table: PlainTable, options: ReadOptions): ParsedPlainCsv => {
  const limitIn = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);
  const limits: Limits = { column: 'from_lb', limitIn, problem: 'not whole pounds', others: [] };
  const multiweight = tiersIn(table, options, limits).map(({ columns, tiers, ...own }) => {
    return { ...own, table: MULTIWEIGHT.tableOf(columns, tiers), terms: {} };
  });
  return { kind: 'multiweight rates (CSV)', multiweight };
};

/** Parses cubic feet into hundredths of a cubic foot. */
const volumeIn = (text: string): number | undefined => {
  const [, feet = '', fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const hundredths = Number(feet) * 100 + Number(fraction.padEnd(2, '0'));
  return hundredths > 0 ? hundredths : undefined;
};

const TERMS = ['maximum_lb', 'maximum_length_in'];

/** The terms of cubic prices. Every row must state the same terms. */
const termsOf = (code: string, tiers: readonly Tier[]): ParsedCubic['terms'] => {
  const [maximumActualLb = 1, maximumLengthIn = 1] = TERMS.map((column) => {
    const first = must(tiers[0], 'a row').row.text(column);
    const wrong = tiers.find(({ row }) => !/^[1-9]\d{0,2}$/.test(row.text(column)) || row.text(column) !== first);
    wrong?.row.refuse(column, `not a whole number, or not that of the other rows of ${code}`);
    return wrong === undefined ? Number(first) : 1;
  });
  return { maximumActualLb, maximumLengthIn };
};

/**
 * Reads cubic prices.
 * @throws RefusedFile if it does not state which packages they are for
 */
export const readCubic = (table: PlainTable, options: ReadOptions): ParsedPlainCsv => {
  for (const column of TERMS)
    if (!table.names.includes(column.replaceAll('_', '')))
      throw new RefusedFile(`it does not state which packages it prices by volume: add a column ${column}`);
  const limits: Limits = {
    column: 'up_to_cubic_ft',
    limitIn: volumeIn,
    problem: 'not cubic feet with at most two decimals',
    others: TERMS,
  };
  const cubic = tiersIn(table, options, limits).map(({ columns, tiers, ...own }) => {
    return { ...own, table: CUBIC.tableOf(columns, tiers), terms: termsOf(own.code, tiers) };
  });
  return { kind: 'cubic prices (CSV)', cubic };
};
