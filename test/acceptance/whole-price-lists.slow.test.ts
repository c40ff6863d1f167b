/**
 * The shipments of the worked bills as lists for `rates run`. The columns that it adds are, byte for byte, what the
 * single calls answer. Whether those are the bills is the matter of `whole-price.slow.test.ts`.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteOutcome } from '../../src/rating/quote.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import type { Schedule } from '../../src/tariff/schedule.ts';
import { ratesHere } from '../cli/in-process.ts';
import { ADDED, addedBy, asInRow, FULL, isPlain, PLAIN } from './fixtures/case-rows.ts';
import { FEDEX_TOTALS } from './fixtures/fedex-totals.ts';
import { ABSENT, bodyOf, importGenuine, warehousesOf } from './fixtures/genuine-tariff.ts';
import { UPS_TOTALS } from './fixtures/ups-totals.ts';

if (ABSENT.length > 0) process.stderr.write(`Lists of whole prices are not compared: no ${ABSENT.join(', ')}\n`);

const CLIENTS = join(import.meta.dirname, '../../samples/clients.json');
const CASES = [...FEDEX_TOTALS, ...UPS_TOTALS].map((worked) => asInRow(worked));

describe.skipIf(ABSENT.length > 0)('a list and single calls', () => {
  let dir: string;
  let schedule: Schedule;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'whole-price-lists-'));
    await mkdir(join(dir, 'tariffs'));
    schedule = await importGenuine(join(dir, 'tariffs', 'both-2026'));
    const { clients } = JSON.parse(await readFile(CLIENTS, 'utf8'));
    const warehouses = [...warehousesOf(CASES).values()].map(({ id, name, ...address }) => ({
      ...{ warehouse_id: id, name, address },
    }));
    await writeFile(join(dir, 'clients.json'), JSON.stringify({ clients: [{ ...clients[0], warehouses }] }));
  }, 600_000);
  afterAll(() => rm(dir, { recursive: true }));

  const lists = [
    { name: 'of all shipments', cases: CASES, cells: FULL },
    { name: 'of single packages without dimensions and options', cases: CASES.filter(isPlain), cells: PLAIN },
  ];
  test.each(lists)('$name agree byte for byte', async ({ name, cases, cells }) => {
    const [list, output] = [join(dir, `${name}.csv`), join(dir, `${name}-rated.csv`)];
    const rows = cases.map((worked) => cells.map(([, of]) => of(worked)));
    await writeFile(list, stringify([cells.map(([column]) => column), ...rows]));
    const env = { TARIFFS_DIR: join(dir, 'tariffs'), CLIENTS_FILE: join(dir, 'clients.json'), DATA_DIR: dir };
    const ran = await ratesHere(['run', list, '-o', output], { env });
    expect(ran, ran.stderr).toMatchObject({ code: 4 });
    const shipper = { warehouses: warehousesOf(cases), account: LIST_PRICES };
    const expected = cases.map((worked, at) => {
      const answer = quoteOutcome(bodyOf(worked), shipper, schedule, new Date('2026-06-15T16:00:00Z'));
      return stringify([[...(rows[at] ?? []), String(at + 1), ...addedBy(answer)]]).trimEnd();
    });
    const [header, ...lines] = (await readFile(output, 'utf8')).trimEnd().split('\n');
    expect(header).toBe([...cells.map(([column]) => column), ...ADDED].join(','));
    // One difference at a time is readable.
    for (const [at, line] of lines.entries())
      expect(`${cases[at]?.name}\n${line}`).toBe(`${cases[at]?.name}\n${expected[at]}`);
    expect(lines).toHaveLength(cases.length);
  });
});
