/** 200 shipments by an agreement with every kind of clause, compared with independent sums. */
import { expect, test } from 'vitest';
import { Failed } from '../../../../src/base/failed.ts';
import { CODE_TABLES } from '../../../../src/catalog/agreement/document.ts';
import { LINE_TABLES } from '../../../../src/catalog/agreement/tables.ts';
import { scheduleOf } from '../../../../src/catalog/tariff/schedule.ts';
import { uploadedAgreement } from '../../../../src/import/agreement/uploaded-agreement.ts';
import { rateShipment } from '../../../../src/rating/rate.ts';
import { shipmentOf } from '../../../rating/priced.ts';
import { shipperOf } from '../fixtures.ts';
import { checked } from './clause.ts';
import { PAPER, PAPER_TARIFF } from './whole-paper.ts';

interface Line {
  readonly service: 'GROUND' | 'EXPRESS';
  readonly zone: 2 | 8;
  readonly day: string;
  readonly billing: 'shipper' | 'recipient' | 'third_party' | 'return';
  readonly residential: boolean;
  /** In tenths of a pound, and inches, the longest first. */
  readonly packages: readonly {
    readonly tenths: number;
    readonly sides: readonly [number, number, number] | undefined;
  }[];
}

/** The same numbers in each run. */
const made = (count: number): Line[] => {
  let state = 20_261_127;
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const one = <T>(of: readonly [T, ...T[]]): T => of[below(of.length)] ?? of[0];
  return Array.from({ length: count }, () => ({
    service: one(['GROUND', 'EXPRESS'] as const),
    zone: one([2, 8] as const),
    day: one([
      '2026-02-10',
      '2026-03-02',
      '2026-03-08',
      '2026-05-31',
      '2026-06-01',
      '2026-06-14',
      '2026-07-01',
    ] as const),
    billing: one(['shipper', 'shipper', 'recipient', 'third_party', 'return'] as const),
    residential: below(2) === 0,
    packages: Array.from({ length: 1 + Math.floor(below(5) / 3) }, () => ({
      tenths: 1 + below(below(2) === 0 ? 200 : 900),
      sides: below(3) === 0 ? undefined : ([20 + below(40), 6 + below(14), 4 + below(10)] as const),
    })),
  }));
};

/** A percentage in hundredths of a percent, rounded half up. */
const share = (cents: number, hundredths: number): number => Math.floor((2 * cents * hundredths + 10_000) / 20_000);

/** The contract's fuel in hundredths of a percent: the week's price, else that of the week before; the list's before March. */
const fuelOf = ({ service, day, billing }: Line): number => {
  if (service === 'GROUND') {
    const rate = day < '2026-03-02' ? 1_850 : day < '2026-06-01' ? 1_400 : day < '2026-06-08' ? 1_875 : 1_625;
    return billing === 'shipper' ? rate - 150 : rate;
  }
  const rate = day < '2026-03-02' ? 2_200 : day < '2026-06-08' ? 1_700 : 1_950;
  return share(rate, 9_000);
};

const minimumOf = ({ service, zone, billing, residential }: Line): number => {
  if (service === 'EXPRESS') return 1_200;
  if (residential && billing === 'shipper') return 950;
  if (billing === 'return') return 500;
  return zone === 8 ? 1_400 : 800;
};

/** The tier by the revenue of the quarter before: B in the second quarter alone. */
const isTierB = (day: string): boolean => '2026-04-01' <= day && day <= '2026-06-30';

const rateOf = ({ service, zone, billing, residential, day }: Line, lb: number): number => {
  const volume = billing !== 'shipper' ? 0 : isTierB(day) ? 400 : 200;
  // The average of four weeks reaches 800 packages on June 6.
  const frequent = billing !== 'shipper' ? 0 : day < '2026-06-07' ? 100 : 175;
  if (service === 'EXPRESS') return (zone === 2 ? 4_000 : 4_150) + volume + frequent - 125;
  if (billing === 'return') return 3_100;
  if (billing !== 'shipper') return 600;
  return volume + (lb > 10 ? 2_425 : residential ? 950 : 1_800);
};

