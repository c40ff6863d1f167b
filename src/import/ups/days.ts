/** UPS Ground's transit days from one origin: a CSV of origin ZIP5, destination ZIP, state and days, without a header. */
import { getOrMake } from '../../base/maps.ts';
import { MOST_TRANSIT_DAYS } from '../../catalog/tariff/document.ts';
import { zipRangeOf } from '../../catalog/tariff/zip.ts';
import { dayRows } from '../read/day-rows.ts';
import { NO_TABLES, type Reader, RefusedFile, type Unreadable } from '../read/reader.ts';

const LINE = /^"?(\d{5})"?,"?(\d{3}|\d{5})"?,"?([A-Z]{2})"?,"?(\d{1,2})"?\s*$/;
const HEAD_BYTES = 200;
const ZIP5S = 100_000;
const MOST_ORIGINS = 50;

export const groundDays: Reader = {
  accepts: (bytes) => {
    const [line = ''] = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).split(/\r?\n/);
    return LINE.test(line.replace(/^\uFEFF/, ''));
  },
  read: async (bytes) => {
    const unreadable: Unreadable[] = [];
    const byOrigin = new Map<string, Uint8Array>();
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
    for (const [at, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const [, origin = '', destination = '', , days = ''] = LINE.exec(line) ?? [];
      const count = Number(days);
      if (days === '' || count < 1 || count > MOST_TRANSIT_DAYS) {
        const problem = 'not origin, destination, state and days';
        unreadable.push({ at: `line ${at + 1}`, text: line.slice(0, 60), problem });
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
    return { kind: 'UPS Ground days (CSV)', ...NO_TABLES, transit, unreadable, notes: [] };
  },
};
