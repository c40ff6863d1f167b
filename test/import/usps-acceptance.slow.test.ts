/**
 * USPS's files against totals that were worked out by hand; the arithmetic stands beside each. The files are not part of
 * the project: without them, these tests are skipped. `USPS_FILES` names their folder.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Schedule, scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { type Imported, runImport } from '../../src/import/run.ts';
import { quoteOutcome } from '../../src/rating/quote.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';

const folder = process.env['USPS_FILES'] ?? join(import.meta.dirname, '../../../shared/usps-files');
const present = existsSync(folder);
if (!present) process.stderr.write(`USPS acceptance tests are skipped: no files in ${folder}\n`);

const ORIGINS = ['85001', '60601', '10001'];

interface Total {
  readonly service: string;
  readonly origin: string;
  readonly destination: string;
  readonly weight_lb: string;
  readonly dimensions: string;
  readonly ship_date: string;
  readonly zone: string;
  readonly billed_lb: string;
  readonly total: string;
  readonly lacks: string;
}

const TOTALS: readonly Total[] = parse(readFileSync(join(import.meta.dirname, 'fixtures/usps-totals.csv')), {
  columns: true,
});

describe.skipIf(!present)("USPS's files", () => {
  let imported: Imported;
  let schedule: Schedule;

  beforeAll(async () => {
    const names = readdirSync(folder).filter((name) => !name.endsWith('.md'));
    const outcome = await runImport({
      files: names.map((name) => ({ path: join(folder, name) })),
      name: 'usps',
      effective: '2026-07-12',
      services: [],
      layers: undefined,
      origins: ORIGINS.map((zip5) => ({ zip5, label: `warehouse in ${zip5}` })),
    });
    if (!('report' in outcome) || outcome.document === undefined) throw new Error(JSON.stringify(outcome));
    imported = outcome;
    schedule = scheduleOf([outcome.document]);
  });

  const quoted = ({ service, origin, destination, weight_lb, dimensions, ship_date }: Total) => {
    const [length, width, height] = dimensions.split('x').map(Number);
    const sides = dimensions === '' ? {} : { dimensions: { units: 'IN', length, width, height } };
    const rates = {
      shippingService: service,
      shipper: { warehouse_id: 1 },
      recipient: { address: { postalCode: destination } },
      packageItems: [{ weight: { units: 'LB', value: Number(weight_lb) }, ...sides }],
      shipDate: ship_date,
    };
    const warehouse = { id: 1, name: 'One', postalCode: origin, stateOrProvinceCode: 'AZ', countryCode: 'US' };
    const shipper = { warehouses: new Map([[1, warehouse]]), account: LIST_PRICES };
    return quoteOutcome({ rates }, shipper, schedule, new Date('2026-08-01T12:00:00Z'), true);
  };

  test('are read without a doubt, and the old matrix is pointed out', () => {
    expect([imported.doubts, imported.errors]).toEqual([0, 0]);
    expect(imported.report.assembly.warnings.join('\n')).toContain(
      'national_zone_matrix_2024-04-01.txt is a zone chart from 2024-04-01, for rates from 2026-07-12',
    );
  });

  test.each(TOTALS.map((total, at) => [at + 2, total] as const))('line %i', (_, total) => {
    const { status, body } = quoted(total);
    if (total.total === '') {
      const type =
        total.zone === 'A' || total.zone === '0' ? 'getRates.noDeliveryCoverage' : 'getRates.weightNotServed';
      expect(body).toMatchObject({ code: 422, fault: { type } });
      return;
    }
    expect(body).toMatchObject({
      status,
      totalNetCharge: Number(total.total),
      shipmentDetail: { carrierZone: total.zone, totalBillingWeight: { value: Number(total.billed_lb) } },
      explanation: { zone: { chart: 'usps', chartDate: '2024-04-01' } },
    });
    const warnings = 'warnings' in body ? (body.warnings ?? []) : [];
    const missing = warnings.map(({ arguments: args }) => args['missing']);
    expect(missing).toEqual(total.lacks === '' ? [] : [[total.lacks]]);
  });

  test('have more than 150 totals, in each zone from 1 to 9', () => {
    const priced = TOTALS.filter(({ total }) => total !== '');
    expect(priced.length).toBeGreaterThan(150);
    expect(new Set(priced.map(({ zone }) => zone)).size).toBe(9);
  });
});
