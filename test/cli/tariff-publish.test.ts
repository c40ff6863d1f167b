/** `rates tariff publish` into a folder. Publishing to the store is tested in test/published. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { type Parts, smallTariff, TEN_POUNDS } from '../catalog/tariff/small-tariff.ts';
import { folderForEachTest } from '../folder.ts';
import { ratesHere } from './in-process.ts';
import { ROOT } from './rates.ts';

/** A tariff without warnings. */
const tariff = (file: Parts['file'] = {}, service: Parts['service'] = {}) =>
  smallTariff({ file, service: { maximumActualLb: 10, ...service } });
/** A tariff with its own service. */
const other = (name: string, code: string) =>
  smallTariff({ file: { name }, service: { code, maximumActualLb: 10 }, document: { rates: { [code]: TEN_POUNDS } } });

let dir: string;
let folder: string;
let draft: string;
let env: NodeJS.ProcessEnv;
folderForEachTest((made) => (dir = made));
beforeEach(async () => {
  [folder, draft] = [join(dir, 'tariffs'), join(dir, 'drafts', '2026')];
  await mkdir(folder);
  await writeTariffFolder(draft, tariff());
  env = { TARIFFS_DIR: folder, DATA_DIR: join(dir, 'data') };
});

const publish = (...args: string[]) => ratesHere(['tariff', 'publish', ...args], { env });
const FOLLOWED = 'Processes that run with this TARIFFS_DIR use it within a second.\n';
const ID = 'small@2026-01-01-[0-9a-f]{8}';

test('puts a tariff into the folder of TARIFFS_DIR, without Redis or a store', async () => {
  const said = await publish(draft);
  expect([said.code, said.stderr]).toEqual([0, FOLLOWED]);
  expect(said.stdout).toMatch(new RegExp(`^${join(folder, '2026')}: ${ID}\nversion 1\n$`));
  expect((await ratesHere(['tariff', 'list'], { env })).stdout).toMatch(/in force now: all\nversion 1: /);
  expect(await readdir(dir)).toEqual(expect.not.arrayContaining(['data']));
});

test('says what it replaces, and that a tariff was already there', async () => {
  await publish(draft);
  expect(await publish(draft)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/; it was already there/),
  });
  await writeTariffFolder(draft, tariff({}, { description: 'Ground' }));
  expect(await publish(draft)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(
        `^Nothing was published\\. This would replace or withdraw ${ID}, which .+ published at \\S+\\. Use --replace`,
      ),
    ),
  });
  const replaced = await publish(join(dir, 'drafts'), '--replace');
  expect(replaced.stdout).toMatch(new RegExp(`^${join(folder, '2026')}: ${ID}, instead of ${ID}\nversion 2\n$`));
  const json = JSON.parse((await publish(draft, '--json')).stdout);
  expect(json).toMatchObject({ folder, tariffs: [{ name: '2026', isNew: false }] });
});

test('names the errors of a tariff, and publishes nothing', async () => {
  await rm(join(draft, 'rates'), { recursive: true });
  expect(await publish(draft)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: 2026\/rates\/GROUND\.csv: .*\nNothing was published: 1 error\.\n$/),
  });
  expect(await readdir(folder)).toEqual([]);
});

test('says that no tariff is in force yet', async () => {
  await writeTariffFolder(draft, tariff({ effective: '2099-01-01' }));
  expect((await publish(draft)).stderr).toContain('None of the tariffs there is in force today.');
});

test.each([
  ['--replace without a folder', ['x', '--replace'], { TARIFFS_DIR: '' }, '--replace is for a folder of tariffs'],
  [
    'the sample tariffs as the folder',
    ['x'],
    { TARIFFS_DIR: join(ROOT, 'samples', 'tariffs') },
    'The sample tariffs cannot be changed.',
  ],
])('is refused for %s', async (_what, args, more, words) => {
  env = { ...env, ...more };
  expect(await publish(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
});

test.each([
  [
    'tariff',
    () => `No tariffs are in ${folder}. \`rates tariff import\` creates one, and \`rates tariff publish\` puts`,
  ],
  ['agreement', () => `No agreements are in ${folder}. \`rates agreement import\` creates one, and \`rates agreement`],
  ['client', () => 'There are no clients. `rates client add` adds one.'],
])('%s list says if there is nothing, and how to add one', async (name, words) => {
  const clients = join(dir, 'clients.json');
  await writeFile(clients, '{"clients": []}');
  const empty = {
    ...env,
    TARIFFS_DIR: name === 'tariff' ? folder : draft,
    AGREEMENTS_DIR: folder,
    CLIENTS_FILE: clients,
  };
  const said = await ratesHere([name, 'list'], { env: empty });
  expect(said).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining(words()) });
});

