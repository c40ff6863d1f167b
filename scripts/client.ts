/**
 * `npm run client` makes `dist/client`, the package's `shipping-rates/client`: one module, and its declarations. Those of the
 * calls are written out, so that they name no module of the service and no package.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript-5';
import { must } from '../src/base/must.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src', 'client');
const outdir = resolve(must(process.argv[2], 'the folder to write'));

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
await build({
  entryPoints: [join(source, 'client.ts')],
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'warning',
});

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
const program = ts.createProgram([join(source, 'client.ts')], options);
const checker = program.getTypeChecker();

const isName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

/** The text of a type, with everything that it is made of. */
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

const calls = must(program.getSourceFile(join(source, 'calls.ts')), 'src/client/calls.ts');
const aliases = calls.statements
  .filter((statement) => ts.isTypeAliasDeclaration(statement))
  .filter(({ modifiers }) => modifiers !== undefined)
  .map(({ name }) => `export type ${name.text} = ${written(checker.getTypeAtLocation(name), name)};\n`);
await writeFile(
  join(outdir, 'calls.d.ts'),
  `/** The calls of the API, as the service declares them. */\n${aliases.join('\n')}`,
);

for (const file of program.getSourceFiles())
  if (file.fileName.startsWith(`${source}/`) && file !== calls)
    program.emit(
      file,
      (name, text) => ts.sys.writeFile(join(outdir, basename(name)), text.replaceAll(/'(\.\/\w+)\.ts'/g, "'$1.js'")),
      undefined,
      true,
    );
