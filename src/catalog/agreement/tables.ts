/** Reads and writes the CSV files of an agreement's folder. `document.ts` describes them. */
import { stringify } from 'csv-stringify/sync';
import { present } from '../../base/present.ts';
import { keysOf } from '../../rating/fields.ts';
import {
  ADDRESSES,
  type Address,
  type AgreementTables,
  APPLIES_TO,
  CHANGES,
  type DiscountLine,
  type FuelBandLine,
  type FuelLine,
  type FuelPriceLine,
  MINIMUM_KINDS,
  type MinimumLine,
  type Named,
  type NoteLine,
  type SpendLine,
  type SurchargeLine,
  type TierLine,
  type ZoneRange,
} from './document.ts';
import { type ColumnForm, RATE_COLUMN, type ReadLines, type Row, readSheet } from './sheet.ts';

const TIER_CHARACTERS = 20;
const AREA_CHARACTERS = 40;
const INDEX_CHARACTERS = 40;
const PROGRAM_CHARACTERS = 40;
const NOTE_CHARACTERS = 400;
const ALL = '*';
const SURCHARGE = /^(?:\*|[A-Z][A-Z0-9_]{0,39}\*?)$/;
const WITH_SIGN = / ?%$/;

/** How the lines of a file are read and written. `cells` are in the order of `columns`. */
interface Form<T> {
  readonly columns: readonly ColumnForm[];
  readonly read: (row: Row) => T;
  readonly cells: (line: T) => readonly string[];
}

const named = (names: Named<string>): string => (names === ALL ? ALL : names.join('|'));

const zoneCell = (zones: Named<ZoneRange>): string =>
  named(zones === ALL ? ALL : zones.map(({ from, to }) => (from === to ? from : `${from}-${to}`)));

const billingCell = (billing: DiscountLine['billing']): string => billing?.join('|') ?? ALL;

/** As `Row.percent` reads it: below 1 with its sign. */
const percentCell = (percent: string): string =>
  Number(percent) !== 0 && Math.abs(Number(percent)) < 1 ? `${percent}%` : percent;

/** A percentage, or an amount instead. */
const takenOff = (row: Row): Pick<DiscountLine, 'percent' | 'usd'> => {
  if (row.cell('usd') === '') return { percent: row.signedPercent('percent') };
  if (row.cell('percent') !== '') row.fault('usd', 'must be empty if percent is given: use a row for each');
  if (row.cell('applies_to') === 'multiweight') row.fault('usd', 'is off each package: write packages in applies_to');
  if (row.cell('better_of') !== '') row.fault('usd', 'must be empty if better_of is given, which compares percentages');
  return { percent: '0.00', usd: row.money('usd') };
};

const number = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** A member that is absent if its cell is empty. */
const optional = <K extends string, V>(row: Row, column: string, key: K, read: () => V): Partial<Record<K, V>> => {
  if (row.cell(column) === '') return {};
  const member: Partial<Record<K, V>> = {};
  member[key] = read();
  return member;
};

const tierOf = (row: Row): { readonly tier?: string } =>
  optional(row, 'tier', 'tier', () => row.text('tier', TIER_CHARACTERS));

const SERVICES = { name: 'services', absent: ALL };
const ZONES = { name: 'zones', absent: ALL };
const ADDRESS = { name: 'address', absent: 'any' };
const BILLING = { name: 'billing', absent: ALL, isRare: true } as const;
const TIER = { name: 'tier', absent: '' };
const BAND = [
  { name: 'from_lb', absent: '' },
  { name: 'to_lb', absent: '' },
];

/** The pounds from one to another, inclusive. */
const bandOf = (row: Row): { readonly fromLb?: number; readonly toLb?: number } => {
  const fromLb = row.pounds('from_lb');
  const toLb = row.pounds('to_lb');
  if (toLb !== undefined && toLb < (fromLb ?? 1))
    row.fault('to_lb', `must be at least ${fromLb ?? 1}, which is from_lb`);
  return present({ fromLb, toLb });
};

const discounts: Form<DiscountLine> = {
  columns: [
    { name: 'discount' },
    { name: 'better_of', absent: '' },
    SERVICES,
    ZONES,
    ...BAND,
    ADDRESS,
    BILLING,
    { name: 'applies_to', absent: 'both' },
    TIER,
    { name: 'percent' },
    { name: 'usd', absent: '', isRare: true },
  ],
  read: (row) => ({
    row: row.row,
    discount: row.text('discount'),
    ...optional(row, 'better_of', 'betterOf', () => row.text('better_of')),
    services: row.services(),
    zones: row.zones(),
    ...{ fromLb: 1, ...bandOf(row) },
    address: row.oneOf('address', ADDRESSES, 'any'),
    ...present({ billing: row.billing() }),
    appliesTo: row.oneOf('applies_to', APPLIES_TO, 'both'),
    ...tierOf(row),
    ...takenOff(row),
  }),
  cells: ({ discount, betterOf = '', services, zones, fromLb, toLb, address, billing, ...rest }) => [
    ...[discount, betterOf, named(services), zoneCell(zones), number(fromLb), number(toLb)],
    ...[address, billingCell(billing), rest.appliesTo, rest.tier ?? ''],
    ...[rest.usd === undefined ? percentCell(rest.percent) : '', rest.usd ?? ''],
  ],
};

