import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { builtConsole } from '../built-console.ts';

const assetsOf = async (extension: string): Promise<Buffer[]> => {
  const dir = join(builtConsole(), 'assets');
  const names = (await readdir(dir)).filter((name) => name.endsWith(extension));
  return Promise.all(names.map((name) => readFile(join(dir, name))));
};

const compressed = (scripts: readonly Buffer[]): number =>
  scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);

test('the scripts that the first page loads are below 60 KB compressed, and all scripts, with the operators’, below 145 KB', async () => {
  const page = await readFile(join(builtConsole(), 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  const first = await Promise.all(names.map((name) => readFile(join(builtConsole(), name))));
  const [bytes, all] = [compressed(first), compressed(await assetsOf('.js'))];
  console.log(`scripts: ${(bytes / 1_000).toFixed(1)} KB compressed at first, ${(all / 1_000).toFixed(1)} KB in all`);
  expect(names).not.toEqual([]);
  expect(bytes).toBeLessThan(60_000);
  expect(all).toBeLessThan(145_000);
});

test('the page has no inline script or style, because its policy forbids them', async () => {
  const page = await readFile(join(builtConsole(), 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('scripts and styles name no other hosts than those of XML namespaces and error texts', async () => {
  const texts = [...(await assetsOf('.js')), ...(await assetsOf('.css'))].map(String);
  const hosts = texts.flatMap((text) => [...text.matchAll(/https?:\/\/([\w.-]+\.[a-z]{2,})/g)].map(([, host]) => host));
  expect([...new Set(hosts)].filter((host) => host !== 'www.w3.org')).toEqual([]);
});
