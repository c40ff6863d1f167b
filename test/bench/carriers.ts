/** The tariff of both carriers, imported from their files as an operator does. Absent if the files are. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { type Schedule, scheduleOf } from '../../src/catalog/tariff/schedule.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = join(ROOT, '../shared/carrier-files');
const CHARGES = [
  'FedEx_Surcharge_and_Fee_Changes_2026.pdf',
  'FedEx_Service_Guide_2026.pdf',
  'FedEx_DAS_ZIP_codes_2025-06-02.txt',
  'UPS_other_charges_2026.csv',
  'UPS_area_surcharge_ZIPs_2026.csv',
  'fuel_surcharges_2026.csv',
].map((file) => join(ROOT, '../shared/carrier-charges', file));

export interface Imported {
  readonly schedule: Schedule;
  readonly readMs: number;
  readonly compileMs: number;
  readonly heapMb: number;
}

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(dir, entry.name)) : [join(dir, entry.name)],
  );

const usedMb = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};

export const importedSchedule = async (): Promise<Imported | undefined> => {
  if (!existsSync(FILES)) return undefined;
  const dir = await mkdtemp(join(tmpdir(), 'rates-carriers-'));
  const into = join(dir, 'carriers');
  try {
    const args = [
      'tariff',
      'import',
      ...filesBelow(FILES),
      ...CHARGES.filter((file) => existsSync(file)),
      '--into',
      into,
      '--effective',
      '2026-01-05',
      '--origin',
      `${join(FILES, 'fedex-zone-charts', 'Phoenix-850.csv')}=850`,
    ];
    await promisify(execFile)(process.execPath, [join(ROOT, 'dist/bundle/cli/main.js'), ...args]);
    const before = usedMb();
    const begun = performance.now();
    const read = await readTariffFolder(into);
    const readAt = performance.now();
    if (!('document' in read)) throw new Error('the imported tariff cannot be read');
    const schedule = scheduleOf([read.document]);
    schedule.bookOn('2026-06-01');
    const compiledAt = performance.now();
    return {
      schedule,
      readMs: Math.round(readAt - begun),
      compileMs: Math.round(compiledAt - readAt),
      heapMb: Math.round(usedMb() - before),
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};
