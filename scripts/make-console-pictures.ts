/**
 * Makes `samples/console.png`, the README's picture of a finished batch. Starts the built service, uploads a list, and takes
 * the picture in Chromium when the batch is completed.
 *
 *   npm run build && npx tsx scripts/make-console-pictures.ts
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startChromium } from '../test/console/chromium.ts';

const ROOT = join(import.meta.dirname, '..');
const PICTURE = join(ROOT, 'samples', 'console.png');
const MOST_BYTES = 200_000;
const START_MS = 60_000;
const RUN_MS = 600_000;

/** Starts the service on a free port with its own folder. @returns its address, and a function that stops it */
const startService = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rates-pictures-'));
  const service = spawn(process.execPath, [join(ROOT, 'dist', 'src', 'cli', 'main.js'), 'serve'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`The service did not start: ${said}`)), START_MS);
    service.stdout.on('data', (piece: Buffer) => {
      said += piece.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  const stop = async (): Promise<void> => {
    service.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, stop };
};

const uploadList = async (page: Page): Promise<void> => {
  const { request } = page.context();
  const session = await request.post('/console/session', {
    data: { client_id: 'demo', client_secret: 'demo-secret' },
  });
  const { csrf } = await session.json();
  const created = await request.post('/console/v1/client/shipment/rates/batches?filename=shipments-june.csv', {
    headers: { 'X-CSRF-Token': csrf, 'Content-Type': 'text/csv' },
    data: await readFile(join(ROOT, 'samples', 'shipments.csv')),
    timeout: START_MS,
  });
  const { id } = await created.json();
  await page.goto(`/#/batches/${id}`);
};

const takePicture = async (page: Page): Promise<void> => {
  await uploadList(page);
  await page.getByText('completed, some problems').waitFor({ timeout: RUN_MS });
  await page.getByRole('table', { name: 'Spend by service' }).waitFor();
  await page.screenshot({ path: PICTURE });
};

const service = await startService();
const browser = await startChromium();
try {
  const page = await browser.newPage({
    baseURL: service.url,
    viewport: { width: 1440, height: 1080 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await takePicture(page);
} finally {
  await browser.close();
  await service.stop();
}
const { size } = await stat(PICTURE);
if (size > MOST_BYTES) throw new Error(`${PICTURE} has ${size} bytes; at most ${MOST_BYTES} are wanted.`);
