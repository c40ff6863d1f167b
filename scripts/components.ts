/**
 * `npm run components`: makes `dist/sbom.cdx.json`, a CycloneDX list of the packages that the build contains, and
 * `dist/licenses.txt` with their licenses. It fails at a license that may conflict with a license of the owner's choice.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { must } from '../src/base/must.ts';
import { keptPackages } from './packages.ts';

const root = join(import.meta.dirname, '..');

/** They only require their text and their notice, which `dist/licenses.txt` has. The product itself may have any license. */
const COMPATIBLE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
]);

const npmSbom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string(), version: z.string() }) }),
  components: z.array(
    z.looseObject({
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string(),
      properties: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
// Old packages have a list of licenses.
const manifest = z
  .object({
    name: z.string(),
    version: z.string(),
    license: z.string().optional(),
    licenses: z.array(z.object({ type: z.string() })).default([]),
  })
  .transform(({ license, licenses, ...rest }) => ({
    ...{ ...rest, license: license ?? licenses.map(({ type }) => type).join(' AND ') },
  }));
const manifestIn = async (folder: string) =>
  manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));

const entries = await Promise.all(
  (await keptPackages()).map(async (path) => {
    const folder = join(root, path);
    const files = (await readdir(folder)).filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name));
    const texts = await Promise.all(files.map(async (name) => (await readFile(join(folder, name), 'utf8')).trim()));
    return { ...(await manifestIn(folder)), texts };
  }),
);

const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: root,
  maxBuffer: 64 * 2 ** 20,
});
const whole = npmSbom.parse(JSON.parse(stdout));
const { component } = whole.metadata;
const components = entries.map(({ name, version }) => {
  const known = whole.components.find((one) => one.name === name && one.version === version);
  const { properties, scope: _, ...rest } = must(known, `${name} ${version} in what npm knows`);
  // All of them are part of the product, even if npm calls them development packages.
  return { ...rest, properties: properties.filter((one) => one.name !== 'cdx:npm:package:development') };
});
const refs = new Set([component, ...components].map((one) => one['bom-ref']));
const dependencies = whole.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
// npm uses the name of the clone's folder.
const metadata = { ...whole.metadata, component: { ...component, name: (await manifestIn(root)).name } };
const sbom = { ...whole, metadata, components, dependencies };
await writeFile(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);

const refused = entries.filter(({ license }) => !COMPATIBLE.has(license));
if (refused.length > 0)
  throw new Error(`Not known as compatible: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}`);
const rule = '-'.repeat(80);
const sections = entries.map(({ name, version, license, texts }) =>
  [`${name} ${version}: ${license}`, ...texts].join('\n\n'),
);
await writeFile(join(root, 'dist', 'licenses.txt'), `${sections.join(`\n\n${rule}\n\n`)}\n`);
const counts = new Map<string, number>();
for (const { license } of entries) counts.set(license, (counts.get(license) ?? 0) + 1);
const told = [...counts].map(([license, count]) => `${count} ${license}`).join(', ');
process.stdout.write(`${components.length} packages in dist/sbom.cdx.json: ${told}. All are compatible.\n`);
