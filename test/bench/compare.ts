/**
 * What comparisons cost: rating a list in two and in eight scenarios over rating it once as a batch, on the same rows. The
 * product's modules come from `dist`, because tsx adds code to functions.
 */
import { join } from 'node:path';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import type { Scenario } from '../../src/lists/comparison/scenario.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { madeAgreement } from './made-agreements.ts';
import { median } from './median.ts';
import { shipments } from './shipments.ts';

const built = async <T>(path: string): Promise<T> => await import(join(import.meta.dirname, '../../dist/src', path));

const modules = async () => ({
  ...(await built<typeof import('../../src/catalog/agreement/account.ts')>('catalog/agreement/account.js')),
  ...(await built<typeof import('../../src/lists/comparison/compare-rows.ts')>('lists/comparison/compare-rows.js')),
  ...(await built<typeof import('../../src/lists/comparison/resolve.ts')>('lists/comparison/resolve.js')),
  ...(await built<typeof import('../../src/lists/comparison/side.ts')>('lists/comparison/side.js')),
  ...(await built<typeof import('../../src/files/csv/byte-writer.ts')>('files/csv/byte-writer.js')),
  ...(await built<typeof import('../../src/lists/columns/header.ts')>('lists/columns/header.js')),
  ...(await built<typeof import('../../src/lists/rows/rate-rows.ts')>('lists/rows/rate-rows.js')),
  ...(await built<typeof import('../../src/catalog/tariff/schedule.ts')>('catalog/tariff/schedule.js')),
});
type Modules = Awaited<ReturnType<typeof modules>>;

const INSTANT = new Date('2026-06-01T12:00:00Z');
const CHUNK_ROWS = 5_000;
const CHUNKS = 2;
const ROUNDS = 10;
const WARM_UP = 3;

/** Next year's list: all rates 5% higher. */
const nextYear = (document: TariffDocument): TariffDocument => ({
  ...document,
  file: { ...document.file, name: 'next-year', effective: '2027-01-04', fallback: false },
  rates: Object.fromEntries(
    Object.entries(document.rates).map(([code, table]) => [
      code,
      {
        ...table,
        cents: table.cents.map((row) => row.map((cell) => (cell === null ? null : Math.round(cell * 1.05)))),
      },
    ]),
  ),
});

/** This year's list with a fuel surcharge, if it has none. */
const withFuel = (document: TariffDocument): TariffDocument => {
  const { file } = document;
  if (file.surcharges.some(({ type }) => type.startsWith('FUEL'))) return document;
  const fuel = {
    ...{ type: 'FUEL', description: 'Fuel', when: {} },
    amount: { per: 'percent' as const, rate: '18.50', of: ['BASE', 'RESIDENTIAL'] },
  };
  return { ...document, file: { ...file, surcharges: [...file.surcharges, fuel] } };
};

/** What people ask, by what the services are called. */
const mixesOf = (
  codes: readonly string[],
  carriers: readonly string[],
): Readonly<Record<string, readonly Scenario[]>> => {
  const [ground = ''] = codes;
  const other = codes.at(-1) ?? '';
  const [carrier = ''] = carriers;
  const next: Scenario = { name: 'next year', tariff: 'next-year' };
  const toGround: Scenario = { name: 'all to ground', service: ground };
  const eight: Scenario[] = [
    next,
    toGround,
    { name: 'each to its cheapest', service: 'cheapest' },
    { name: 'a draft', agreement: 'draft' },
    { name: 'another warehouse', warehouse: 102 },
    { name: 'a divisor', dimensionalFactor: 194 },
    { name: 'fuel', fuel: 21 },
    { name: 'one carrier', carrier },
  ];
  return {
    'two: next year, all to ground': [next, toGround],
    'two: next year, a draft agreement': [next, { name: 'a draft', agreement: 'draft' }],
    'two: another warehouse, fuel': [eight[4] ?? next, eight[6] ?? next],
    'two: one carrier, discounts': [
      { name: 'one carrier', carrier },
      { name: 'off', discounts: { [other]: 30, [ground]: 20 } },
    ],
    'eight: one of each kind': eight,
    'eight: four tariffs and agreements, four warehouses and fuel': [
      next,
      { ...next, name: 'next year, draft', agreement: 'draft' },
      { ...next, name: 'next year, ground', service: ground },
      { name: 'draft', agreement: 'draft' },
      { name: '102', warehouse: 102 },
      { name: '103', warehouse: 103 },
      { name: '101', warehouse: 101 },
      { name: 'fuel', fuel: 21 },
    ],
  };
};

/** The processor's time in milliseconds: other programs on the machine count less in it. */
const msOf = (run: () => void): number => {
  const begun = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
};

