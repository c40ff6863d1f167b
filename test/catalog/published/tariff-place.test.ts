/** Published tariffs are changed one by one, as the console and `rates tariff publish --add` do. */
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { TARIFFS } from '../../../src/catalog/documents/kinds.ts';
import type { ChangeNote, Library } from '../../../src/catalog/documents/library.ts';
import { libraryOf } from '../../../src/catalog/published/store-place.ts';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { folderForEachTest } from '../../folder.ts';
import { smallTariff, TEN_POUNDS } from '../tariff/small-tariff.ts';
import { type Setup, setUpForEachTest } from './setup.ts';

const NOTE = { by: 'ann', now: new Date('2026-03-01T00:00:00Z') };

let setup: Setup;
let dir: string;
let place: Library<TariffDocument>;
setUpForEachTest((fresh) => (setup = fresh));
folderForEachTest((made) => (dir = made));
beforeEach(() => {
  place = libraryOf(TARIFFS, undefined, (use) => use(setup.deps));
});

/** The folder of a tariff. */
const folder = async (name: string, effective: string, code: string, description = 'Ground'): Promise<string> => {
  const path = join(dir, name);
  const document = smallTariff({
    file: { name, effective },
    service: { code, description, maximumActualLb: 10 },
    document: { rates: { [code]: TEN_POUNDS } },
  });
  await writeTariffFolder(path, document);
  return path;
};
const publish = async (path: string, replace = false, on?: string | null) =>
  place.put([{ dir: path }], { replace: replace ? 'all' : 'none', ...NOTE, ...(on !== undefined && { on }) });
const withdraw = (name: string, note: ChangeNote = NOTE) => place.put([], { remove: [name], replace: 'all', ...note });
const names = async (): Promise<readonly string[]> =>
  (await place.current()).documents.map(({ file }) => `${file.name} ${file.services[0]?.description}`);

test('a tariff is added to the others, and replaces one with its name and date only on request', async () => {
  await publish(await folder('air', '2026-01-05', 'AIR'));
  expect(await publish(await folder('ground', '2026-01-05', 'GROUND'))).toMatchObject({
    placed: [{ name: 'ground', before: null, isNew: true }],
    warnings: [],
  });
  expect(await names()).toEqual(['air Ground', 'ground Ground']);
  const changed = await folder('ground', '2026-01-05', 'GROUND', 'New');
  await expect(publish(changed)).rejects.toThrow(
    /^This would replace or withdraw ground@2026-01-05-\S+, which ann published at \S+\. Use --replace/,
  );
  expect(await publish(changed, true)).toMatchObject({ placed: [{ before: expect.stringMatching(/^ground@/) }] });
  expect(await names()).toEqual(['air Ground', 'ground New']);
  await publish(await folder('ground', '2027-01-04', 'GROUND', 'Next year'));
  expect(await names()).toEqual(['air Ground', 'ground New', 'ground Next year']);
});

test('two tariffs with a service from one date are refused', async () => {
  await publish(await folder('ground', '2026-01-05', 'GROUND'));
  expect(await publish(await folder('other', '2026-01-05', 'GROUND'))).toEqual({
    errors: [expect.objectContaining({ severity: 'error', at: 'other services GROUND' })],
  });
  expect(await names()).toEqual(['ground Ground']);
});

test('a tariff is withdrawn by its name or id, and comes back with its version', async () => {
  const air = await publish(await folder('air', '2026-01-05', 'AIR'));
  const both = await publish(await folder('ground', '2026-01-05', 'GROUND'));
  const [version = ''] = 'version' in both ? [both.version] : [];
  const [id = ''] = 'placed' in air ? air.placed.map((one) => one.id) : [];
  expect(await withdraw('ground')).toMatchObject({ withdrawn: [expect.stringMatching(/^ground@/)] });
  expect(await withdraw(id)).toMatchObject({ withdrawn: [id] });
  expect(await names()).toEqual([]);
  await expect(withdraw('air')).rejects.toThrow('There is no tariff air. There are no tariffs.');
  expect(await place.goBack(version, NOTE)).toMatchObject({ version, placed: [{ isNew: true }, { isNew: true }] });
  expect(await names()).toEqual(['air Ground', 'ground Ground']);
  const versions = await place.versions();
  expect(versions.map(({ version: one, by, isCurrent }) => [one[0], by, isCurrent])).toEqual([
    ['4', 'ann', false],
    ['3', 'ann', false],
    ['2', 'ann', true],
    ['1', 'ann', false],
  ]);
});

test('a change for another version than the one in force is refused', async () => {
  await publish(await folder('air', '2026-01-05', 'AIR'));
  const path = await folder('ground', '2026-01-05', 'GROUND');
  await expect(publish(path, false, null)).rejects.toThrow('Somebody else has just changed the tariffs.');
  const [{ version } = { version: '' }] = await place.versions();
  await publish(path, false, version);
  expect(await names()).toEqual(['air Ground', 'ground Ground']);
  await expect(withdraw('air', { on: version, ...NOTE })).rejects.toThrow('Somebody else has just changed');
});

test('an id chooses among tariffs with the same name', async () => {
  await publish(await folder('ground', '2026-01-05', 'GROUND'));
  await publish(await folder('ground', '2027-01-04', 'GROUND'));
  await expect(withdraw('ground')).rejects.toThrow(/^Several tariffs have the name ground\. Name one of/);
});