test('withdraws a tariff, and goes back to the version before', async () => {
  await publish(draft);
  const withdrawn = await ratesHere(['tariff', 'withdraw', '2026'], { env });
  expect(withdrawn.stdout).toMatch(new RegExp(`^${ID}: withdrawn\nversion 2\n$`));
  expect(withdrawn.stderr).toContain('Nothing can be quoted until one is.');
  expect((await ratesHere(['tariff', 'list', '--json'], { env })).stdout).toContain('"tariffs": []');
  expect(await ratesHere(['tariff', 'withdraw', '2026'], { env })).toMatchObject({
    code: 1,
    stderr: 'Nothing was withdrawn. There is no tariff 2026. There are no tariffs.\n',
  });
  const back = await ratesHere(['tariff', 'go-back', '1'], { env });
  expect([back.code, back.stderr]).toEqual([0, FOLLOWED]);
  expect(back.stdout).toMatch(new RegExp(`^${join(folder, '2026')}: ${ID}\nversion 3\n$`));
  const listed = (await ratesHere(['tariff', 'list'], { env })).stdout;
  expect(listed).toMatch(
    new RegExp(
      `^${ID}: .*all\nversion 3: ${ID}; .*\nversion 2: no tariff; .*\nversion 1: ${ID}; published .* by .*\n$`,
    ),
  );
  expect(await ratesHere(['tariff', 'go-back', '9'], { env })).toMatchObject({
    code: 1,
    stderr: 'Nothing was changed. There is no version 9. `rates tariff versions` lists the versions.\n',
  });
});

test('withdraws a tariff by the name that the list shows, and asks which one if a folder has that name too', async () => {
  await writeTariffFolder(join(dir, 'drafts', 'c2'), other('carriers', 'AIR'));
  await writeTariffFolder(join(dir, 'drafts', 'carriers'), other('own', 'SEA'));
  await publish(join(dir, 'drafts', 'c2'));
  const withdraw = (name: string) => ratesHere(['tariff', 'withdraw', name], { env });
  expect(await withdraw('carriers')).toMatchObject({
    ...{ code: 0, stdout: expect.stringMatching(/^carriers@\S+: withdrawn\nversion 2\n$/) },
  });
  await publish(join(dir, 'drafts', 'c2'), join(dir, 'drafts', 'carriers'));
  expect(await withdraw('carriers')).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(
      /^Nothing was withdrawn\. Several tariffs have the name carriers\. Name one of carriers@\S+, own@\S+\.\n$/,
    ),
  });
  expect(await withdraw('c2')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^carriers@\S+: withdrawn\n/) });
});

test('published tariffs: of several commands at once, each waits for the others', async () => {
  env = { ...env, TARIFFS_DIR: 'published' };
  const names = ['air', 'sea', 'land'];
  for (const name of names) await writeTariffFolder(join(dir, name), other(name, name.toUpperCase()));
  const said = await Promise.all(names.map((name) => publish('--add', join(dir, name))));
  expect(said.map(({ code, stderr }) => [code, stderr])).toEqual(
    names.map(() => [0, 'Running processes use it within a second.\n']),
  );
  const { versions } = JSON.parse((await ratesHere(['tariff', 'versions', '--json'], { env })).stdout);
  expect(versions.map(({ version, tariffs }: Record<string, string>) => [version?.[0], tariffs?.length])).toEqual([
    ['3', 3],
    ['2', 2],
    ['1', 1],
  ]);
  expect((await ratesHere(['tariff', 'go-back', '2'], { env })).stdout).toContain(`version ${versions[1].version}\n`);
});