export interface CompareCost {
  readonly mix: string;
  /** Of best rounds, and the median of all. */
  readonly best: number;
  readonly median: number;
}

/** A list whose rows name a service each second time, as checkouts do. */
const listOf = (codes: readonly string[], rows: number, named: boolean): Buffer =>
  Buffer.from(
    [...shipments(rows)]
      .join('')
      .split('\n')
      .map((line, at) => {
        if (!named || at === 0 || at % 2 === 0 || line === '') return line;
        const cells = line.split(',');
        cells[7] ||= codes[at % codes.length] ?? '';
        return cells.join(',');
      })
      .join('\n'),
  );

const runsOf = (own: Modules, tariffs: Schedule, shipper: Shipper, list: Buffer) => {
  const { createRater, createComparer, readHeader, baseSide, scenarioSide, resolveScenarios, scheduleOf } = own;
  const head = readHeader(list, true, {}, 2 ** 20);
  if (head === 'more' || 'problems' in head) throw new Error('the list has no header');
  const { columns, bodyStart } = head;
  const body = list.subarray(bodyStart);
  const documents = tariffs.documents.map(withFuel);
  const [first] = documents;
  if (first === undefined) throw new Error('there is no tariff');
  const schedule = scheduleOf(documents);
  const base = { schedule, shipper, instant: INSTANT };
  const side = baseSide(base);
  const chunk = { output: new own.ByteWriter(body.length * 2), faults: new own.ByteWriter(1_000) };
  const compared = new own.ByteWriter(body.length * 4);
  const plain = (): void => {
    for (let time = 0; time < CHUNKS; time += 1) {
      chunk.output.clear();
      chunk.faults.clear();
      const rater = createRater(body, 1, { columns, shipper, bookOn: side.bookOn, maximumRowBytes: 2 ** 20 }, chunk);
      while (rater.step(1_000));
      if (rater.result().tally.processed !== CHUNK_ROWS) throw new Error('rows are missing');
    }
  };
  const agreement = madeAgreement(first, first.file.services[0]?.carrier ?? '', 7, { discounts: 30, surcharges: 10 });
  const sources = {
    ...{ base: schedule, schedule: scheduleOf([...documents, nextYear(first)]), warehouses: shipper.warehouses },
    ...{ agreement: () => agreement, agreements: ['draft'] },
  };
  const compare = (scenarios: readonly Scenario[]): (() => void) => {
    const { scenarios: resolved, issues } = resolveScenarios(scenarios, sources);
    if (issues.length > 0) throw new Error(JSON.stringify(issues));
    const sides = resolved.map((one) => scenarioSide(base, one));
    const context = { columns, keepFormulas: false, maximumRowBytes: 2 ** 20, scenarios, base: side, sides };
    return () => {
      for (let time = 0; time < CHUNKS; time += 1) {
        compared.clear();
        const comparer = createComparer(body, 1, context, compared);
        while (comparer.step(1_000));
        if (comparer.result().tally.processed !== CHUNK_ROWS) throw new Error('rows are missing');
      }
    };
  };
  const book = side.bookOn(undefined);
  const codes = book.cards.map(({ code }) => code);
  const carriers = [...new Set(book.cards.map(({ carrier }) => carrier))];
  return { plain, compare, mixes: mixesOf(codes, carriers) };
};

/**
 * The cost of each mix of scenarios, over the list as a batch.
 * @param named whether every second row names a service
 */
export const compareCosts = async (
  tariffs: Schedule,
  { warehouses }: Shipper,
  named: boolean,
): Promise<readonly CompareCost[]> => {
  const own = await modules();
  const shipper: Shipper = { warehouses, account: own.accountOf({ discounts: new Map(), agreements: [] }) };
  const codes = tariffs.bookOn('2026-06-01').cards.map(({ code }) => code);
  const { plain, compare, mixes } = runsOf(own, tariffs, shipper, listOf(codes, CHUNK_ROWS, named));
  return Object.entries(mixes).map(([mix, scenarios]): CompareCost => {
    const run = compare(scenarios);
    const plains: number[] = [];
    const compares: number[] = [];
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      // In alternating order, so that other load of the machine affects both.
      const first = msOf(round % 2 === 0 ? plain : run);
      const second = msOf(round % 2 === 0 ? run : plain);
      if (round < WARM_UP) continue;
      plains.push(round % 2 === 0 ? first : second);
      compares.push(round % 2 === 0 ? second : first);
    }
    return {
      ...{ mix, best: Math.min(...compares) / Math.min(...plains) },
      median: median(compares.map((ms, at) => ms / (plains[at] ?? Number.NaN))),
    };
  });
};
