/** Readings that tests make by hand: small rates, charges, fuel and areas. */
import type {
  ParsedAreas,
  ParsedCharge,
  ParsedFile,
  ParsedFuel,
  ParsedRates,
  Source,
} from '../../src/import/read/reader.ts';
import { NO_TABLES } from '../../src/import/read/reader.ts';

const rates = (code: string, carrier: string): ParsedRates => ({
  code,
  carrier,
  description: code,
  table: { columns: ['2', '3', '4', '5', '6', '7', '8'], cents: [[100, 200, 300, 400, 500, 600, 700]] },
  source: (row, column) => `row ${row}, column ${column}`,
});

/** A residential charge of FedEx Ground for $6.45, unless `more` says otherwise. */
export const charge = (
  more: Partial<Omit<ParsedCharge, 'entry'>> & { readonly entry?: Partial<ParsedCharge['entry']> } = {},
): ParsedCharge => ({
  carrier: 'FedEx',
  services: ['ground'],
  at: 'page 7',
  ...more,
  entry: {
    type: 'RESIDENTIAL',
    description: 'Residential delivery',
    when: { residential: true },
    amount: { per: 'package', usd: '6.45' },
    ...more.entry,
  },
});

/** Fuel of FedEx Ground. */
export const fuel = (from: string, percent: string, more: Partial<ParsedFuel> = {}): ParsedFuel => ({
  carrier: 'FedEx',
  services: ['ground'],
  at: `line of ${from}`,
  from,
  percent,
  ...more,
});

export const areas = (name: string, tiers: readonly string[], carrier?: string): ParsedAreas => ({
  name,
  ...(carrier === undefined ? {} : { carrier }),
  list: { rows: tiers.map((tier, at) => ({ zip: `0010${at}`, tier })) },
});

export const source = (file: string, reading: Partial<ParsedFile>): Source => ({
  file,
  sha256: '0'.repeat(64),
  reading: { kind: 'made', ...NO_TABLES, unreadable: [], notes: [], ...reading },
});

/** FedEx Ground and 2Day, and UPS Ground. */
export const RATES = source('rates.pdf', {
  rates: [rates('FDX-GROUND', 'FedEx'), rates('FDX-2DAY', 'FedEx'), rates('UPS-GROUND', 'UPS')],
});
