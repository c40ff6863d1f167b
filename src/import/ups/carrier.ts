/** UPS: its services, its rules and its files. */
import { getOrMake } from '../../base/maps.ts';
import { MOST_TRANSIT_DAYS } from '../../catalog/tariff/document.ts';
import { ZIP5S, zipRangeOf } from '../../catalog/tariff/zip.ts';
import { type Carrier, type CarrierService, UPS_CALENDAR, upFrom2025, weekdays } from '../read/carrier.ts';
import { dayRows, Findings, linesIn, NO_TABLES, type Reader, RefusedFile } from '../read/reader.ts';
import { isUpsRates, readUpsRates } from './rates.ts';
import { isUpsZones, readUpsZones, SIMPLE_RATE, SIMPLE_RATE_LB, UPS_SERVICES, UPS_SHARED_COLUMNS } from './zones.ts';

/* UPS Ground's transit days from one origin: a CSV of origin ZIP5, destination ZIP, state and days, without a header. */

const LINE = /^"?(\d{5})"?,"?(\d{3}|\d{5})"?,"?([A-Z]{2})"?,"?(\d{1,2})"?\s*$/;
const HEAD_BYTES = 200;
const MOST_ORIGINS = 50;

const groundDays: Reader = {
  accepts: (bytes) => LINE.test(linesIn(bytes, HEAD_BYTES)[0] ?? ''),
  read: async (bytes) => {
    const found = new Findings();
    const byOrigin = new Map<string, Uint8Array>();
    for (const [at, line] of linesIn(bytes).entries()) {
      if (line.trim() === '') continue;
      const [, origin = '', destination = '', , days = ''] = LINE.exec(line) ?? [];
      const count = Number(days);
      if (days === '' || count < 1 || count > MOST_TRANSIT_DAYS) {
        found.refuse(`line ${at + 1}`, line.slice(0, 60), 'not origin, destination, state and days');
        continue;
      }
      const own = getOrMake(byOrigin, origin, () => new Uint8Array(ZIP5S));
      if (byOrigin.size > MOST_ORIGINS) throw new RefusedFile(`it has more than ${MOST_ORIGINS} origins`);
      const { from, to } = zipRangeOf(destination);
      own.fill(count, from, to + 1);
    }
    const transit = [...byOrigin].map(([origin, days]) => ({
      carrier: 'UPS',
      rows: dayRows(['UPS-GROUND'], origin, days),
    }));
    return { kind: 'UPS Ground days (CSV)', ...NO_TABLES, transit, ...found };
  },
};

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
    ...UPS_SERVICES.map(({ code, name, days }) => ({
      code,
      description: `UPS ${name}`,
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
  /** UPS announced this day with its rates for 2026. */
  volumeFrom: '2026-01-26',
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
