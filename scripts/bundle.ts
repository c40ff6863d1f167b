/**
 * `npm run bundle`: makes `dist/bundle`, with one file per program and files for the code that several programs share. It also
 * copies the files that packages read at run time, so that an installed package needs no other package.
 */
import { cp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { must } from '../src/base/must.ts';
import { PROGRAMS } from '../src/base/process/programs.ts';
import { english, keepPackages, packagesOf } from './packages.ts';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'dist', 'bundle');
const modules = join(root, 'node_modules');

await rm(outdir, { recursive: true, force: true });
const { metafile } = await build({
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
  metafile: true,
  // It is optional and native.
  external: ['msgpackr-extract'],
  // CommonJS packages call `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
  legalComments: 'eof',
  plugins: [english],
  logLevel: 'warning',
});

/** The folder of the bundled file that contains a module. Packages look for their files next to their own module. */
const folderOf = (module: string): string => {
  const found = Object.entries(metafile.outputs).find(([, { inputs }]) => `node_modules/${module}` in inputs);
  return join(root, dirname(must(found, module)[0]));
};
const pdf = 'pdfjs-dist/legacy/build';
const lua = 'lua-redis-wasm/dist';
const redis = folderOf(`${lua}/index.node.mjs`);
await cp(join(modules, pdf, 'pdf.worker.min.mjs'), join(folderOf(`${pdf}/pdf.mjs`), 'pdf.worker.mjs'));
for (const file of ['redis_lua.mjs', 'redis_lua.wasm']) await cp(join(modules, lua, file), join(redis, file));
await cp(join(modules, '@bull-board', 'ui', 'dist'), join(outdir, 'board', 'dist'), { recursive: true });
await keepPackages('bundle', [...packagesOf(Object.keys(metafile.inputs)), 'node_modules/@bull-board/ui']);
