/** The library in a page: the answers of the library in Node, without a network. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRater as createBrowserRater } from '../../../src/catalog/rater/browser.ts';
import { createHash } from '../../../src/catalog/rater/browser-hash.ts';
import { createRater } from '../../../src/catalog/rater/rater.ts';
import { ratesHere } from '../../cli/in-process.ts';
import { ROOT } from '../../cli/rates.ts';
import { hasChromium, startChromium } from '../../console/chromium.ts';
import { folderForFile } from '../../folder.ts';
import { requests } from './requests.ts';

const AGREEMENT = join(ROOT, 'samples', 'agreements', 'sample-c1');
const WAREHOUSES = [
  { id: 101, postalCode: '07001' },
  { id: 103, postalCode: '90001' },
];
const NOW = '2026-06-01T12:00:00Z';

let dir: string;
let bundle: string;
let compiled: Buffer;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  const file = join(dir, 'all.rates');
  const args = ['tariff', 'compile', join(ROOT, 'samples', 'tariffs'), '--agreement', AGREEMENT, '-o', file];
  const { code, stderr } = await ratesHere(args);
  expect([code, stderr]).toEqual([0, '']);
  compiled = await readFile(file);
  await promisify(execFile)('npx', ['tsx', 'scripts/exports.ts', join(dir, 'dist')], { cwd: ROOT });
  bundle = await readFile(join(dir, 'dist', 'library', 'browser.js'), 'utf8');
}, 300_000);

const answersHere = async (count: number): Promise<string[]> => {
  const tariffs = [join(ROOT, 'samples', 'tariffs')];
  const rater = await createRater({ tariffs, agreements: [AGREEMENT], warehouses: WAREHOUSES });
  return requests(count).map((request) => JSON.stringify(rater.rate(request, { now: new Date(NOW) })));
};

test('the bundle imports nothing, and has less than 250 KB when it is compressed', () => {
  expect(bundle).not.toMatch(/^import|\bfrom"|node:|\brequire\(|\bBuffer\.|\bprocess\./m);
  expect(gzipSync(bundle).length).toBeLessThan(250_000);
});

test('its hash is SHA-256', () => {
  const of = (text: string): string => createHash('sha256').update(text).digest('hex');
  expect(of('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(of('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(of('a'.repeat(1_000_000))).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
});

test('folders, and files that nobody compiled, are refused', async () => {
  const create = (tariffs: readonly (string | Uint8Array)[]) => createBrowserRater({ tariffs, warehouses: WAREHOUSES });
  await expect(create(['samples/tariffs'])).rejects.toThrow('A page has no folders.');
  await expect(create([compiled.subarray(0, -20)])).rejects.toThrow('not a file of compiled tariffs');
  await expect(create([gzipSync(Buffer.alloc(65 * 1024 * 1024))])).rejects.toThrow('not a file of compiled tariffs');
});

describe.skipIf(!hasChromium)('in Chromium', () => {
  test('200 shipments have the answers of the library in Node, without a network', async () => {
    const docs = await readFile(join(ROOT, 'docs', 'clients-and-library.md'), 'utf8');
    const [, example = ''] = /```html\n([\s\S]*?)```/.exec(docs) ?? [];
    const files: Readonly<Record<string, [type: string, content: string | Buffer]>> = {
      '/': ['text/html', example],
      '/2026.rates': ['application/octet-stream', compiled],
      '/browser.js': ['text/javascript', bundle],
    };
    const server = createServer((req, res) => {
      const [type, content] = files[req.url ?? ''] ?? ['text/plain', ''];
      res.setHeader('Content-Type', type).end(content);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const browser = await startChromium();
    try {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${address.port}/`);
      await page.getByText('C1-GROUND 10.24').waitFor();
      await page.evaluate(
        `(async () => {
          const { createRater } = await import('/browser.js');
          const bytes = new Uint8Array(await (await fetch('/2026.rates')).arrayBuffer());
          globalThis.rater = await createRater({ tariffs: [bytes], warehouses: ${JSON.stringify(WAREHOUSES)} });
        })()`,
      );
      await context.setOffline(true);
      const network = await page.evaluate(`fetch('/2026.rates').then(() => 'there', () => 'none')`);
      expect(network).toBe('none');
      const answers = await page.evaluate<string[]>(
        `${JSON.stringify(requests(200))}.map((one) => JSON.stringify(rater.rate(one, { now: new Date('${NOW}') })))`,
      );
      expect(answers).toEqual(await answersHere(200));
      const statuses = answers.map((answer) => JSON.parse(answer).status);
      expect([...new Set(statuses)].sort()).toEqual([200, 422]);
    } finally {
      await browser.close();
      server.close();
    }
  }, 120_000);
});
