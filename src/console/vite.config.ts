/**
 * Builds the console to static files that the API serves, with scripts and styles only from its own host. Also copies the
 * files of Swagger UI for `/docs`, because production has no such package.
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
    // The Content Security Policy forbids inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
