/** Builds the console to static files, which the API serves: scripts, styles and icons of our own host alone. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    // Nothing inline: the page's policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