const minimums: Form<MinimumLine> = {
  columns: [
    SERVICES,
    { ...ZONES, isRare: true },
    ADDRESS,
    BILLING,
    { name: 'minimum' },
    { name: 'value' },
    { name: 'zone', absent: '' },
    { name: 'weight_lb', absent: '' },
  ],
  read: (row) => {
    const minimum = row.oneOf('minimum', MINIMUM_KINDS);
    const weightLb = row.pounds('weight_lb');
    const column = (): string =>
      row.matching('zone', RATE_COLUMN, 'must be one zone, such as 2, or own: it names a cell of the rate table');
    const zones = row.zones();
    return {
      row: row.row,
      services: row.services(),
      ...(zones === ALL ? {} : { zones }),
      address: row.oneOf('address', ADDRESSES, 'any'),
      ...present({ billing: row.billing() }),
      minimum,
      value: minimum === 'less percent' ? row.percent('value') : row.money('value'),
      ...optional(row, 'zone', 'zone', column),
      ...(weightLb === undefined ? {} : { weightLb }),
    };
  },
  cells: ({ services, zones = ALL, address, billing, minimum, value, zone = '', weightLb }) => [
    ...[
      named(services),
      zoneCell(zones),
      address,
      billingCell(billing),
      minimum,
      minimum === 'less percent' ? percentCell(value) : value,
      zone,
    ],
    number(weightLb),
  ],
};

type ChangeValue = Pick<SurchargeLine, 'value' | 'isPercent' | 'lastYear'>;

/** `fixed`, `exactly` and `at most` are of dollars or, with its sign, of a percentage. */
const changeValue = (row: Row, change: SurchargeLine['change']): ChangeValue => {
  if (row.cell('last_year') !== '') {
    if (change !== 'at most') row.fault('last_year', 'must be empty unless the change is at most');
    return { value: row.percent('value'), lastYear: row.money('last_year') };
  }
  switch (change) {
    case 'waived':
      if (row.cell('value') !== '') row.fault('value', 'must be empty if the surcharge is waived');
      return { value: '' };
    case 'percent off':
      return { value: row.percent('value') };
    case 'points off':
      return { value: row.points('value') };
    case 'amount off':
      return { value: row.money('value') };
    case 'fixed':
    case 'exactly':
    case 'at most':
      if (WITH_SIGN.test(row.cell('value'))) return { value: row.percent('value'), isPercent: true };
      return { value: row.money('value') };
    default:
      return change satisfies never;
  }
};

const surchargeValue = (change: SurchargeLine['change'], { value, isPercent, lastYear }: ChangeValue): string => {
  if (isPercent === true) return `${value}%`;
  return change === 'percent off' || lastYear !== undefined ? percentCell(value) : value;
};

const surcharges: Form<SurchargeLine> = {
  columns: [
    { name: 'surcharge' },
    SERVICES,
    ZONES,
    { name: 'area', absent: '' },
    ...[ADDRESS, BILLING, ...BAND, TIER].map((column) => ({ ...column, isRare: true as const })),
    { name: 'change' },
    { name: 'value', absent: '' },
    { name: 'last_year', absent: '', isRare: true },
  ],
  read: (row) => ({
    row: row.row,
    surcharge: row.matching(
      'surcharge',
      SURCHARGE,
      'must be a type such as RESIDENTIAL, or the beginning of types and a star, such as DELIVERY_AREA*',
    ),
    services: row.services(),
    zones: row.zones(),
    ...optional(row, 'area', 'area', () => row.text('area', AREA_CHARACTERS)),
    ...((address: Address) => (address === 'any' ? {} : { address }))(row.oneOf('address', ADDRESSES, 'any')),
    ...present({ billing: row.billing() }),
    ...bandOf(row),
    ...tierOf(row),
    ...((change) => ({ change, ...changeValue(row, change) }))(row.oneOf('change', CHANGES)),
  }),
  cells: ({ surcharge, services, zones, area = '', address = 'any', billing, change, ...rest }) => [
    ...[surcharge, named(services), zoneCell(zones), area, address, billingCell(billing)],
    ...[number(rest.fromLb), number(rest.toLb), rest.tier ?? '', change],
    ...[surchargeValue(change, rest), rest.lastYear ?? ''],
  ],
};

