/** The downloads of a batch, from parts in a store. */
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DirectStore, Store } from '../../src/base/store/store.ts';
import {
  contiguousParts,
  createMerge,
  excelFile,
  faultsOf,
  mergedFile,
  type OutputFile,
  outputOf,
  unprocessedOf,
} from '../../src/batch/output/output.ts';
import { keys } from '../../src/batch/records.ts';
import { type Backend, redisAndStore, type StoredBatch, storeBatch } from './fixtures.ts';

const HEADER = 'order;warehouse_id;postalCode;weight_value;weight_units';
const ROWS = [
  'A1;101;02139;1.5;LB',
  'A2;101;00000;2.5;LB',
  '"A,3";101;10001;3.5;LB',
  'A4;101;60601;4.5;LB',
  'A5;101;not a ZIP;5.5;LB',
  'A6;101;90001;6.5;LB',
  'A7;101;30301;7.5;LB',
];

let backend: Backend;
let batch: StoredBatch;
redisAndStore((fresh) => {
  backend = fresh;
});
beforeEach(async () => {
  batch = await storeBatch(backend.store, `${[HEADER, ...ROWS].join('\n')}\n`, 3);
});

/** The text of a file, after a check of its declared length. */
const textOf = async (file: OutputFile): Promise<string> => {
  const content = await text(file.content);
  if (file.bytes !== undefined) expect(Buffer.byteLength(content)).toBe(file.bytes);
  return content;
};
const firstCells = (content: string): (string | undefined)[] =>
  content
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',')[0]);

describe('the output', () => {
  test('is the header and the parts, in order', async () => {
    const content = await textOf(outputOf(backend.store, batch.document, batch.output.parts));
    expect(firstCells(content)).toEqual(['order', 'A1', 'A2', '"A', 'A4', 'A5', 'A6', 'A7']);
    expect(batch.output.parts).toHaveLength(3);
  });

  test('has a separate file of the rows with faults, with the same header', async () => {
    const content = await textOf(faultsOf(backend.store, batch.document, batch.output.parts));
    expect(firstCells(content)).toEqual(['order', 'A2', 'A5']);
    // The last chunk has no faults, so it has no file.
    expect(await backend.store.size(keys.faults(batch.document.id, 2))).toBeUndefined();
  });

  test('is only the header if there is no part', async () => {
    expect(firstCells(await textOf(outputOf(backend.store, batch.document, [])))).toEqual(['order']);
  });

  test('fails at a missing part', async () => {
    await backend.store.remove(keys.part(batch.document.id, 1));
    await expect(text(outputOf(backend.store, batch.document, batch.output.parts).content)).rejects.toThrow(
      'there is no object',
    );
  });
});

describe('the file of unprocessed rows', () => {
  test('has the input rows of the chunks without a part, below the header of the input', async () => {
    const [first, , third] = batch.output.parts;
    const parts = [first, third].flatMap((part) => (part === undefined ? [] : [part]));
    expect(await textOf(await unprocessedOf(backend.store, batch.document, parts))).toBe(
      `${[HEADER, ...ROWS.slice(3, 6)].join('\n')}\n`,
    );
    expect(await textOf(await unprocessedOf(backend.store, batch.document, []))).toBe(
      `${[HEADER, ...ROWS].join('\n')}\n`,
    );
    expect(await textOf(await unprocessedOf(backend.store, batch.document, batch.output.parts))).toBe(`${HEADER}\n`);
  });

  test('is an error if the input is gone', async () => {
    await backend.store.remove(keys.input(batch.document.id));
    await expect(unprocessedOf(backend.store, batch.document, [])).rejects.toMatchObject({ name: 'MissingObject' });
  });

  test('is an error if the plan is gone, not a file without rows', async () => {
    await backend.store.remove(keys.plan(batch.document.id));
    await expect(unprocessedOf(backend.store, batch.document, [])).rejects.toMatchObject({ name: 'MissingObject' });
  });
});

test('a partial output ends before the first chunk that is missing', async () => {
  const [first, second, third] = batch.parts.map((part) => JSON.stringify(part));
  expect(await contiguousParts({})).toEqual([]);
  expect(await contiguousParts({ 1: second ?? '' })).toEqual([]);
  expect(await contiguousParts({ 2: third ?? '', 0: first ?? '' })).toEqual(batch.output.parts.slice(0, 1));
  expect(await contiguousParts({ 2: third ?? '', 1: second ?? '', 0: first ?? '' })).toEqual(batch.output.parts);
});

describe('for Excel', () => {
  const excel = async (delimiter: ',' | ';') =>
    excelFile(outputOf(backend.store, batch.document, batch.output.parts), delimiter);

  test('a list with commas has the same bytes after a byte-order mark', async () => {
    const plain = await textOf(outputOf(backend.store, batch.document, batch.output.parts));
    const file = await excel(',');
    expect(file.bytes).toBe(Buffer.byteLength(plain) + 3);
    expect(await text(file.content)).toBe(plain);
  });

  test('a list with semicolons keeps them, and its length is not known in advance', async () => {
    const file = await excel(';');
    expect(file.bytes).toBeUndefined();
    const [, a1, , a3] = (await text(file.content)).split('\n');
    expect(a1).toMatch(/^A1;101;02139;1\.5;LB;1;200;/);
    expect(a3).toMatch(/^"A,3";101;10001;3\.5;LB;3;200;/);
  });
});

describe('the merged output', () => {
  const log = (lines: string[]) => pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const joining = (join: DirectStore['join']): Store => ({
    ...backend.store,
    direct: { join, presign: async () => 'https://store.example' },
  });

  test('is not made in a store that serves no downloads itself', () => {
    expect(createMerge(backend.store, log([]))).toBeUndefined();
  });

  test('output and faults are merged from the header and all pieces, with the declared length', async () => {
    const joined = new Map<string, string>();
    const store = joining(async (key, head, pieces) => {
      const parts = await Promise.all(pieces.map((piece) => backend.store.get(piece.key)));
      joined.set(key, Buffer.concat([head, ...parts.map((part) => part ?? Buffer.alloc(0))]).toString());
    });
    const lines: string[] = [];
    await createMerge(store, log(lines))?.(batch.document, batch.output);
    for (const what of ['output', 'faults'] as const) {
      const { key, bytes } = mergedFile(batch.document, batch.output, what);
      const file = (what === 'output' ? outputOf : faultsOf)(backend.store, batch.document, batch.output.parts);
      expect(joined.get(key)).toBe(await textOf(file));
      expect(Buffer.byteLength(joined.get(key) ?? '')).toBe(bytes);
    }
    expect([...joined.keys()]).toEqual([keys.mergedOutput(batch.document.id), keys.mergedFaults(batch.document.id)]);
    expect(lines).toEqual([]);
  });

  test('the faults are merged even if the output cannot be, and the log names what failed', async () => {
    const lines: string[] = [];
    const keysJoined: string[] = [];
    const store = joining(async (key) => {
      if (key.endsWith('output.csv')) throw new Error('the store is away');
      keysJoined.push(key);
    });
    await createMerge(store, log(lines))?.(batch.document, batch.output);
    expect(keysJoined).toEqual([keys.mergedFaults(batch.document.id)]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { batchId: batch.document.id, what: 'output', err: { message: 'the store is away' } },
    ]);
  });

  test('each revision has a file of its own', () => {
    const later = mergedFile(batch.document, { ...batch.output, revision: 2 }, 'output');
    expect(later.key).toBe(keys.mergedOutput(batch.document.id, 2));
    expect(later.key).not.toBe(mergedFile(batch.document, batch.output, 'output').key);
  });
});
