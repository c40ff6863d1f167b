/**
 * Builds the console to static files that the API serves, with scripts and styles only from its own host. Also copies
 * what the page at `/docs` loads: it is served beside the console.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const DOCS = join(import.meta.dirname, '..', 'http', 'docs', 'assets');
const ICON = join(import.meta.dirname, 'icon.svg');

const docsFiles: Plugin = {
  name: 'docs-files',
  apply: 'build',
  async generateBundle() {
    const files = (await readdir(DOCS)).map((name) => join(DOCS, name));
    for (const file of [...files, ICON])
      this.emitFile({ type: 'asset', fileName: `docs/${basename(file)}`, source: await readFile(file) });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [docsFiles],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // The Content Security Policy forbids inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
