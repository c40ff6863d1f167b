/**
 * Builds the console to static files, which the API serves: scripts, styles and icons of our own host alone. Beside it lie
 * the files of Swagger UI that `/docs` needs; its package is not there where the service runs.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defineConfig, type Plugin } from 'vite';
import { SWAGGER_UI_FILES } from '../swagger-ui-files.ts';

const { resolve } = createRequire(import.meta.url);

const swaggerUi: Plugin = {
  name: 'swagger-ui',
  apply: 'build',
  async generateBundle() {
    for (const name of SWAGGER_UI_FILES)
      this.emitFile({
        type: 'asset',
        fileName: `docs/${name}`,
        source: await readFile(resolve(`swagger-ui-dist/${name}`)),
      });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [swaggerUi],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // Nothing inline: the page's policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