const homeOf = ({ service, billing, residential }: Line): number => {
  if (!residential) return 0;
  // 5.55 less 1.75; else at most 4% above 5.00.
  return service === 'GROUND' && billing === 'shipper' ? 380 : 520;
};

const poundsOf = ({ service }: Line, { tenths, sides }: Line['packages'][number]): number => {
  const actual = Math.ceil(tenths / 10);
  if (sides === undefined) return actual;
  const volume = sides[0] * sides[1] * sides[2];
  if (service === 'EXPRESS') return Math.max(actual, Math.ceil(volume / 139));
  if (volume <= 1_000) return actual;
  return Math.max(actual, Math.ceil(volume / (volume > 3_456 ? 139 : 166)));
};

/** What is charged in addition to the base of a package, except fuel. */
const besideOf = (line: Line, item: Line['packages'][number]): number => {
  const { billing, day } = line;
  const isLong = item.sides !== undefined && item.sides[0] > 48;
  const off = poundsOf(line, item) <= 30 ? 600 : isTierB(day) ? 375 : 0;
  return (!isLong || billing === 'return' ? 0 : 1_500 - off) + homeOf(line);
};

/** The packages one by one in cents, by the contract. */
const eachOf = (line: Line): number => {
  const { service, zone, packages } = line;
  let total = 125;
  for (const item of packages) {
    const lb = poundsOf(line, item);
    const isNear = zone === 2;
    const base =
      service === 'GROUND'
        ? (isNear ? 1_000 : 1_500) + (isNear ? 55 : 95) * (lb - 1)
        : (isNear ? 2_500 : 3_900) + (isNear ? 210 : 330) * (lb - 1);
    let net = base - share(base, rateOf(line, lb));
    if (service === 'GROUND' && lb >= 50) net -= 150;
    if (service === 'EXPRESS' && lb <= 20)
      net = Math.min(net, share((isNear ? 1_500 : 2_300) + (isNear ? 120 : 190) * (lb - 1), 10_500));
    net = Math.max(net, Math.min(base, minimumOf(line)));
    const subject = net + besideOf(line, item);
    total += subject + share(subject, fuelOf(line));
  }
  return total;
};

const sum = (all: readonly number[]): number => all.reduce((before, one) => before + one, 0);

/** The pounds of all packages together: weights are added up before they are rounded, and so are volumes of one divisor. */
const togetherOf = ({ service, packages }: Line): number => {
  const volumes = packages.flatMap(({ sides }) => (sides === undefined ? [] : [sides[0] * sides[1] * sides[2]]));
  const over = (own: readonly number[], divisor: number) => Math.ceil(sum(own) / divisor);
  const actual = Math.ceil(sum(packages.map(({ tenths }) => tenths)) / 10);
  if (service === 'EXPRESS') return Math.max(actual, over(volumes, 139));
  const small = volumes.filter((volume) => volume > 1_000 && volume <= 3_456);
  const large = volumes.filter((volume) => volume > 3_456);
  return Math.max(actual, over(small, 166) + over(large, 139));
};

/** The shipment as a whole in cents, by the contract's own tables; undefined where they have no price. */
const wholeOf = (line: Line): number | undefined => {
  const { service, zone, billing, packages } = line;
  const lb = togetherOf(line);
  if (packages.length === 1 || lb < (service === 'GROUND' ? 60 : 50)) return undefined;
  if (service === 'EXPRESS' && zone === 2) return undefined;
  const rated = Math.max(lb, packages.length * (service === 'GROUND' ? 40 : 15));
  const isNear = zone === 2;
  // Dollars of a hundred pounds: hundredths of a percent of 100.
  const hundred = rated < 120 ? (isNear ? 4_815 : 7_840) : isNear ? 4_255 : 7_115;
  const base = service === 'EXPRESS' ? 198 * rated : share(rated * 100, hundred);
  const net = service === 'GROUND' && billing === 'return' ? base - share(base, 500) : base;
  const subject = net + sum(packages.map((item) => besideOf(line, item)));
  return 125 + subject + share(subject, fuelOf(line));
};