const fuel: Form<FuelLine> = {
  columns: [SERVICES, { name: 'from' }, { name: 'until', absent: '' }, { name: 'percent' }],
  read: (row) => ({
    row: row.row,
    services: row.services(),
    from: row.date('from'),
    ...optional(row, 'until', 'until', () => row.date('until')),
    percent: row.percent('percent'),
  }),
  cells: ({ services, from, until = '', percent }) => [named(services), from, until, percentCell(percent)],
};

const INDEX = { name: 'index', absent: 'fuel' };

const fuel_index: Form<FuelBandLine> = {
  columns: [SERVICES, INDEX, { name: 'from_usd' }, { name: 'percent' }],
  read: (row) => ({
    row: row.row,
    services: row.services(),
    index: row.text('index', INDEX_CHARACTERS),
    fromUsd: row.fuelPrice('from_usd'),
    percent: row.percent('percent'),
  }),
  cells: ({ services, index, fromUsd, percent }) => [named(services), index, fromUsd, percentCell(percent)],
};

const fuel_prices: Form<FuelPriceLine> = {
  columns: [INDEX, { name: 'from' }, { name: 'usd' }],
  read: (row) => ({
    row: row.row,
    index: row.text('index', INDEX_CHARACTERS),
    from: row.date('from'),
    usd: row.fuelPrice('usd'),
  }),
  cells: ({ index, from, usd }) => [index, from, usd],
};

const PROGRAM = { name: 'program', absent: '', isRare: true } as const;
const PACKAGES = { absent: '', isRare: true } as const;

const programOf = (row: Row): { readonly program?: string } =>
  optional(row, 'program', 'program', () => row.text('program', PROGRAM_CHARACTERS));

const tiers: Form<TierLine> = {
  columns: [PROGRAM, { name: 'tier' }, { name: 'from_usd', absent: '' }, { name: 'from_packages', ...PACKAGES }],
  read: (row) => {
    if (row.cell('from_usd') !== '' && row.cell('from_packages') !== '')
      row.fault('from_packages', 'must be empty if from_usd is given: a band begins at one of them');
    return {
      row: row.row,
      ...programOf(row),
      tier: row.text('tier', TIER_CHARACTERS),
      ...(row.cell('from_packages') === ''
        ? { fromUsd: row.money('from_usd') }
        : { fromPackages: row.packages('from_packages') }),
    };
  },
  cells: ({ program = '', tier, fromUsd = '', fromPackages }) => [program, tier, fromUsd, number(fromPackages)],
};

const spend: Form<SpendLine> = {
  columns: [{ name: 'week_ending' }, PROGRAM, { name: 'usd', absent: '' }, { name: 'packages', ...PACKAGES }],
  read: (row) => ({
    row: row.row,
    weekEnding: row.date('week_ending'),
    ...programOf(row),
    ...(row.cell('usd') === '' && row.cell('packages') !== '' ? {} : { usd: row.money('usd') }),
    ...optional(row, 'packages', 'packages', () => row.packages('packages')),
  }),
  cells: ({ weekEnding, program = '', usd = '', packages }) => [weekEnding, program, usd, number(packages)],
};

const notes: Form<NoteLine> = {
  columns: [{ name: 'topic' }, { name: 'text' }],
  read: (row) => ({ row: row.row, topic: row.text('topic'), text: row.text('text', NOTE_CHARACTERS) }),
  cells: ({ topic, text }) => [topic, text],
};

/** The files that are lists of lines, by their member of `AgreementTables`. */
const FORMS = { discounts, minimums, surcharges, fuel, tiers, spend, notes, fuel_index, fuel_prices };
export type LineTables = Required<Pick<AgreementTables, keyof typeof FORMS>>;
export const LINE_TABLES = keysOf(FORMS);

type LineOf<K extends keyof LineTables> = LineTables[K][number];

const formOf = <K extends keyof LineTables>(table: K): Form<LineOf<K>> => {
  const forms: { readonly [T in keyof LineTables]: Form<LineOf<T>> } = FORMS;
  return forms[table];
};

export const readLines = <K extends keyof LineTables>(table: K, file: string, text: string): ReadLines<LineOf<K>> => {
  const { columns, read } = formOf(table);
  return readSheet(file, text, columns, read);
};

/** The file of a table's lines, with all columns but the rare ones that no line needs. */
export const writeLines = <K extends keyof LineTables>(table: K, lines: readonly LineOf<K>[]): string => {
  const { columns, cells } = formOf(table);
  const rows = lines.map(cells);
  const used = columns.map(({ isRare, absent }, at) => isRare !== true || rows.some((row) => row[at] !== absent));
  return stringify([columns.map(({ name }) => name), ...rows].map((row) => row.filter((_, at) => used[at])));
};
