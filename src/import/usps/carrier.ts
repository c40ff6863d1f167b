/** USPS: its services, its rules and its files. */
import { chargeEntry } from '../../catalog/tariff/charge-catalog.ts';
import type { Carrier } from '../read/carrier.ts';
import { USPS_CALENDAR } from '../read/carrier-rules.ts';
import { holidayCharges, isUspsPrices, readUspsPrices, uspsPriceCsv } from './prices.ts';
import { serviceStandards } from './service-standards.ts';
import { USPS_SERVICES, uspsSideRounding } from './services.ts';
import { USPS_COLUMN_OF, zoneChart, zoneExceptions, zoneMatrix } from './zone-matrix.ts';

export const USPS: Carrier = {
  name: 'USPS',
  prefix: 'USPS',
  slug: 'usps',
  services: USPS_SERVICES,
  groups: { ground: ['USPS-GA', 'USPS-GAR'], priority: ['USPS-PM', 'USPS-PMR'] },
  columnOf: USPS_COLUMN_OF,
  distanceMiles: [150, 300, 600, 1_000, 1_400, 1_800],
  sideRounding: uspsSideRounding,
  calendar: USPS_CALENDAR,
  hasWeeklyFuel: false,
  hasPublishedRules: false,
  /** Domestic Mail Manual, 201: packages longer than 22 inches, or larger than 2 cubic feet. */
  unpriced: [
    { ...chargeEntry('NONSTANDARD_LENGTH'), when: { lengthOverIn: 22 } },
    { ...chargeEntry('NONSTANDARD_VOLUME'), when: { cubicInchesOver: 3_456 } },
  ],
  /** USPS delivers to every ZIP code, including boxes, military post and the territories. */
  undelivered: [],
  pdfs: [],
  workbooks: [
    { called: 'Notice 123', is: (sheets) => sheets.some(isUspsPrices), read: (sheets) => readUspsPrices(sheets) },
  ],
  texts: [zoneMatrix, zoneExceptions, zoneChart, uspsPriceCsv, holidayCharges, serviceStandards],
};
