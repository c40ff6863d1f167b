/** A comparison on the carriers' genuine tariffs equals separate lists, field by field. Skipped without their files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import type { Scenario } from '../../../src/lists/comparison/scenario.ts';
import { ABSENT, importGenuine } from '../../acceptance/fixtures/genuine-tariff.ts';
import { demoShipper } from '../rows/fixtures.ts';
import { columnNames, comparedIn, rowsOf, saidBy } from './fixtures.ts';
import { listOf, madeRow, madeScenario, randomFrom } from './made.ts';
import { ratedAsItIs, ratedSeparately, type World } from './separately.ts';

if (ABSENT.length > 0) process.stderr.write(`Comparisons on genuine tariffs are not tested: no ${ABSENT.join(', ')}\n`);

const FIELDS = ['net', 'service', 'zone', 'carrierZone', 'weight', 'warnings', 'fault'] as const;

describe.skipIf(ABSENT.length > 0)('genuine tariffs', () => {
  let dir: string;
  let schedule: Schedule;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genuine-comparison-'));
    schedule = await importGenuine(join(dir, 'both-2026'));
  }, 600_000);
  afterAll(() => rm(dir, { recursive: true }));

  test('1,000 random rows in eight random scenarios equal separate lists', () => {
    const world: World = {
      ...{ tariffs: schedule.documents, named: new Map(), agreements: new Map(), own: [] },
      ...{ warehouses: demoShipper.warehouses, instant: new Date('2026-06-01T12:00:00Z') },
    };
    const services = schedule.documents.flatMap(({ file }) => file.services.map(({ code }) => code));
    const carriers = [...new Set(schedule.documents.flatMap(({ file }) => file.services.map((one) => one.carrier)))];
    const random = randomFrom(5);
    const rows = Array.from({ length: 1_000 }, (_, at) => madeRow(random, services, at));
    const named = { services, tariffs: schedule.ids, agreements: ['none'], carriers };
    const scenarios: Scenario[] = Array.from({ length: 8 }, () => {
      const { tariff: _, ...rest } = madeScenario(random, named);
      return rest;
    });
    const own = rowsOf(comparedIn(world, listOf(rows), scenarios).text);
    expect(saidBy(own, 'base')).toMatchObject(ratedAsItIs(world, rows));
    let priced = 0;
    for (const [at, name] of columnNames(scenarios).entries()) {
      const scenario = scenarios[at] ?? {};
      const said = saidBy(own, name);
      const expected = ratedSeparately(world, scenario, rows);
      priced += expected.filter(({ net }) => net !== '').length;
      const other = expected.findIndex((row, index) => FIELDS.some((field) => row[field] !== said[index]?.[field]));
      expect({ scenario, row: rows[other], ...said[other] }).toMatchObject({ ...expected[other] });
    }
    // A scenario may be on a day without a tariff.
    expect(priced).toBeGreaterThan(1_000);
  }, 600_000);
});
