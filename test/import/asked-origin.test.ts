/** Files that do not state their origin: an import asks at once, and reads the others meanwhile. */
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ReadingProgress } from '../../src/import/drafts/tasks.ts';
import { type Asking, runImport } from '../../src/import/run.ts';
import { ratesHere } from '../cli/in-process.ts';
import { folderForFile } from '../folder.ts';
import { zoneMatrix } from './made-usps.ts';

const LIST = 'State/Province,Dest Zip/Postal Code,Service Days,Zone\nAZ,85001,1,2\n';
const FILES = {
  'list.csv': LIST,
  'named-850.csv': LIST,
  'rates.csv': 'service,weight_lb,2,3\nFDX-GROUND,1,6.90,8.00\n',
  'zones.csv': 'origin,destination,FDX-GROUND\n070,000-999,2\n',
};

let dir: string;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(dir, name), text);
  await writeFile(join(dir, 'notes.txt'), 'nothing of use');
  await writeFile(join(dir, 'matrix.txt'), zoneMatrix([850]));
});

const imported = (names: readonly string[], asking: Asking) =>
  runImport({
    files: names.map((name) => ({ path: join(dir, name) })),
    ...{ name: 'asked', effective: '2032-01-05', services: [], layers: undefined, origins: [] },
    ...asking,
  });

test('asks for the origin before a file is read, and goes on with the answer when the others are', async () => {
  const told: ReadingProgress[] = [];
  const asked: string[] = [];
  const outcome = await imported(Object.keys(FILES), {
    onProgress: (progress) => told.push(progress),
    originOf: async (path) => {
      asked.push(basename(path));
      return '851';
    },
  });
  expect(asked).toEqual(['list.csv']);
  expect(told[0]).toEqual({ read: 0, of: 4, reading: [], waiting: ['list.csv'] });
  expect(told.at(-1)).toEqual({ read: 4, of: 4, reading: [], waiting: [] });
  const begun = told.flatMap(({ reading }) => reading);
  expect(new Set(begun)).toEqual(new Set(Object.keys(FILES)));
  expect(begun.indexOf('list.csv')).toBeGreaterThan(begun.indexOf('zones.csv'));
  if (!('report' in outcome)) throw new Error(JSON.stringify(outcome));
  const charts = outcome.files.flatMap(({ source }) => source.reading.charts.map(({ origin }) => origin));
  expect(charts.toSorted()).toEqual(['070', '850', '851']);
});

test('says which file has no origin if nobody answers', async () => {
  const outcome = await imported(['rates.csv', 'list.csv'], { originOf: async () => undefined });
  expect(outcome).toMatchObject({ refused: [{ path: join(dir, 'list.csv'), lacksOrigin: true }] });
});

test('asks nothing once a file cannot be read, because nothing is imported then', async () => {
  const outcome = await imported(['list.csv', 'rates.csv', 'zones.csv', 'notes.txt', 'missing.csv'], {
    originOf: () => Promise.reject(new Error('asked')),
  });
  if (!('refused' in outcome)) throw new Error(JSON.stringify(outcome));
  expect(outcome.refused.map(({ path, lacksOrigin }) => [basename(path), lacksOrigin])).toEqual([
    ['list.csv', true],
    ['notes.txt', false],
    ['missing.csv', false],
  ]);
});

test('the command reads nothing then, and names the option for each file', async () => {
  const paths = ['matrix.txt', 'list.csv', 'rates.csv', 'notes.txt'].map((name) => join(dir, name));
  const args = ['tariff', 'import', ...paths, '--into', join(dir, 'into'), '--effective', '2032-01-05'];
  const env = { CLIENTS_FILE: join(dir, 'none.json') };
  const { code, stderr } = await ratesHere(args, { env });
  expect(code).toBe(1);
  expect(stderr).toContain('list.csv: a FedEx zone list does not state its origin');
  expect(stderr).toContain('Add --origin list.csv=850, with your ZIP3\n');
  expect(stderr).toContain('Add --origin matrix.txt=850, with your ZIP3\n');
  expect(stderr).not.toContain('notes.txt');
  const named = [...args, '--origin', 'list.csv=850', '--origin', 'matrix.txt=850'];
  expect((await ratesHere(named, { env })).stderr).toContain('notes.txt: it is of no known kind');
});
