/**
 * UPS's workbooks: daily rates, and zone charts that are named `.xls` but are XLSX. Which of the two a workbook is stands
 * in its cells.
 */
import { type Reader, type Reading, type ReadOptions, RefusedFile } from './reading.ts';
import { isUpsRates, readUpsRates } from './ups-rates.ts';
import type { Sheet } from './ups-sheet.ts';
import { isUpsZones, readUpsZones } from './ups-zones.ts';
import { isZip, readWorkbook } from './xlsx.ts';

const read = async (bytes: Uint8Array, { signal }: ReadOptions): Promise<Reading> => {
  const sheets: readonly Sheet[] = await readWorkbook(bytes, signal);
  const zones = sheets.filter(isUpsZones);
  if (zones.length > 0) return readUpsZones(zones);
  if (sheets.some(isUpsRates)) return readUpsRates(sheets);
  throw new RefusedFile('it is a workbook, but neither rates nor a zone chart of UPS');
};

export const upsWorkbook: Reader = { kind: 'XLSX', accepts: isZip, read };
