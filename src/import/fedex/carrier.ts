/** FedEx: its services, its rules and its files. */
import { MILITARY } from '../../catalog/tariff/zip.ts';
import { type Carrier, FEDEX_CALENDAR, type FileKind, upFrom2025 } from '../read/carrier.ts';
import type { PdfPage } from '../read/pdf.ts';
import { fedexAreaText, isAreaList, readAreaPages } from './areas.ts';
import { isEconomyFees, readEconomyFees } from './economy-fees.ts';
import { isFeeGuide, isFeeSheet, readFeeGuide, readFeeSheet } from './fee-guide.ts';
import { isListRates, readListRates } from './list-rates.ts';
import { withOneRate } from './one-rate.ts';
import {
  FEDEX_COLUMN_OF,
  FEDEX_GROUND_SERVICES,
  FEDEX_PACKAGE_SERVICES,
  FEDEX_SERVICES,
  FEDEX_VOLUME_FROM,
} from './services.ts';
import { fedexZoneCsv } from './zone-csv.ts';
import { isZoneLocator, readZoneLocator } from './zone-locator.ts';

/** The first kind that matches a PDF is used. The Service Guide has rates too. */
const PDFS: readonly FileKind<readonly PdfPage[]>[] = [
  { called: 'a zone locator', is: isZoneLocator, read: readZoneLocator },
  { called: 'a sheet of surcharges and fees', is: isFeeSheet, read: readFeeSheet },
  { called: 'fees of Ground Economy', is: isEconomyFees, read: readEconomyFees },
  { called: 'a Service Guide', is: isFeeGuide, read: readFeeGuide },
  { called: 'list rates', is: isListRates, read: readListRates },
  { called: 'a list of delivery areas', is: isAreaList, read: readAreaPages },
];

export const FEDEX: Carrier = {
  name: 'FedEx',
  prefix: 'FDX',
  slug: 'fdx',
  services: FEDEX_SERVICES,
  groups: {
    ground: FEDEX_GROUND_SERVICES,
    express: FEDEX_PACKAGE_SERVICES.filter((code) => !FEDEX_GROUND_SERVICES.includes(code)),
  },
  columnOf: FEDEX_COLUMN_OF,
  /** Accuracy: 93 to 95% of the lanes get the chart's zone. */
  distanceMiles: [168, 325, 619, 1025, 1422, 1817],
  sideRounding: upFrom2025,
  calendar: FEDEX_CALENDAR,
  /** Service Guide 2026, Fuel Surcharge, page 139. */
  hasWeeklyFuel: true,
  volumeFrom: FEDEX_VOLUME_FROM,
  /**
   * FedEx cannot deliver to APO, FPO and DPO addresses (Service Guide 2026, Post office box addresses, page 179).
   * American Samoa (96799) is an international destination, and Wake Island (96898) is not served (pages 5 and 9).
   */
  undelivered: [...MILITARY, '96799', '96898'],
  pdfs: PDFS.map((kind) => ({ ...kind, read: (pages) => withOneRate(pages, kind.read(pages)) })),
  workbooks: [],
  texts: [fedexZoneCsv, fedexAreaText],
};
