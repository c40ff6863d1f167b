/**
 * `npm run exports` makes what programs import: `dist/client` and `dist/library`, each with a module and its declarations. The
 * types of calls are expanded, so that the declarations import no module of the service and no package.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import ts from 'typescript-5';
import { must } from '../src/base/must.ts';
import { english, keepPackages, packagesOf } from './packages.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src', 'http', 'client');
const raterDir = join(root, 'src', 'catalog', 'rater');
const [rater, types] = [join(raterDir, 'rater.ts'), join(raterDir, 'types.ts')];
const dist = resolve(must(process.argv[2], 'the folder to write'));
const [outdir, library] = [join(dist, 'client'), join(dist, 'library')];

for (const dir of [outdir, library]) {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
}
await build({
  entryPoints: [join(source, 'client.ts')],
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'warning',
});
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [rater],
  outdir: library,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  plugins: [english],
  metafile: true,
  legalComments: 'eof',
  logLevel: 'warning',
});
/** Leaves out unused modules and their imports, because a page reads no folders. A Node.js module that remains is an error. */
const usedAlone: Plugin = {
  name: 'used-alone',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer }) => ({
      path: join(dirname(importer), path),
      sideEffects: false,
    }));
    onResolve({ filter: /^csv-/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};
const page = await build({
  absWorkingDir: root,
  entryPoints: [join(raterDir, 'browser.ts')],
  outdir: library,
  bundle: true,
  minify: true,
  format: 'esm',
  // Fails at any module of Node.js.
  platform: 'browser',
  alias: { 'node:crypto': join(raterDir, 'browser-hash.ts') },
  plugins: [usedAlone, english],
  target: 'es2022',
  metafile: true,
  legalComments: 'eof',
  logLevel: 'warning',
});
if (Object.values(page.metafile.outputs).some(({ imports }) => imports.length > 0))
  throw new Error('The library for browsers imports what a page does not have.');
const inputs = [metafile, page.metafile].flatMap((built) => Object.keys(built.inputs));
await keepPackages('library', packagesOf([...new Set(inputs)]));

const config = ts.getParsedCommandLineOfConfigFile(
  join(root, 'tsconfig.json'),
  { declaration: true, emitDeclarationOnly: true, incremental: false, outDir: outdir, rootDir: root },
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  },
);
const { tsBuildInfoFile: _, ...options } = must(config, 'tsconfig.json').options;
const program = ts.createProgram([join(source, 'client.ts'), rater], options);
const checker = program.getTypeChecker();

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

/** The text of a type with all of its parts expanded. */
const written = (type: ts.Type, at: ts.Node, within: readonly ts.Type[] = []): string => {
  if (within.includes(type)) throw new Error(`${checker.typeToString(type)} contains itself`);
  const inner = (one: ts.Type): string => written(one, at, [...within, type]);
  if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
  if (type.isUnion())
    return [...new Set(type.types.map(inner))].map((one) => (/ => /.test(one) ? `(${one})` : one)).join(' | ');
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
    return checker.typeToString(type, at, ts.TypeFormatFlags.NoTruncation);
  if (checker.isTupleType(type))
    return `readonly [${checker
      .getTypeArguments(type as ts.TypeReference)
      .map(inner)
      .join(', ')}]`;
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    return `readonly (${element === undefined ? 'unknown' : inner(element)})[]`;
  }
  const members = checker.getPropertiesOfType(type).map((member) => {
    const name = isName(member.name) ? member.name : JSON.stringify(member.name);
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    return `readonly ${name}${isOptional ? '?' : ''}: ${inner(checker.getTypeOfSymbolAtLocation(member, at))};`;
  });
  const indexes = checker
    .getIndexInfosOfType(type)
    .map(({ keyType, type: value }) => `readonly [key: ${inner(keyType)}]: ${inner(value)};`);
  return `{ ${[...members, ...indexes].join('\n')} }`;
};

const sourceOf = (path: string): ts.SourceFile => must(program.getSourceFile(path), path);
const aliasOf = ({ name }: ts.TypeAliasDeclaration): string =>
  `export type ${name.text} = ${written(checker.getTypeAtLocation(name), name)};\n`;
const aliasesIn = (file: ts.SourceFile): readonly ts.TypeAliasDeclaration[] =>
  file.statements.filter((statement) => ts.isTypeAliasDeclaration(statement));

const calls = sourceOf(join(source, 'calls.ts'));
const aliases = aliasesIn(calls)
  .filter(({ modifiers }) => modifiers !== undefined)
  .map(aliasOf);
await writeFile(
  join(outdir, 'calls.d.ts'),
  `/** The calls of the API, as the service declares them. */\n${aliases.join('\n')}`,
);

const declare = (file: ts.SourceFile, change: (text: string) => string, folder: string): void => {
  program.emit(file, (name, text) => ts.sys.writeFile(join(folder, basename(name)), change(text)), undefined, true);
};
for (const file of program.getSourceFiles())
  if (file.fileName.startsWith(`${source}/`) && file !== calls)
    declare(file, (text) => text.replaceAll(/'(\.\/\w+)\.ts'/g, "'$1.js'"), outdir);

const answer = must(
  aliasesIn(sourceOf(join(root, 'src', 'rating', 'quote.ts'))).find(({ name }) => name.text === 'QuoteAnswer'),
  'the type QuoteAnswer',
);
declare(sourceOf(rater), (text) => text.replaceAll("'./types.ts'", "'./types.js'"), library);
declare(
  sourceOf(types),
  (text) =>
    `${text.replaceAll(/^(?:import .* from '\.\.\/\.\.\/rating\/quote\.ts'|export type \{ QuoteAnswer \});\n/gm, '')}${aliasOf(answer)}`,
  library,
);
