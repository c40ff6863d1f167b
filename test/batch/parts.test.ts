/** The parts of a batch's chunks: how they are made, made again, and checked in the store. */
import { beforeEach, describe, expect, test } from 'vitest';
import { putJson } from '../../src/base/store/store.ts';
import { stored } from '../../src/batch/quota.ts';
import { keys, records } from '../../src/batch/records.ts';
import { readRevisionPlan } from '../../src/batch/revisions.ts';
import { ADMIT_ONLY, state } from '../../src/batch/state.ts';
import { createPartCheck, createPartMaker } from '../../src/batch/work/parts.ts';
import { TARIFFS } from '../../src/catalog/documents/kinds.ts';
import { createSnapshots } from '../../src/catalog/published/snapshots.ts';
import { demoShipper, referenceSchedule } from '../lists/rows/fixtures.ts';
import { type Backend, idOf, redisAndStore, type StoredBatch, storeBatch } from './fixtures.ts';

const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units';
/** Nine rows in three chunks; row 2 has a fault. */
const LIST = `${[HEADER, ...Array.from({ length: 9 }, (_, at) => `A${at + 1},101,${at === 1 ? '00000' : '02139'},1.5,LB`)].join('\n')}\n`;
const ID = idOf(1);

let backend: Backend;
let batch: StoredBatch;
redisAndStore((fresh) => {
  backend = fresh;
});
beforeEach(async () => {
  batch = await storeBatch(backend.store, LIST, 3);
});

describe('making parts', () => {
  const LIMITS = { bytesStored: 1_000_000, bytesInFlight: 1_000_000, outputPerInputByte: 100 };
  let maker: ReturnType<typeof createPartMaker>;
  const makerWith = (limits: Partial<typeof LIMITS>) =>
    createPartMaker({
      ...backend,
      snapshots: createSnapshots(backend.store),
      maximumRowBytes: 1_000,
      limitsOf: () => ({ ...LIMITS, ...limits }),
    });
  const rate = async (index: number, suspected = false) => {
    const loaded = await maker.load(ID, 1);
    if (loaded === undefined) throw new Error('there is no batch');
    return maker.rate(loaded, ID, index, suspected);
  };
  const fileOf = (key: string) => backend.store.get(key).then((bytes) => bytes?.toString());

  beforeEach(async () => {
    const schedule = await referenceSchedule();
    const tariffs = await createSnapshots(backend.store).keep(TARIFFS, schedule.documents);
    await putJson(backend.store, keys.batch(ID), {
      ...batch.document,
      tariffs,
      warehouses: [...demoShipper.warehouses.values()],
      discounts: { 'C1-EXPRESS': 1_000 },
    });
    maker = makerWith({});
  });

  test('gives the same bytes twice, and for a suspected chunk', async () => {
    const before = [await fileOf(keys.part(ID, 0)), await fileOf(keys.faults(ID, 0)), batch.parts[0]];
    for (const suspected of [false, true]) {
      await backend.store.remove(keys.parts(ID));
      const part = await rate(0, suspected);
      expect([await fileOf(keys.part(ID, 0)), await fileOf(keys.faults(ID, 0)), part]).toEqual(before);
      expect(await records.part(backend.store, ID, 0)).toEqual(part);
    }
  });

  test('writes no faults file if no row has a fault, and counts the bytes for the client', async () => {
    await backend.store.remove(keys.parts(ID));
    const { faultBytes } = await rate(1);
    expect([faultBytes, await backend.store.size(keys.faults(ID, 1))]).toEqual([0, undefined]);
    // A block for the part, and one for its sizes.
    expect(await stored.sum(backend.redis, 'demo')).toBe(8_192);
  });

  test('fails with the limit if the client may store no more, and writes nothing', async () => {
    await backend.store.remove(keys.parts(ID));
    maker = makerWith({ bytesStored: 100 });
    await expect(rate(0)).rejects.toMatchObject({ limit: 'bytesStored', most: 100 });
    expect(await backend.store.list(keys.parts(ID))).toEqual([]);
  });

  test('returns nothing if there is no such batch', async () => {
    expect(await maker.load(idOf(2), 1)).toBeUndefined();
    expect(await maker.load(ID, 2)).toBeUndefined();
  });

  test('is an error if the plan is missing, or if the input is not what was planned', async () => {
    await backend.store.put(keys.input(ID), Buffer.from(LIST.slice(0, 100)));
    await expect(rate(2)).rejects.toThrow('is not what was planned');
    await backend.store.remove(keys.plan(ID));
    maker = makerWith({});
    await expect(maker.load(ID, 1)).rejects.toThrow('the plan of batch');
  });

  describe('with a row that ended the process', () => {
    const UPLOAD = `input_row,${HEADER}\n3,A3,101,02139,2,LB\n2,A2,101,02139,2,LB\n`;
    const placeOf = (row: number): [number, number, number] => {
      const from = UPLOAD.indexOf(`\n${row},`) + 1;
      return [row, from, UPLOAD.indexOf('\n', from) + 1];
    };
    /** A revision that corrects these rows of chunk 0. */
    const revise = async (revision: number, from: number, ...rows: number[]) => {
      const places = Buffer.from(`${JSON.stringify(rows.map(placeOf))}\n`);
      const upload = `u${revision}`;
      await backend.store.put(keys.corrections(ID, upload), Buffer.from(UPLOAD));
      await backend.store.put(keys.correctedRows(ID, upload), places);
      await putJson(backend.store, keys.revision(ID, revision), {
        ...{ revision, from, createdAt: '2026-06-02T12:00:00.000Z', filename: 'f.csv', upload, repairs: [] },
        ...{ dialect: { delimiter: ',', lineBreak: 'lf' }, rowColumn: 0, cells: [1, 2, 3, 4, 5], rows: rows.length },
        chunks: [{ index: 0, rows: rows.length, from: 0, to: places.length }],
      });
      const loaded = await maker.load(ID, revision);
      if (loaded === undefined) throw new Error('there is no revision');
      const { tally, bytes, faultBytes } = await maker.rate(loaded, ID, 0, true);
      const parts = batch.output.parts.with(0, { index: 0, bytes, faultBytes, revision });
      await putJson(backend.store, keys.output(ID, revision), { revision, parts });
      return tally.faults;
    };

    beforeEach(async () => {
      await putJson(backend.store, keys.poisonRows(ID, 0), { pending: [], tries: 0, condemned: [3] });
      await backend.store.remove(`${keys.parts(ID)}00000.json`);
      expect((await rate(0, true)).tally.faults).toMatchObject({ 'row.malformed': 1 });
    });

    test('a revision that corrects another row leaves it unrated, and one that corrects it rates it', async () => {
      expect(await revise(2, 1, 2)).toEqual({ 'row.malformed': 1 });
      expect(await fileOf(keys.faults(ID, 0, 2))).toMatch(/^A3,101,02139,1.5,LB,3,.*the program fails/);
      expect(await revise(3, 2, 3)).toEqual({});
      expect(await fileOf(keys.part(ID, 0, 3))).toMatch(
        /^A1,101,02139,1.5,.*\nA2,101,02139,2,.*\nA3,101,02139,2,.*\n$/,
      );
    });

    test('a correction that ends the process too is known to the next revision', async () => {
      await putJson(backend.store, keys.poisonRows(ID, 0, 2), { pending: [], tries: 0, condemned: [3] });
      expect(await revise(2, 1, 3)).toEqual({ 'getRates.noDeliveryCoverage': 1, 'row.malformed': 1 });
      expect(await revise(3, 2, 2)).toEqual({ 'row.malformed': 1 });
    });
  });

  test('reads a batch once for chunks that begin together, and again if it was missing', async () => {
    const late = makerWith({});
    const document = await backend.store.get(keys.batch(ID));
    await backend.store.remove(keys.batch(ID));
    expect(await late.load(ID, 1)).toBeUndefined();
    await backend.store.put(keys.batch(ID), document ?? Buffer.alloc(0));
    const [first, second] = await Promise.all([late.load(ID, 1), late.load(ID, 1)]);
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });
});

