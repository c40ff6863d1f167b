/** Makes files like USPS's for tests. The layouts are the carrier's. Zones and prices follow simple rules. */
import { zipText } from '../../src/catalog/tariff/zip.ts';
import { archive, rowOf, workbookParts } from '../archive.ts';

const ZIP3S = Array.from({ length: 999 }, (_, at) => at + 1);

/** From 1 to 8 by the distance of the ZIP3s as numbers; `9` to 969, `A` to Hawaii, `0` to 001 to 004. */
export const madeZone = (origin: number, destination: number): string => {
  if (destination < 5) return '0';
  if (destination === 967 || destination === 968) return 'A';
  return destination === 969 ? '9' : String(Math.min(8, 1 + Math.ceil(Math.abs(origin - destination) / 120)));
};

/** A matrix of some origins. Destination 969 has exceptions. */
export const zoneMatrix = (origins: readonly number[], day = '01012032'): string =>
  [
    day.padEnd(2_001),
    ...origins.map(
      (origin) =>
        zipText(origin, 3) +
        ZIP3S.map((to) => `${madeZone(origin, to)}${to === 969 ? 'e' : madeZone(origin, to) === '1' ? '*' : ' '}`).join(
          '',
        ),
    ),
    '',
  ].join('\r\n');

/** The chart of one origin, as the site gives it. */
export const zoneChart = (origin: number, hawaii: string): string => {
  const entries = ZIP3S.filter((to) => madeZone(origin, to) !== '0').map((to) => {
    const zone = madeZone(origin, to);
    return {
      ZipCodes: `${zipText(to, 3)}---`,
      Zone: zone === 'A' ? hawaii : zone === '1' ? '1*' : zone,
      MailService: '',
    };
  });
  return JSON.stringify({
    ZIPCodeError: '',
    EffectiveDate: 'January 01, 2032',
    Column0: entries.slice(0, 500),
    Column1: entries.slice(500),
    Zip5: [{ ZipCodes: '96900---96938', Zone: '8', MailService: '' }],
  });
};

const ZONES = [1, 2, 3, 4, 5, 6, 7, 8, 9];
/** The price of a weight: 5.00, 0.50 for each zone, and 1.00 for each pound. */
export const madePrice = (pounds: number, zone: number): string => (5 + zone / 2 + pounds).toFixed(2);

const POUNDS = Array.from({ length: 70 }, (_, at) => at + 1);
const OUNCES = [4, 8, 12, 15.999];

/** A CSV of Notice 123: `Priority Mail - Retail`. */
export const noticeCsv = (title: string): string =>
  [
    `${title},,Final,,6/15/2032`,
    'Weight Not Over (Lbs),Zones',
    `,${ZONES.map((zone) => (zone === 1 ? '"L, 1"' : zone)).join(',')}`,
    ...POUNDS.map((pounds) => [pounds, ...ZONES.map((zone) => `$${madePrice(pounds, zone)}`)].join(',')),
    '',
  ].join('\n');

const pricesOf = (weight: number, pounds: number): string =>
  rowOf(weight, ...ZONES.map((zone) => Number(madePrice(pounds, zone))));

/** The workbook of Notice 123: Ground Advantage with ounces, Priority Mail, and a sheet of something else. */
export const noticeWorkbook = (): Buffer =>
  archive(
    workbookParts({
      rows: [rowOf('Flat Rate Envelopes'), rowOf('Envelope', 9.99)].join(''),
      more: [
        [
          'USPS Ground Advantage Retail',
          'visible',
          [
            rowOf('USPS Ground Advantage - Retail'),
            rowOf('Effective 7/11/2032'),
            rowOf('Weight Not Over', 'Zones'),
            rowOf('', ...ZONES.map((zone) => `Zone ${zone}`)),
            ...OUNCES.map((ounces) => pricesOf(ounces, ounces / 16)),
            ...POUNDS.map((pounds) => pricesOf(pounds, pounds)),
            rowOf('Nonstandard fees are not included.'),
          ].join(''),
        ],
        [
          'PM Retail',
          'visible',
          [
            rowOf('Priority Mail Retail'),
            rowOf('Weight Not Over (Lbs)', 'Zones'),
            rowOf('', ...ZONES),
            ...POUNDS.map((pounds) => pricesOf(pounds, pounds)),
          ].join(''),
        ],
      ],
    }),
  );
