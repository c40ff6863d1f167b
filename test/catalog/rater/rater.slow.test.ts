/** The library answers as the service does, from folders and from compiled tariffs. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountOf } from '../../../src/catalog/agreement/account.ts';
import { readAgreementFolder } from '../../../src/catalog/agreement/folder.ts';
import { compiledText } from '../../../src/catalog/rater/core.ts';
import { createRater, type Rater, type RaterWarehouse } from '../../../src/catalog/rater/rater.ts';
import { UPS_CALENDAR, weekdays } from '../../../src/import/read/carrier.ts';
import { ratesHere } from '../../cli/in-process.ts';
import { ROOT } from '../../cli/rates.ts';
import { folderForFile } from '../../folder.ts';
import { sampleClients, startApi } from '../../http/api.ts';
import { examplesOf } from '../../http/client/examples.ts';
import { smallTariff } from '../tariff/small-tariff.ts';
import { requests } from './requests.ts';

const TARIFFS = join(ROOT, 'samples', 'tariffs');
const AGREEMENT = join(ROOT, 'samples', 'agreements', 'sample-c1');
const AT_A_TIME = 50;
const WAREHOUSE = { id: 1, postalCode: '07001' };
const NOW = new Date('2026-06-01T12:00:00Z');

let dir: string;
let warehouses: RaterWarehouse[];
let compiled: Buffer;
let api: Awaited<ReturnType<typeof startApi>>;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  const clients = new Map(await sampleClients());
  const demo = clients.get('demo');
  const read = await readAgreementFolder(AGREEMENT);
  if (demo === undefined || !('document' in read)) throw new Error('the samples cannot be read');
  warehouses = [...demo.warehouses.values()].filter(({ countryCode }) => countryCode === 'US');
  const account = accountOf({ discounts: new Map(), agreements: [{ document: read.document }] });
  clients.set('demo', { ...demo, account });
  api = await startApi({ clients: { current: () => clients }, now: () => NOW });
  const file = join(dir, 'samples.rates');
  const { code, stderr } = await ratesHere(['tariff', 'compile', TARIFFS, '-o', file]);
  expect([code, stderr]).toEqual([0, '']);
  compiled = await readFile(file);
});
afterAll(() => api.close());

const raterOf = (tariffs: readonly (string | Uint8Array)[]): Promise<Rater> =>
  createRater({ tariffs, agreements: [AGREEMENT], warehouses });

test('shipments of all kinds have the answers of the service', async () => {
  const [fromFolders, fromFile] = await Promise.all([raterOf([TARIFFS]), raterOf([compiled])]);
  const statuses = new Map<number, number>();
  const all = requests(2_000);
  for (let at = 0; at < all.length; at += AT_A_TIME) {
    const some = all.slice(at, at + AT_A_TIME);
    // An explanation takes ten times as long as a quote.
    const explain = at % (10 * AT_A_TIME) === 0;
    const answers = await Promise.all(some.map((request) => api.quote(request, explain ? '?explain=true' : '')));
    for (const [index, { status, body }] of answers.entries()) {
      const expected = JSON.stringify({ status, body });
      for (const rater of [fromFolders, fromFile])
        expect(JSON.stringify(rater.rate(some[index], { now: NOW, explain }))).toBe(expected);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  expect([...statuses.keys()].sort()).toEqual([200, 422]);
  expect(Math.min(...statuses.values())).toBeGreaterThan(200);
}, 120_000);

test('a package leaves on the days and until the hour of its warehouse', async () => {
  const file = { calendars: { UPS: UPS_CALENDAR } };
  const tariff = smallTariff({ file, service: { carrier: 'UPS', transit: weekdays(1) } });
  const tariffs = [gzipSync(compiledText([tariff], []))];
  const request = {
    rates: {
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '10001' } },
      packageItems: [{ weight: { units: 'LB', value: 2 } }],
    },
  };
  const arrives = async (shipping?: RaterWarehouse['shipping']) => {
    const { rate } = await createRater({ tariffs, warehouses: [{ id: 101, postalCode: '07001', shipping }] });
    return rate(request, { now: NOW }).body;
  };
  expect(await arrives()).toMatchObject({ deliveryDate: '2026-06-02' });
  // It is 08:00 on a Monday.
  const shipping = { days: ['MON', 'THU'], cutoff: '07:00', timeZone: 'America/New_York' } as const;
  expect(await arrives(shipping)).toMatchObject({ deliveryDate: '2026-06-05' });
});

describe('what cannot be used is refused with its place:', () => {
  const rater = (tariffs: readonly (string | Uint8Array)[], more = {}) =>
    createRater({ tariffs, warehouses: [WAREHOUSE], ...more });

  test('a tariff with an error', async () => {
    const broken = join(dir, 'broken');
    await cp(join(TARIFFS, 'reference'), broken, { recursive: true });
    await writeFile(join(broken, 'rates', 'C1-GROUND.csv'), 'weight_lb,2\n1,x\n');
    await expect(rater([broken])).rejects.toThrow(/^The tariffs cannot be used:\n {2}broken\/rates\/C1-GROUND\.csv/);
  });

  test.each([
    ['no tariff', () => [], 'There is no tariff'],
    ['bytes that are not compiled tariffs', () => [Buffer.from('hello')], 'not a file of compiled tariffs'],
    ['a compiled file that was cut off', () => [compiled.subarray(0, -20)], 'not a file of compiled tariffs'],
  ])('%s', async (_what, tariffs, message) => {
    await expect(rater(tariffs())).rejects.toThrow(message);
  });

  test.each([
    [
      'without a ZIP code',
      [{ id: 7, postalCode: 'Newark' }],
      'warehouses[0].postalCode must be a ZIP code such as 07001.',
    ],
    ['with the id of another', [WAREHOUSE, { ...WAREHOUSE, postalCode: '60601' }], 'warehouses has an id twice.'],
    ['without a time zone', [{ ...WAREHOUSE, shipping: {} }], 'warehouses[0].shipping.timeZone is required.'],
    ['that is missing', undefined, 'warehouses is required.'],
  ])('a warehouse %s', async (_what, warehouses, message) => {
    await expect(rater([TARIFFS], { warehouses })).rejects.toThrow(message);
  });

  test.each([
    ['a wrong name, instead of list prices', { agreement: [AGREEMENT] }, 'agreement is unknown'],
    ['one folder that is not in a list', { agreements: AGREEMENT }, 'agreements must be an array.'],
    ['no list of tariffs', { tariffs: TARIFFS }, 'tariffs must be an array.'],
    ['an ArrayBuffer', { tariffs: [new ArrayBuffer(8)] }, 'tariffs[0] must be a folder, or the bytes of a file'],
  ])('an option: %s', async (_what, more, message) => {
    await expect(rater([TARIFFS], more)).rejects.toThrow(message);
  });

  test('a time that is no time', async () => {
    const { rate } = await rater([TARIFFS]);
    expect(() => rate({}, { now: new Date('x') })).toThrow('now must be a valid date.');
  });

  test('a folder without an agreement, instead of list prices', async () => {
    const lost = join(dir, 'agreements');
    await cp(AGREEMENT, join(lost, 'acme'), { recursive: true });
    await rm(join(lost, 'acme', 'agreement.json'));
    await expect(rater([TARIFFS], { agreements: [lost] })).rejects.toThrow(`${lost} contains no agreement.`);
    const { code, stderr } = await ratesHere([
      'tariff',
      'compile',
      TARIFFS,
      '--agreement',
      lost,
      '-o',
      join(dir, 'none.rates'),
    ]);
    expect([code, stderr]).toEqual([1, `${lost} contains no agreement.\n`]);
  });

  test('a folder that does not exist', async () => {
    await expect(rater([join(dir, 'nowhere')])).rejects.toThrow('ENOENT');
  });
});

test('each example of the library in its page runs as it stands', async () => {
  const examples = await examplesOf('shipping-rates');
  expect(examples.length).toBeGreaterThan(1);
  await mkdir(join(dir, 'node_modules'));
  await symlink(ROOT, join(dir, 'node_modules', 'shipping-rates'));
  await cp(join(ROOT, 'samples'), join(dir, 'samples'), { recursive: true });
  await writeFile(join(dir, '2026.rates'), compiled);
  for (const { code, output } of examples) {
    await writeFile(join(dir, 'example.mjs'), code);
    const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: dir });
    expect(stdout).toBe(output);
  }
});
