/** The page at `/docs` has the whole content of the document, each part once, and loads nothing from other hosts. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { API_FAULTS } from '../../src/http/faults.ts';
import { startApi } from './api.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { COMPARISONS, comparisonsOf } from './comparison-api.ts';
import { DOCUMENT } from './conformance.ts';
import { codesOf, sectionOf, textOf } from './docs-page.ts';

const run = promisify(execFile);
const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';font-src 'self';img-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

let api: BatchApi;
let page: string;
batchApiForFile((started) => ({ api } = started), { worker: true });
beforeAll(async () => {
  page = await (await fetch(`${api.api.url}/docs`)).text();
});

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name?: string; readonly in?: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { examples?: object }>> }>>;
}

const operations = Object.entries<Record<string, Operation>>(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
);

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

describe('the page has', () => {
  test('each operation with its path, its query and its media types', () => {
    for (const { operationId, path, method, summary, parameters } of operations) {
      const section = sectionOf(page, operationId);
      expect(textOf(section)).toContain(summary);
      expect(textOf(section)).toContain(`${method.toUpperCase()} ${path}`);
      for (const { name, in: place } of parameters)
        if (place === 'query') expect(section).toContain(`<code class="name">${name}</code>`);
    }
    for (const id of Object.keys(DOCUMENT.webhooks)) expect(sectionOf(page, id)).toContain('webhook-signature');
  });

  test('each member of each named schema, only at the place of the schema', () => {
    const text = textOf(page);
    for (const [name, { properties }] of Object.entries<{ properties: object }>(DOCUMENT.components.schemas)) {
      expect(idsOf(page).filter((id) => id === `schema-${name}`)).toHaveLength(1);
      for (const member of Object.keys(properties)) expect(text).toContain(member);
    }
    expect(textOf(sectionOf(page, 'getShippingRates'))).toContain('declaredValue number, 0 to 50000');
  });

  test('each fault once, with what docs say of it, and its example', () => {
    // The message of an example may repeat the guide.
    const words = textOf(page.replaceAll(/<figure[^>]*>(?:(?!<\/figure>)[\s\S])*<\/figure>/g, ''));
    for (const [type, { status, when, wayOut, args }] of Object.entries(API_FAULTS)) {
      const section = sectionOf(page, `fault-${type}`);
      const text = textOf(section);
      for (const told of [when, wayOut, ...Object.keys(args)]) expect(text).toContain(told.replaceAll('`', ''));
      expect(text).toContain(`${status} ${type}`);
      expect(JSON.parse(codesOf(section)[0] ?? '')).toEqual(DOCUMENT.components.examples[type].value);
      expect([type, words.split(when.replaceAll('`', '')).length]).toEqual([type, 2]);
    }
  });

  test('a link from each operation to each of its faults, except those that every call may have', () => {
    const common = [...sectionOf(page, 'faults').matchAll(/<li><a href="#fault-([^"]+)"/g)].map(([, type]) => type);
    expect(common).toEqual(['request.invalidHost', 'request.methodNotAllowed', 'service.internalError']);
    for (const { operationId, responses } of operations) {
      const types = Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}),
      );
      const linked = [...sectionOf(page, operationId).matchAll(/href="#fault-([^"]+)"/g)].map(([, type]) => type);
      expect([operationId, linked.toSorted()]).toEqual([
        operationId,
        types.filter((type) => !common.includes(type)).toSorted(),
      ]);
    }
  });

  test('ids that are unique, and links that lead to them', () => {
    const ids = idsOf(page);
    expect(ids).toHaveLength(new Set(ids).size);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id = '']) => id);
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

test('the guide and the examples have the same arguments', () => {
  for (const [type, { args }] of Object.entries(API_FAULTS)) {
    const names = Object.keys(args);
    const example = Object.keys(DOCUMENT.components.examples[type].value.fault.arguments);
    if (names.some((name) => name.startsWith('<'))) expect([type, example.length > 0]).toEqual([type, true]);
    else expect([type, names]).toEqual([type, example]);
  }
});

describe('the page loads', () => {
  test('nothing from other hosts, under a policy that allows none', async () => {
    const { headers } = await fetch(`${api.api.url}/docs`);
    expect(headers.get('content-security-policy')).toBe(POLICY);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const linked = [...page.matchAll(/ (?:src|href)="([^"#][^"]*)"/g)].map(([, path = '']) => path);
    expect(new Set(linked)).toEqual(
      new Set(['/docs/docs.css', '/docs/docs.js', '/docs/icon.svg', '/', '/docs', '/openapi.json']),
    );
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)/);
    for (const path of linked) expect([path, (await fetch(`${api.api.url}${path}`)).status]).toEqual([path, 200]);
    for (const path of ['/docs/index.html', '/docs/package.json', '/docs/../package.json', '/docs/quick-start.sh'])
      expect((await fetch(`${api.api.url}${path}`)).status).toBe(404);
  });

  test('less than 60 KB, compressed', async () => {
    const paths = ['/docs', '/docs/docs.css', '/docs/docs.js', '/docs/icon.svg'];
    const sizes = await Promise.all(
      paths.map(async (path) => gzipSync(await (await fetch(`${api.api.url}${path}`)).arrayBuffer()).length),
    );
    const sum = sizes.reduce((total, size) => total + size, 0);
    console.log(`the page at /docs: ${(sum / 1_000).toFixed(1)} KB compressed`);
    expect(sum).toBeLessThan(60_000);
  });

  test('compressed, unless the caller cannot read that', async () => {
    const plain = await fetch(`${api.api.url}/docs`, { headers: { 'Accept-Encoding': 'identity' } });
    const packed = await fetch(`${api.api.url}/docs`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect([plain, packed].map(({ headers }) => headers.get('vary'))).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(await packed.text()).toBe(await plain.text());
  });

  test('nothing before it is built, and says how to build it', async () => {
    const bare = await startApi({ consoleDir: join(tmpdir(), 'nowhere') });
    const answer = await fetch(`${bare.url}/docs`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')]);
    await bare.close();
  });
});

/** Statuses other than 200: the sample client has no agreement and no such link, and what the test created has ended. */
const OTHER_ANSWERS: Readonly<Record<string, number>> = {
  generateToken: 401,
  getAgreement: 404,
  unshareBatch: 404,
  unshareComparison: 404,
  createBatch: 202,
  compareBatch: 202,
  createComparison: 202,
  cancelBatch: 409,
  cancelComparison: 409,
  retryBatch: 409,
  retryComparison: 409,
  correctBatch: 422,
  deleteBatch: 204,
  deleteComparison: 204,
};

