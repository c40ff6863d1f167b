/** The client as its users have it: built, in a separate folder, in Node and in a browser. */
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../cli/rates.ts';
import { hasChromium, openPage, startChromium } from '../../console/chromium.ts';
import { folderForFile } from '../../folder.ts';
import { type BatchApi, listOf } from '../batch-api.ts';
import { batchApiForFile } from '../batch-suite.ts';
import { examplesOf } from './examples.ts';

const run = promisify(execFile);

let dir: string;
let api: BatchApi;
folderForFile((made) => (dir = made));
batchApiForFile((started) => ({ api } = started), { worker: true, limits: { chunkRows: 500 } });

beforeAll(async () => {
  const installed = join(dir, 'node_modules', 'shipping-rates');
  await mkdir(join(installed, 'dist'), { recursive: true });
  await copyFile(join(ROOT, 'package.json'), join(installed, 'package.json'));
  await run('npx', ['tsx', 'scripts/exports.ts', join(installed, 'dist')], { cwd: ROOT });
  await cp(join(ROOT, 'samples'), join(dir, 'samples'), { recursive: true });
}, 120_000);

const built = (): string => join(dir, 'node_modules', 'shipping-rates', 'dist', 'client', 'client.js');

test('it imports nothing, and has less than 10 KB when it is minified and compressed', async () => {
  expect(await readFile(built(), 'utf8')).not.toMatch(/^import|\bfrom ['"]|node:|\brequire\(|\bprocess\.|\bBuffer\b/m);
  const { outputFiles } = await build({ entryPoints: [built()], minify: true, format: 'esm', write: false });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '').length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(10_000);
});

const PROGRAM = `
import { ApiFault, asFault, type Batch, createClient, type RateRequest } from 'shipping-rates/client';
const client = createClient({ server: 'https://rates.example.com', clientId: 'a', clientSecret: 'b' });
const request: RateRequest = {
  rates: {
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139' } },
    packageItems: [{ weight: { units: 'LB', value: 2 } }],
  },
};
export const price = async (): Promise<number | string> => {
  const quote = await client.quote(request).catch(asFault);
  return quote instanceof ApiFault ? quote.type : quote.totalNetCharge;
};
export const states = async (list: Blob): Promise<Batch['status'][]> => {
  const { id } = await client.upload(list, { query: { filename: 'x.csv' } });
  const seen: Batch['status'][] = [];
  for await (const { status } of client.events(id)) seen.push(status);
  return seen;
};
export const most = async (): Promise<number[]> =>
  (await client.call('GET /v1/client/limits')).limits.map((limit) => limit.most);
`;

/** The errors of the compiler, which also reads the declarations of the package. Empty if there are none. */
const compiled = async (program: string): Promise<string> => {
  await writeFile(join(dir, 'program.ts'), program);
  const flags = '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022';
  const words = [...flags.split(' '), '--types', '', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, ...words, join(dir, 'program.ts')];
  const { stdout } = await run(process.execPath, args, { cwd: dir }).catch((error: { stdout: string }) => error);
  return stdout;
};

test('a program compiles with its declarations alone, without types of Node or of other packages', async () => {
  expect(await compiled(PROGRAM)).toBe('');
});

test.each([
  ['value: 2 }', "value: '2' }", 'TS2322'],
  ['/v1/client/limits', '/v1/client/limit', 'TS2345'],
  ["filename: 'x.csv'", "filname: 'x.csv'", 'TS2561'],
  ['limit.most', 'limit.least', 'TS2339'],
])('the compiler reports a mistake in %s', async (right, wrong, code) => {
  expect(await compiled(PROGRAM.replace(right, wrong))).toContain(code);
});

test('each example of the client in its page runs as it stands', async () => {
  const examples = await examplesOf('shipping-rates/client');
  expect(examples).toHaveLength(3);
  for (const { code, output } of examples) {
    await writeFile(join(dir, 'example.mjs'), code.replaceAll('http://127.0.0.1:3000', api.api.url));
    const { stdout } = await run(process.execPath, ['example.mjs'], { cwd: dir });
    expect(stdout).toBe(output);
  }
});

describe.skipIf(!hasChromium)('in Chromium', () => {
  test('it uploads with progress, watches, downloads, and gets faults as values', async () => {
    const { outputFiles } = await build({
      ...{ entryPoints: [built()], bundle: true, format: 'iife', globalName: 'shippingRates', write: false },
    });
    const browser = await startChromium();
    try {
      const { page, problems } = await openPage(browser, api.api.url, { theme: 'light', width: 1440 });
      await page.goto('/docs');
      await page.evaluate(`${outputFiles[0]?.text}; globalThis.shippingRates = shippingRates;`);
      const seen = await page.evaluate(
        async ([list, server]) => {
          // biome-ignore lint/suspicious/noExplicitAny: a global of the page
          const { createClient, asFault } = (globalThis as any).shippingRates;
          const client = createClient({ server, clientId: 'demo', clientSecret: 'demo-secret' });
          const sent: number[] = [];
          const onSent = (bytes: number) => sent.push(bytes);
          const { id } = await client.upload(new Blob([list]), { query: { filename: 'page.csv' }, onSent });
          const statuses: string[] = [];
          for await (const { status } of client.events(id)) statuses.push(status);
          const text: string = await (await client.download(id)).text();
          await client.call('DELETE /v1/client/shipment/rates/batches/{id}', { id });
          const gone = await client.batch(id).catch(asFault);
          const fault = await client.quote({ rates: {} }).catch(asFault);
          const refused = await client.upload(new Blob(['a\n1\n']), { onSent }).catch(asFault);
          return {
            sent,
            last: statuses.at(-1),
            lines: text.split('\n').length,
            types: [gone.type, fault.type, refused.type],
          };
        },
        [listOf(900), api.api.url] as const,
      );
      expect(seen.sent).toContain(new Blob([listOf(900)]).size);
      expect(seen).toMatchObject({
        ...{
          last: 'completed',
          lines: 902,
          types: ['request.notFound', 'getRates.invalidRequest', 'createBatch.invalidFile'],
        },
      });
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
