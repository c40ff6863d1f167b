/** Checks tables, links and citations of the docs against the code. http/openapi.test.ts checks the table of faults. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES, readPage } from '../scripts/docs.ts';
import { readConfig, SETTING_LIST } from '../src/base/config/settings.ts';
import { RATES_PATH } from '../src/batch/ids.ts';
import { LIMIT_NAMES } from '../src/catalog/clients/clients.ts';
import { API_CALLS } from '../src/http/operations.ts';
import { scenarioSchema } from '../src/lists/comparison/scenario.ts';
import { FIELD_NAMES, specOf } from '../src/rating/fields.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

/** The text below a heading, up to the next one of the same level. */
const section = (page: string, heading: string): string =>
  (page.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0] ?? '';

/** The names in backticks in a text. */
const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The cells of one column of the first table in a text, without its header. */
const columnOf = (text: string, index: number): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/)[index + 1] ?? '');

const namesInFirstColumn = (page: string, heading: string): string[] =>
  columnOf(section(page, heading), 0).flatMap(namesIn);

test('the README has at most 8 KB', async () => {
  expect((await stat(join(ROOT, 'README.md'))).size).toBeLessThanOrEqual(8_192);
});

test.each(Object.keys(PAGES))('%s has the tables that the code declares; `npm run docs` writes them', async (page) => {
  const { now, declared } = await readPage(page);
  expect(now).toBe(declared);
});

test('the service passes on each setting that it reads', async () => {
  const sources: string[] = [];
  for (const folder of ['src', 'workers'])
    for (const name of await readdir(join(ROOT, folder), { recursive: true }))
      if (name.endsWith('.ts') && !name.startsWith('base/config/')) sources.push(await read(join(folder, name)));
  const all = sources.filter((text) => /\bconfig\b/i.test(text)).join('\n');
  expect(SETTING_LIST.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(all))).toEqual([]);
});

const UNITS: Readonly<Record<string, number>> = { '': 1, KB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

test('a setting has the number that its table names as its default', () => {
  const defaults: Readonly<Record<string, unknown>> = { ...readConfig({}) };
  const numbers = SETTING_LIST.filter(({ name, absent }) => typeof defaults[name] === 'number' && /\d/.test(absent));
  expect(numbers.length).toBeGreaterThan(9);
  for (const { name, env, absent } of numbers) {
    const [, digits = '', unit = ''] = /^`?([\d,]+)`?(?: (\w+))?$/.exec(absent) ?? [];
    expect(Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? Number.NaN), env).toBe(defaults[name]);
  }
});

test('the table of a client’s limits has each of them', async () => {
  const described = namesInFirstColumn(await read('docs/clients.md'), 'Limits and quotas');
  expect(described.toSorted()).toEqual([...LIMIT_NAMES].toSorted());
});

test('the table has every column that is read', async () => {
  const page = await read('docs/lists.md');
  const described = namesInFirstColumn(page, 'Columns').filter((name) => !name.startsWith('?'));
  expect(described.toSorted()).toEqual([...FIELD_NAMES].toSorted());
});

test('the table of a scenario in JSON has each member, and its examples are accepted', async () => {
  const [, table = ''] = (await read('docs/comparisons.md')).split(
    'JSON values differ from the texts of the command line:',
  );
  const [members, examples] = [1, 2].map((column) => columnOf(table.split('\nIf ')[0] ?? '', column).map(namesIn));
  expect(members?.flat()).toEqual(Object.keys(scenarioSchema.shape));
  for (const [at, texts] of (examples ?? []).entries())
    for (const text of texts)
      expect(scenarioSchema.safeParse({ [String(members?.[at]?.[0])]: JSON.parse(text) }), text).toMatchObject({
        success: true,
      });
});