test('the command of each operation can be run', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'docs-commands-'));
  await writeFile(join(dir, 'orders.csv'), listOf(2));
  const batch = await api.upload(listOf(3));
  await api.ended(batch);
  const comparisons = comparisonsOf(api);
  const asked = await comparisons.ask(batch, { scenarios: [{ service: 'cheapest' }] });
  await comparisons.ended(asked.body.id);
  // Deletions come last, because the other calls need what they delete.
  const inOrder = operations.toSorted(
    (one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'),
  );
  // One shell for all, because this process takes long to start another.
  const script = inOrder.map(({ operationId, path }) => {
    const [command = ''] = codesOf(sectionOf(page, operationId));
    return `ID=${path.startsWith(COMPARISONS) ? asked.body.id : batch}\n${command} -sS -w '\\n→ ${operationId} %{http_code}\\n'`;
  });
  const env = { ...process.env, URL: api.api.url, TOKEN: api.api.token };
  const { stdout } = await run('sh', ['-ec', script.join('\n')], { env, cwd: dir, maxBuffer: 2 ** 26 });
  const answers = [...stdout.matchAll(/^→ (\w+) (\d+)$/gm)].map(([, id, status]) => [id, Number(status)]);
  expect(answers).toEqual(inOrder.map(({ operationId }) => [operationId, OTHER_ANSWERS[operationId] ?? 200]));
  await rm(dir, { recursive: true });
});