describe('the check of all parts before the output is assembled', () => {
  const check = async () => {
    const revisionPlan = await readRevisionPlan(backend.store, ID, 1);
    if (revisionPlan === undefined) throw new Error('there is no first revision');
    const { parts, lost } = await createPartCheck(backend)(ID, revisionPlan);
    return [[...parts.keys()], lost];
  };
  const processed = async () => (await state.fields(backend.redis, ID))['processed'];

  beforeEach(async () => {
    const fields = {
      status: 'queued',
      revision: '1',
      chunks: '3',
      processed: '0',
      quoted: '0',
      faulted: '0',
      next: '0',
    };
    await state.create(backend.redis, ID, fields);
    await state.advance(backend.redis, ID, 1, 9, ADMIT_ONLY, undefined);
    for (const [index, part] of batch.parts.entries()) await state.advance(backend.redis, ID, 1, 9, index, part);
  });

  test('finds them whole, in order', async () => {
    expect([await check(), await processed()]).toEqual([[[0, 1, 2], 0], '9']);
  });

  test('accepts a part in the store that Redis lacks', async () => {
    await backend.redis.del(`rates:{${ID}}:done`);
    expect(await check()).toEqual([[0, 1, 2], 0]);
  });

  test.each([
    ['gone', () => backend.store.remove(keys.part(ID, 1))],
    ['too short', () => backend.store.put(keys.part(ID, 1), Buffer.from('half'))],
  ])('takes back a part that is %s, and its rows are no longer done', async (_how, harm) => {
    await harm();
    expect([await check(), await processed()]).toEqual([[[0, 2], 1], '6']);
    expect(await records.part(backend.store, ID, 1)).toBeUndefined();
  });

  test('takes back a part whose faults file is gone', async () => {
    await backend.store.remove(keys.faults(ID, 0));
    expect([await check(), await processed()]).toEqual([[[1, 2], 1], '6']);
  });
});