test.each(['docs/api.md', 'docs/contract.md'])('%s names each call', async (page) => {
  const named = (await read(page)).replaceAll('`…/', `\`${RATES_PATH}/`).replaceAll(' …/', ` ${RATES_PATH}/`);
  const names = [...named.matchAll(/`(?:[A-Z]+ )?(\/[^`\s?]*)[^`]*`( and below)?/g)];
  const missing = Object.values(API_CALLS).filter(
    ({ path }) => !names.some(([, name, below]) => name === path || (below && path.startsWith(`${name}/`))),
  );
  expect(missing.map(({ is }) => is)).toEqual([]);
});

test('the table of a request has each field', async () => {
  const described = namesIn((await read('docs/contract.md')).split('### Rate quote')[0] ?? '');
  const paths = FIELD_NAMES.flatMap((field) => specOf(field).path ?? []).map((path) => `rates.${path}`);
  const own = paths.map((path) => path.replace(/(\.dimensions)\..*$/, '$1'));
  expect(own.filter((path) => !described.includes(path))).toEqual([]);
});

test('the index of decisions has each record', async () => {
  const records = (await readdir(join(ROOT, 'docs', 'decisions'))).filter((name) => /^\d/.test(name));
  const index = await read('docs/decisions/README.md');
  expect([...index.matchAll(/\]\((\d[^)]+)\)/g)].map(([, name]) => name).toSorted()).toEqual(records.toSorted());
});

/** The anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

const pages = async (): Promise<string[]> => {
  const below = await readdir(join(ROOT, 'docs'), { recursive: true });
  const rooms = (await readdir(join(ROOT, 'src'))).map((room) => join('src', room, 'README.md'));
  const top = (await readdir(ROOT)).filter((name) => name.endsWith('.md'));
  return [...top, ...below.filter((name) => name.endsWith('.md')).map((name) => join('docs', name)), ...rooms];
};

test('every link between pages leads to an existing file and heading', async () => {
  const broken: string[] = [];
  for (const page of await pages()) {
    for (const [, link = ''] of (await read(page)).matchAll(/\]\(((?!https?:)[^)\s]+)\)/g)) {
      const [file = '', anchor] = link.split('#');
      const path = file === '' ? page : join(dirname(page), file);
      const found = await stat(join(ROOT, path)).catch(() => undefined);
      const headings = anchor !== undefined && found?.isFile() ? (await read(path)).match(/^#+ .+$/gm) : undefined;
      const leads = anchor === undefined || headings?.some((line) => anchorOf(line.replace(/^#+ /, '')) === anchor);
      if (found === undefined || !leads) broken.push(`${page}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('each source file that a page names exists', async () => {
  const missing: string[] = [];
  for (const page of await pages()) {
    const room = page.startsWith('src/') ? await readdir(join(ROOT, dirname(page)), { recursive: true }) : [];
    const names = namesIn(await read(page)).filter((name) => !name.includes('CARRIER'));
    for (const path of names.filter((name) => /^(?:src|workers|test|scripts)\/[\w./-]+$/.test(name)))
      if ((await stat(join(ROOT, path)).catch(() => undefined)) === undefined) missing.push(`${page}: ${path}`);
    for (const file of names.filter((name) => room.length > 0 && /^[\w-]+\.tsx?$/.test(name)))
      if (!room.some((path) => basename(path) === file)) missing.push(`${page}: ${file}`);
  }
  expect(missing).toEqual([]);
});

test('every section of the contract that code cites is in docs/contract.md', async () => {
  const headings = new Set((await read('docs/contract.md')).match(/(?<=^##+ ).+$/gm));
  const missing: string[] = [];
  for (const folder of ['src', 'workers', 'test', 'scripts']) {
    for (const name of await readdir(join(ROOT, folder), { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue;
      const text = (await read(join(folder, name))).replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ');
      for (const [, cited = ''] of text.matchAll(/\b(?:contract|service specification), ([A-Z][A-Za-z ]*[A-Za-z])/g))
        if (![...headings].some((heading) => cited.startsWith(heading))) missing.push(`${folder}/${name}: ${cited}`);
    }
  }
  expect(missing).toEqual([]);
});
