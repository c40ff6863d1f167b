/** `npm run bundle`: makes `dist/bundle`, a file of each program and files of what several of them share. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROGRAMS } from '../src/base/process/programs.ts';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'dist', 'bundle');

await rm(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: PROGRAMS.map((program) => `src/${program}.ts`),
  outbase: 'src',
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: 'shared/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // These read files of their own packages, or are optional.
  external: ['pdfjs-dist', '@napi-rs/canvas', '@bull-board/*', 'js-redis-server', 'msgpackr-extract'],
  // Packages in the form of CommonJS call `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
  legalComments: 'eof',
  logLevel: 'warning',
});
