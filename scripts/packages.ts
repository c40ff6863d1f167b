/** The packages whose code is in the build. Their code is installed with the product, although it depends on none of them. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const dir = join(root, 'dist', 'packages');

/** The package folders that contain the modules, such as `node_modules/zod`. */
export const packagesOf = (modules: Iterable<string>): readonly string[] =>
  [...modules].flatMap((module) => {
    const path = relative(root, resolve(root, module));
    return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [];
  });

/** Notes the packages for the list of components. */
export const keepPackages = async (name: string, packages: readonly string[]): Promise<void> => {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, `${name}.json`), JSON.stringify([...new Set(packages)].sort()));
};

/** The packages that all parts of the build noted. */
export const keptPackages = async (): Promise<readonly string[]> => {
  const lists = await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'utf8')));
  return [...new Set(lists.flatMap((list) => z.array(z.string()).parse(JSON.parse(list))))].sort();
};

/** Messages are in English. Zod's other languages would be half of what each command loads. */
export const english: Plugin = {
  name: 'english',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
};
