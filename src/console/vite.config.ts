/**
 * Builds the console as static files that the API serves, with scripts and styles only from its own host. The OpenAPI document
 * and its page are served together with the console, so the build makes them too.
 */
import { join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { keepPackages, packagesOf } from '../../scripts/packages.ts';
import { docsFiles } from '../http/docs/page.ts';
import { PLACES, STATE_NAMES } from './tariffs/map.ts';

const docs: Plugin = {
  name: 'docs',
  apply: 'build',
  async generateBundle() {
    for (const [name, source] of await docsFiles(join(import.meta.dirname, 'icon.svg')))
      this.emitFile({ type: 'asset', fileName: `docs/${name}`, source });
  },
};

/** Numbers as differences, which are half as long compressed. */
const stepsOf = (numbers: readonly number[]): string =>
  JSON.stringify(numbers.map((number, at) => number - (numbers[at - 1] ?? 0)));

/** Computes the places of the map during the build instead of in each browser. */
const MAP = `
const sums = (steps) => { let sum = 0; return steps.map((step) => (sum += step)); };
const x = sums(${stepsOf(PLACES.map((place) => place[1]))});
const y = sums(${stepsOf(PLACES.map((place) => place[2]))});
const zip3s = sums(${stepsOf(PLACES.map(([zip3]) => Number(zip3)))});
export const PLACES = zip3s.map((zip3, at) => [String(zip3).padStart(3, '0'), x[at], y[at]]);
export const STATE_NAMES = ${JSON.stringify(STATE_NAMES)};
`;
const map: Plugin = { name: 'map', load: (id) => (id.endsWith('/tariffs/map.ts') ? MAP : undefined) };

const packages: Plugin = {
  name: 'packages',
  apply: 'build',
  async generateBundle(_, bundle) {
    const files = Object.values(bundle).flatMap((made) => (made.type === 'asset' ? made.originalFileNames : []));
    const of = files.map((file) => resolve(import.meta.dirname, file));
    await keepPackages('console', packagesOf([...this.getModuleIds(), ...of]));
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [docs, map, packages],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // The Content Security Policy forbids inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // Small files that several pages share are one file, which is smaller.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'kit', test: /preact|console\/ui\// },
            { name: 'prices', test: /console\/(?:agreements|tariffs)\/(?!map|cell-map)/ },
          ],
        },
      },
    },
  },
});
