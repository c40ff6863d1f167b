/**
 * Charts whose zones do not fit their origin, among the carriers' own charts. The files are not part of the project: without
 * them, these tests are skipped. `CARRIER_FILES` names their folder.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { misplacedCharts } from '../../src/import/merge/carrier-zones.ts';
import type { SourceChart } from '../../src/import/merge/charts.ts';
import { readSource } from '../../src/import/source.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../shared/carrier-files');
const folders = ['fedex-zone-charts', 'ups-zone-charts'].map((name) => join(folder, name));
const present = folders.every((dir) => existsSync(dir));
if (!present) process.stderr.write(`Tests of genuine charts are skipped: no files in ${folder}\n`);

describe.skipIf(!present)('of the carriers’ own charts', () => {
  const charts: SourceChart[] = [];
  beforeAll(async () => {
    for (const dir of folders)
      for (const file of readdirSync(dir)) {
        const { reading } = await readSource(join(dir, file), file.endsWith('.csv') ? { origin: '850' } : {});
        charts.push(...reading.charts.map((chart) => ({ file, reading: chart })));
      }
  }, 600_000);

  test('none is misplaced', () => {
    expect(charts.length).toBeGreaterThan(10);
    expect(misplacedCharts(charts)).toEqual({ contradictions: [], warnings: [] });
  });

  test('each is found under an origin that is far from its own', () => {
    // A chart of the far places alone says nothing about distances.
    const whole = charts.filter(({ reading }) => reading.chart.rows.length > 100);
    expect(whole.length).toBeGreaterThan(10);
    for (const { file, reading } of whole) {
      const origin = reading.origin.startsWith('9') ? '606' : '980';
      const moved = { file, reading: { ...reading, origin } };
      expect(misplacedCharts([moved]).warnings.length).toBe(reading.statesOrigin === true ? 1 : 0);
      const { statesOrigin: _, ...typed } = moved.reading;
      expect(misplacedCharts([{ file, reading: typed }]).contradictions).toEqual([
        expect.stringContaining(`${file}: `),
      ]);
    }
  });
});