/** The total in cents, by the contract: the cheaper of both ways. */
const totalOf = (line: Line): number => Math.min(eachOf(line), wholeOf(line) ?? Number.POSITIVE_INFINITY);

test('200 shipments cost what the contract says', () => {
  const schedule = scheduleOf([PAPER_TARIFF]);
  const shipper = shipperOf(PAPER);
  const lines = made(200);
  const rated = lines.map((line) => {
    const { service, zone, day, billing, residential, packages } = line;
    const shipment = shipmentOf({
      ...{ to: zone === 2 ? '02139' : '90001', residential, options: { billing } },
      packages: packages.map(({ tenths, sides }) => ({ lb: tenths / 10, ...(sides && { inches: sides }) })),
    });
    const outcome = rateShipment({ ...shipment, shippingService: service }, schedule.bookOn(day), shipper);
    return outcome instanceof Failed ? outcome.fault : outcome.prices[0]?.netCents;
  });
  expect(rated).toEqual(lines.map(totalOf));
  // Each kind of line is among them.
  expect(new Set(lines.map(({ billing }) => billing)).size).toBe(4);
  expect(lines.filter(({ packages }) => packages.length > 1).length).toBeGreaterThan(20);
  const together = lines.filter((line) => (wholeOf(line) ?? Number.POSITIVE_INFINITY) < eachOf(line));
  const kinds = together.map(
    ({ service, zone, billing }) => `${service} ${zone}${billing === 'return' ? ' return' : ''}`,
  );
  expect([together.length, [...new Set(kinds)].sort()]).toEqual([
    28,
    ['EXPRESS 8', 'EXPRESS 8 return', 'GROUND 2', 'GROUND 2 return', 'GROUND 8', 'GROUND 8 return'],
  ]);
});

test('the checks ask about the lines that a person should look at again, and find no error', () => {
  const findings = checked(PAPER, PAPER_TARIFF);
  expect(findings.filter((finding) => finding.startsWith('error'))).toEqual([]);
  expect(findings.filter((finding) => !finding.includes('minimum charges limit'))).toEqual([
    'warning discounts.csv row 14 column percent: raises the base by 1.25%: is this what the contract says?',
    "warning caps/EXPRESS.csv: ends at 20 lb, but the tariff's rates at 150 lb: heavier packages have no cap. Add the rows, unless this is right",
    'warning multiweight/EXPRESS.csv: has no column 2: packages to it are priced one by one. Add the column, unless this is right',
    'warning surcharges.csv row 3 column value: the value is above 5.55, the list price of RESIDENTIAL for EXPRESS: 6.00 is charged. Is this what the contract says?',
    'warning surcharges.csv row 11 column surcharge: the services of this row have no surcharge ADDRESS_CORRECTION, so the row changes no price. They have FUEL, HANDLING, PICKUP, RESIDENTIAL',
    'warning fuel_prices.csv row 5: has no price of jet after 2026-03-08, so the last one still applies: add the weeks since',
  ]);
});

test('an operator may upload each file of an agreement', () => {
  const upload = (path: string) =>
    uploadedAgreement.shape.files.safeParse([
      { path, text: '' },
      { path: `amendments/2026-07-01/${path}`, text: '' },
    ]);
  expect(LINE_TABLES.map((table) => upload(`${table}.csv`).success)).toEqual(LINE_TABLES.map(() => true));
  expect(CODE_TABLES.map((table) => upload(`${table}/UPS-GROUND.csv`).success)).toEqual([true, true, true]);
  expect(upload('fuel_rates.csv').success).toBe(false);
});
