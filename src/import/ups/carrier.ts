/** UPS: its services, its rules and its files. */
import { UPS_CALENDAR, weekdays } from '../read/calendars.ts';
import type { Carrier, CarrierService } from '../read/carrier.ts';
import { upFrom2025 } from '../read/carrier-rules.ts';
import { groundDays } from './days.ts';
import { isUpsRates, readUpsRates, UPS_SERVICES } from './rates.ts';
import { SIMPLE_RATE, SIMPLE_RATE_LB } from './simple-rate.ts';
import { isUpsZones, readUpsZones, UPS_SHARED_COLUMNS } from './zones.ts';

/** The Simple Rate sheet states no charges. Charges and fuel for all UPS services apply to it. */
const SIMPLE: CarrierService = {
  code: SIMPLE_RATE,
  description: 'UPS Simple Rate',
  terms: { maximumActualLb: SIMPLE_RATE_LB, maximumLengthIn: 108, maximumLengthPlusGirthIn: 165, transit: weekdays() },
  byContract: true,
};

export const UPS: Carrier = {
  name: 'UPS',
  prefix: 'UPS',
  slug: 'ups',
  services: [
    SIMPLE,
    ...UPS_SERVICES.map(({ code, description, days }) => ({
      code,
      description,
      /** UPS's maximum limits are 150 lb, 108 inches, and 165 inches of length plus girth. */
      terms: { maximumLengthIn: 108, maximumLengthPlusGirthIn: 165, transit: weekdays(days) },
    })),
  ],
  groups: {
    ground: ['UPS-GROUND'],
    air: UPS_SERVICES.map(({ code }) => code).filter((code) => code !== 'UPS-GROUND'),
  },
  columnOf: UPS_SHARED_COLUMNS,
  /** Accuracy: 93 to 95% of the lanes get the chart's zone. */
  distanceMiles: [156, 312, 618, 1023, 1422, 1823],
  sideRounding: upFrom2025,
  calendar: UPS_CALENDAR,
  /** Source: UPS's fuel table. */
  hasWeeklyFuel: true,
  hasPublishedRules: true,
  undelivered: [],
  pdfs: [],
  /** Zone charts have the extension `.xls`, but are XLSX. */
  workbooks: [
    {
      called: 'a zone chart',
      is: (sheets) => sheets.some(isUpsZones),
      read: (sheets) => readUpsZones(sheets.filter(isUpsZones)),
    },
    { called: 'daily rates', is: (sheets) => sheets.some(isUpsRates), read: readUpsRates },
  ],
  texts: [groundDays],
};
