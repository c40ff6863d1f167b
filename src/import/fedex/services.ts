/** FedEx's services within the United States, as named in its list rates, and its One Rate packaging. */
import { must } from '../../base/must.ts';
import { type CarrierService, orderOf, weekdays } from '../read/carrier.ts';
import type { ParsedChart } from '../read/reader.ts';

type Terms = CarrierService['terms'];

/** FedEx Service Guide 2026, pages 127 and 128. */
export const FEDEX_VOLUME_FROM = '2026-01-12';

/** FedEx Service Guide 2026, pages 128 (Ground Unauthorized Package Charge) and 158 (Package restrictions). */
const GROUND: Terms = { maximumLengthIn: 108, maximumLengthPlusGirthIn: 165, transit: weekdays() };
/** FedEx Service Guide 2026, page 161: delivers Monday through Sunday, so Saturday has no extra charge. */
const HOME: Terms = { ...GROUND, deliversTo: 'homes', hasNo: ['saturday'] };
/** FedEx Service Guide 2026, page 158: `The maximum limits for FedEx U.S. packages are 150 lbs. and 119 inches`. */
const express = (days: number): Terms => ({
  maximumLengthIn: 119,
  maximumLengthPlusGirthIn: 165,
  transit: weekdays(days),
});
/** FedEx Ground Economy fees 2026, page 1: it has all fees except residential fees. */
const ECONOMY: Terms = {
  maximumActualLb: 70,
  maximumLengthPlusGirthIn: 130,
  hasNo: ['residential'],
  transit: weekdays(),
};

/** A contract service with separate rates and fees. FedEx does not count it among its U.S. package services. */
export const FEDEX_ECONOMY = 'FDX-ECON';

/** From the slowest to the fastest. */
export const FEDEX_SERVICES: readonly CarrierService[] = [
  { code: FEDEX_ECONOMY, description: 'FedEx Ground Economy', terms: ECONOMY, byContract: true },
  { code: 'FDX-GROUND', description: 'FedEx Ground', terms: GROUND },
  { code: 'FDX-HOME', description: 'FedEx Home Delivery', terms: HOME },
  { code: 'FDX-SAVER', description: 'FedEx Express Saver', terms: express(3) },
  { code: 'FDX-2DAY', description: 'FedEx 2Day', terms: express(2) },
  { code: 'FDX-2DAYAM', description: 'FedEx 2Day A.M.', terms: express(2) },
  { code: 'FDX-STDOVN', description: 'FedEx Standard Overnight', terms: express(1) },
  { code: 'FDX-PRIOVN', description: 'FedEx Priority Overnight', terms: express(1) },
  { code: 'FDX-1STOVN', description: 'FedEx First Overnight', terms: express(1) },
];

const CODES = FEDEX_SERVICES.map(({ code }) => code);
export const byFedexOrder = orderOf(CODES);

/** The services that FedEx's fee documents call U.S. package services. */
export const FEDEX_PACKAGE_SERVICES = CODES.filter((code) => code !== FEDEX_ECONOMY);
export const FEDEX_GROUND_SERVICES = ['FDX-GROUND', 'FDX-HOME'];

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const byName = new Map(FEDEX_SERVICES.map((service) => [bare(service.description), service]));

/** Finds the FedEx service in a column heading such as `FedEx 2Day® A.M.`. Signs, case and spaces do not matter. */
export const fedexServiceNamed = (name: string): CarrierService | undefined => byName.get(bare(name));

export const fedexDescription = (code: string): string =>
  must(
    FEDEX_SERVICES.find((service) => service.code === code),
    `the FedEx service ${code}`,
  ).description;

/** One Rate packaging, with its letters in a service code. */
export const ONE_RATE_PACKAGING: Readonly<Record<string, string>> = {
  Envelope: 'EN',
  'Extra Small Box': 'XS',
  Pak: 'PA',
  'Small Box': 'SB',
  'Medium Box': 'MB',
  'Large Box': 'LB',
  'Extra Large Box': 'XL',
  Tube: 'TU',
};

/** The services with One Rate, with the last letter of a service code. */
export const ONE_RATE_SPEED: Readonly<Record<string, string>> = {
  'FDX-SAVER': 'S',
  'FDX-2DAY': '2',
  'FDX-2DAYAM': 'A',
  'FDX-STDOVN': 'O',
  'FDX-PRIOVN': 'P',
  'FDX-1STOVN': 'F',
};

/** Returns `FDX-1R-MB2` for a medium box by 2Day. */
export const oneRateCode = (packaging: string, service: string): string =>
  `FDX-1R-${must(ONE_RATE_PACKAGING[packaging], 'packaging of One Rate')}${must(ONE_RATE_SPEED[service], 'a service of One Rate')}`;

const ONE_RATE_CODES = Object.keys(ONE_RATE_PACKAGING).flatMap((packaging) =>
  Object.keys(ONE_RATE_SPEED).map((service) => oneRateCode(packaging, service)),
);

/** The columns of a FedEx zone chart, and the column of each service. */
export const FEDEX_CHART_COLUMNS = ['express', 'ground'] as const;
export const FEDEX_COLUMN_OF: ParsedChart['columnOf'] = Object.fromEntries(
  [...CODES, ...ONE_RATE_CODES].map((code) => [
    code,
    code === FEDEX_ECONOMY || FEDEX_GROUND_SERVICES.includes(code) ? 'ground' : 'express',
  ]),
);
