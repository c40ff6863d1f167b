import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CONSOLE = join(import.meta.dirname, '..', '..', 'src', 'console');

/** The selectors of a style sheet, without those of `@media` and the like. */
const selectorsOf = (css: string): string[] =>
  [...css.replaceAll(/\/\*[^*]*\*\//g, '').matchAll(/([^{};]+)\{/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((selector) => selector.trim())
    .filter((selector) => !selector.startsWith('@'));

test('each class is defined in one style sheet: a sheet stays loaded after its page was left', async () => {
  const sheetsOf = new Map<string, Set<string>>();
  // What is printed overrides what is shown.
  const names = (await readdir(CONSOLE, { recursive: true })).filter((name) => /(?<!print)\.css$/.test(name));
  for (const name of names)
    for (const selector of selectorsOf(await readFile(join(CONSOLE, name), 'utf8'))) {
      const defined = /^\.([\w-]+)[^\s>+~]*$/.exec(selector)?.[1];
      if (defined !== undefined) sheetsOf.set(defined, (sheetsOf.get(defined) ?? new Set()).add(name));
    }
  expect(sheetsOf.size).toBeGreaterThan(60);
  const shared = [...sheetsOf].filter(([, sheets]) => sheets.size > 1);
  expect(shared.map(([name, sheets]) => `.${name}: ${[...sheets].toSorted().join(', ')}`)).toEqual([]);
});
