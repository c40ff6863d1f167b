/** Types generated from the OpenAPI document must fit the calls that the service accepts. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { RATES } from './api.ts';
import { BATCHES } from './batch-api.ts';
import { DOCUMENT } from './conformance.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

let dir: string;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  await writeFile(join(dir, 'document.json'), JSON.stringify(DOCUMENT));
  const generator = join(ROOT, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
  const older = join(import.meta.dirname, 'fixtures', 'older-typescript.js');
  const files = [join(dir, 'document.json'), '-o', join(dir, 'service.ts')];
  await run(process.execPath, ['--import', older, generator, ...files]);
});

/** The compiler errors of a client. Empty if it compiles. */
const compiled = async (client: string): Promise<string> => {
  await writeFile(join(dir, 'client.ts'), `import type { components, paths } from './service.ts';\n${client}`);
  const flags =
    '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --allowImportingTsExtensions --module nodenext --target es2022 --lib es2022,dom';
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const command = [compiler, ...flags.split(' '), join(dir, 'client.ts')];
  const { stdout } = await run(process.execPath, command).catch((error: { stdout: string }) => error);
  return stdout;
};

const CLIENT = `
type Rates = paths['${RATES}']['post'];
type Body = Rates['requestBody']['content']['application/json'];
const request: Body = {
  rates: {
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139' } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
  },
};
export const netCharge = async (token: string): Promise<number | string> => {
  const answer = await fetch('${RATES}', {
    method: 'POST',
    headers: { Authorization: \`Bearer \${token}\`, 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (answer.status !== 200) return ((await answer.json()) as components['schemas']['ErrorBody']).fault.message;
  const quote = (await answer.json()) as Rates['responses'][200]['content']['application/json'];
  return quote.warnings === undefined ? quote.totalNetCharge : quote.warnings.map(({ type }) => type).join();
};
export type TooLarge = paths['${BATCHES}/{id}/output']['get']['responses'][413]['content']['application/json'];
`;

test('a client without a country compiles', async () => {
  expect(await compiled(CLIENT)).toBe('');
});

test('the compiler reports mistakes of a client', async () => {
  expect(await compiled(CLIENT.replace("postalCode: '02139'", 'postalCode: 2139'))).toContain('TS2322');
  expect(await compiled(CLIENT.replace("postalCode: '02139'", "countryCode: 'US'"))).toContain('postalCode');
});
