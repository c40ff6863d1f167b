import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BATCHES, type BatchApi, HEADER, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
let stopWorker: (() => Promise<void>) | undefined;
const work = async (): Promise<void> => {
  stopWorker ??= await api.work();
};
const rest = async (): Promise<void> => {
  await stopWorker?.();
  stopWorker = undefined;
};
batchApiForFile(async (started) => {
  ({ api } = started);
  await work();
});
afterEach(work);
afterAll(rest);

/** 20 rows in seven chunks. Rows 2, 9, 10 and 20 have an invalid ZIP code. */
const FAULTY = [2, 9, 10, 20];
const SOUND = listOf(20);
const LIST = SOUND.split('\n')
  .map((line, row) => (FAULTY.includes(row) ? line.replace(',02139,', ',0213,') : line))
  .join('\n');
const correctedText = (faults: string): string => faults.replaceAll(',0213,', ',02139,');

const correct = (id: string, body: string | Uint8Array<ArrayBuffer>, query = '', type = 'text/csv', key?: string) =>
  api.api.call(`${BATCHES}/${id}/corrections${query}`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': type, ...(key !== undefined && { 'Idempotency-Key': key }) },
    body,
  });
const completed = async (list: string, query = ''): Promise<string> => {
  const id = await api.upload(list, query);
  expect((await api.ended(id)).status).toBe('completed');
  return id;
};
const text = async (below: string): Promise<string> => (await api.file(below)).text;

test('corrections count all rows of their chunks, because all are rated again', async () => {
  const id = await completed(LIST);
  const faults = correctedText(await text(`/${id}/faults`));
  await rest();
  expect((await correct(id, faults)).status).toBe(202);
  // Rows 1 to 3, 7 to 9, 10 to 12, and 19 and 20.
  expect(await api.redis.hget('rates:inflight:{demo}', id)).toBe('11');
  await work();
  await api.ended(id);
});

describe('corrections that went through a spreadsheet', () => {
  test('have their ZIP codes repaired with ?repair=zip, in the cells of the output', async () => {
    const id = await completed(LIST);
    const faults = (await text(`/${id}/faults`)).replaceAll(',0213,', ',2139,');
    expect((await correct(id, faults, '?repair=zip')).status).toBe(202);
    expect(await api.ended(id)).toMatchObject({ status: 'completed', revision: 2, outcome: 'all_quoted' });
    expect(await text(`/${id}/output`)).toBe(await text(`/${await completed(SOUND)}/output`));
  });

  test('have the same faults without it', async () => {
    const id = await completed(LIST);
    const faults = (await text(`/${id}/faults`)).replaceAll(',0213,', ',2139,');
    expect((await correct(id, faults)).status).toBe(202);
    expect(await api.ended(id)).toMatchObject({ revision: 2, rows: { faulted: 4 } });
  });

  test('name their repairs in quote_repairs if the batch was created with repairs', async () => {
    const id = await completed(LIST, '?repair=zip');
    const faults = (await text(`/${id}/faults`)).replaceAll(',0213,', ',2139,');
    expect((await correct(id, faults, '?repair=zip')).status).toBe(202);
    await api.ended(id);
    const rows: Record<string, string>[] = parse(await text(`/${id}/output`), { columns: true });
    expect(rows[1]?.['quote_repairs']).toBe('postalCode 2139 read as 02139');
  });

  test('accept the options of the upload, and refuse others by name', async () => {
    const id = await completed(LIST, '?explain=true&shippingService=C1-GROUND');
    const faults = correctedText(await text(`/${id}/faults`));
    expect((await correct(id, faults, '?explain=true&shippingService=C2-GROUND&residential=true')).body).toMatchObject({
      code: 422,
      fault: {
        type: 'getRates.invalidRequest',
        arguments: {
          shippingService: 'must be "C1-GROUND", as the batch was created with, or left out',
          residential: 'must be left out: the batch was created without it',
        },
      },
    });
    expect((await correct(id, faults, '?explain=true&shippingService=C1-GROUND')).status).toBe(202);
  });
});

describe('a corrected faults file', () => {
  test('is accepted with 202 and gives the output of the corrected list, byte for byte, as the next revision', async () => {
    const id = await completed(LIST);
    const before = await text(`/${id}/output`);
    const { status, body } = await correct(id, correctedText(await text(`/${id}/faults`)));
    expect(status).toBe(202);
    expect(body).toMatchObject({
      id,
      revision: 2,
      status: expect.stringMatching(/^(?:queued|in_progress|finalizing|completed)$/),
    });
    const ended = await api.ended(id);
    expect(ended).toMatchObject({
      status: 'completed',
      revision: 2,
      outcome: 'all_quoted',
      rows: { total: 20, processed: 20, quoted: 20, faulted: 0 },
      faults: {},
    });
    const whole = await completed(SOUND);
    const output = await api.file(`/${id}/output`);
    expect(output.text).toBe(await text(`/${whole}/output`));
    expect([output.headers.get('batch-revision'), output.headers.get('batch-complete')]).toEqual(['2', 'true']);
    expect(await text(`/${id}/faults`)).toBe(await text(`/${whole}/faults`));
    const { id: _, revision, ...summary } = (await api.call('GET', `/${id}/summary`)).body;
    const { id: __, revision: ___, ...expected } = (await api.call('GET', `/${whole}/summary`)).body;
    expect([revision, summary]).toEqual([2, expected]);
    // The earlier revision is still there.
    expect(await text(`/${id}/output?revision=1`)).toBe(before);
    expect((await api.call('GET', `/${id}/summary?revision=1`)).body.rows.faulted).toBe(4);
    expect(parse(await text(`/${id}/faults?revision=1`)).length).toBe(5);
  });

  test('writes new parts only for chunks with corrected rows', async () => {
    const id = await completed(LIST);
    await correct(id, correctedText(await text(`/${id}/faults`)));
    await api.ended(id);
    const parts = await api.store.list(`batches/${id}/parts/`);
    expect(parts.filter((name) => name.endsWith('.r2.csv'))).toEqual([
      '00000.r2.csv',
      '00002.r2.csv',
      '00003.r2.csv',
      '00006.r2.csv',
    ]);
  });

  test('may have some of the rows, in any order, with remaining faults, again and again', async () => {
    const id = await completed(LIST);
    const [header = '', ...rows] = (await text(`/${id}/faults`)).trimEnd().split('\n');
    const twenty = rows[3]?.replace(',0213,', ',02139,') ?? '';
    const two = rows[0]?.replace(',101,', ',999,') ?? '';
    expect((await correct(id, `${header}\n${twenty}\n${two}\n`)).status).toBe(202);
    expect(await api.ended(id)).toMatchObject({ revision: 2, rows: { quoted: 17, faulted: 3 } });
    const left: Record<string, string>[] = parse(await text(`/${id}/faults`), { columns: true });
    expect(left.map((row) => row['input_row'])).toEqual(['2', '9', '10']);
    expect(left.map((row) => row['warehouse_id'])).toEqual(['999', '101', '101']);
    const all = correctedText(await text(`/${id}/faults`)).replace(',999,', ',101,');
    expect((await correct(id, all)).status).toBe(202);
    expect(await api.ended(id)).toMatchObject({ revision: 3, outcome: 'all_quoted' });
    expect(await text(`/${id}/output`)).toBe(await text(`/${await completed(SOUND)}/output`));
    expect(parse(await text(`/${id}/faults?revision=2`)).length).toBe(4);
  });

  test('may have passed through a spreadsheet: other separators, order of columns, byte-order mark, added empty columns', async () => {
    const id = await completed(LIST);
    const rows: string[][] = parse(correctedText(await text(`/${id}/faults`)));
    const turned = rows.map((row) => [...row].reverse().concat('', ''));
    const { status, body } = await correct(
      id,
      stringify(turned, { bom: true, delimiter: ';', record_delimiter: '\r\n' }),
    );
    expect([status, body.fault]).toEqual([202, undefined]);
    await api.ended(id);
    expect(await text(`/${id}/output`)).toBe(await text(`/${await completed(SOUND)}/output`));
  });

  test('keeps the options of the upload: explanations, all services, repairs, the meaning of columns', async () => {
    const query =
      '?services=all&explain=true&repair=zip&warehouse_id=101&columns=postalCode:where,weight_value:how%20much&units=KG';
    const list = (zip: string) => `where,how much,Zip,=note\n${zip},2,x,=1+1\n2139,3,"a, ""b""",'quoted\n`;
    const id = await completed(list('0213x'), query);
    const faults = await text(`/${id}/faults`);
    expect((await correct(id, faults.replace('0213x', '90210'))).status).toBe(202);
    expect(await api.ended(id)).toMatchObject({ outcome: 'all_quoted' });
    expect(await text(`/${id}/output`)).toBe(await text(`/${await completed(list('90210'), query)}/output`));
  });
});

describe('while a revision is running', () => {
  test('the previous one is served until the new one is ready', async () => {
    await rest();
    const id = await api.upload(LIST);
    for (let index = 0; index < 7; index += 1) await api.rateChunk(id, index);
    await work();
    await api.ended(id);
    await rest();
    const before = await text(`/${id}/output`);
    const { body } = await correct(id, correctedText(await text(`/${id}/faults`)));
    expect(body).toMatchObject({ status: 'queued', revision: 2, outcome: null, completedAt: null });
    expect(await text(`/${id}/output`)).toBe(before);
    expect((await api.file(`/${id}/output?revision=2`)).status).toBe(409);
    expect((await correct(id, correctedText(await text(`/${id}/faults`)))).body.fault).toMatchObject({
      type: 'batches.notFinal',
      message: 'The status is queued; it must be completed.',
    });
    // A chunk that is rated for the first revision no longer counts.
    expect(await api.rateChunk(id, 0)).toBeUndefined();
    expect((await api.call('GET', `/${id}`)).body.rows).toMatchObject({ processed: 9 });
    await work();
    expect(await api.ended(id)).toMatchObject({ revision: 2, rows: { processed: 20, quoted: 20, faulted: 0 } });
    expect(await text(`/${id}/output`)).not.toBe(before);
  });

  test('it can be cancelled, which restores the batch. The next one has a new number', async () => {
    const id = await completed(LIST);
    await rest();
    const faults = correctedText(await text(`/${id}/faults`));
    await correct(id, faults);
    expect((await api.call('POST', `/${id}/cancel`)).status).toBe(202);
    await work();
    expect(await api.until(id, ({ status }) => status === 'completed')).toMatchObject({
      revision: 1,
      rows: { faulted: 4 },
    });
    expect((await correct(id, faults)).body.revision).toBe(3);
    expect(await api.ended(id)).toMatchObject({ revision: 3, outcome: 'all_quoted' });
    const asked = async (revision: number) => (await api.call('GET', `/${id}/output?revision=${revision}`)).body.fault;
    expect(await asked(2)).toMatchObject({ arguments: { revision: 'must be a revision that was completed' } });
    expect(await asked(4)).toMatchObject({ arguments: { revision: 'must be from 1 to 3' } });
    expect((await api.file(`/${id}/output?revision=1`)).status).toBe(200);
  });

  test('two that arrive at once make one revision', async () => {
    const id = await completed(LIST);
    const faults = correctedText(await text(`/${id}/faults`));
    const answers = await Promise.all([1, 2, 3].map(() => correct(id, faults)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
    expect(await api.ended(id)).toMatchObject({ revision: 2, rows: { processed: 20, quoted: 20 } });
  });
});

test('corrections with the same key make one revision. Other content or another batch is refused', async () => {
  const id = await completed(LIST);
  const faults = correctedText(await text(`/${id}/faults`));
  const keyed = async (of: string, file: string) => await correct(of, file, '', 'text/csv', 'corrections-1');
  const answers = [await keyed(id, faults)];
  await api.ended(id);
  answers.push(await keyed(id, faults));
  // Redis may lose the key.
  await api.redis.del(`rates:idempotency:{demo:${createHash('sha256').update('corrections-1').digest('hex')}}`);
  answers.push(await keyed(id, faults));
  expect(
    answers.map(({ status, body, headers }) => [status, body.id, body.revision, headers.get('idempotent-replayed')]),
  ).toEqual([
    [202, id, 2, null],
    [202, id, 2, 'true'],
    [202, id, 2, 'true'],
  ]);
  for (const { status, body } of [await keyed(id, `${faults}\n`), await keyed(await completed(LIST), faults)])
    expect([status, body.fault.type]).toEqual([422, 'idempotency.keyReused']);
});

test('corrections that are refused free their key', async () => {
  const id = await completed(LIST);
  const faults = correctedText(await text(`/${id}/faults`));
  const keyed = (file: string) => correct(id, file, '', 'text/csv', 'corrections-2');
  expect((await keyed(faults.replace(',9,422,', ',3,422,'))).status).toBe(422);
  expect((await keyed(faults)).status).toBe(202);
  await api.ended(id);
});

describe('corrections that are refused', () => {
  let id: string;
  let faults: string;
  beforeAll(async () => {
    id = await completed(LIST);
    faults = await text(`/${id}/faults`);
  });
  const rows = (edit: (lines: string[]) => string[]): string => {
    const [header = '', ...lines] = faults.trimEnd().split('\n');
    return `${[header, ...edit(lines)].join('\n')}\n`;
  };
  const numbered = (line: string | undefined, row: string): string => (line ?? '').replace(/,\d+,422,/, `,${row},422,`);

  test.each<[string, (lines: string[]) => string[], Record<string, string>]>([
    ['a repeated row', (lines) => [...lines, lines[1] ?? ''], { rowsTwice: 'rows that occur twice: 9' }],
    [
      'a row that had no fault',
      (lines) => [numbered(lines[0], '3')],
      { rowsWithoutFault: 'rows that have no fault: 3; remove these rows from the file' },
    ],
    [
      'a row that does not exist',
      (lines) => [numbered(lines[0], '21')],
      { unknownRows: 'the batch has rows 1 to 20, not 21' },
    ],
    [
      'a row without a number',
      (lines) => [numbered(lines[0], '')],
      { unknownRows: 'the batch has rows 1 to 20, not (none, in row 1 of the file)' },
    ],
    ['a row without content', () => [`,,,,,,,2,422${','.repeat(14)}`], { emptyRows: 'rows without any content: 2' }],
    ['a row that cannot be read', (lines) => [`"${lines[0]}`], { file: 'rows of it cannot be read: 1' }],
  ])('%s', async (_what, edit, problems) => {
    const { status, body } = await correct(id, rows(edit));
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(body.fault.arguments).toEqual(problems);
  });

  test('columns that the batch does not have', async () => {
    const { body } = await correct(id, faults.replace('order,', 'note,').replace('input_row', 'row'));
    expect(body.fault.arguments).toEqual({
      input_row: 'required column missing: it has the number of the row to correct',
      missing: 'the file is missing columns of the batch: "order"',
      unknown: 'the batch does not have these columns: "note", "row"',
    });
  });

  test('leave the batch unchanged, and leave no files', async () => {
    expect((await api.call('GET', `/${id}`)).body).toMatchObject({ status: 'completed', revision: 1 });
    expect(await api.store.list(`batches/${id}/revisions/`)).toEqual([]);
  });

  test('of a batch that is cancelled, of another client, or gone', async () => {
    await rest();
    const cancelled = await api.upload(LIST);
    await api.call('POST', `/${cancelled}/cancel`);
    await work();
    await api.ended(cancelled);
    const { status, body } = await correct(cancelled, faults);
    expect([status, body.fault.type, body.fault.arguments]).toEqual([409, 'batches.notFinal', { status: 'cancelled' }]);
    const token = await api.api.tokenOf('other', 'other-secret');
    const foreign = await api.call('POST', `/${id}/corrections`, token);
    expect([foreign.status, foreign.body.fault.type]).toEqual([404, 'request.notFound']);
  });

  test('a revision that does not exist', async () => {
    for (const revision of ['0', '2', 'x']) {
      const answer = await api.call('GET', `/${id}/output?revision=${revision}`);
      expect([answer.status, Object.keys(answer.body.fault.arguments)]).toEqual([422, ['revision']]);
    }
  });
});

test('correcting all faulty rows of any batch gives the output of the corrected list', async () => {
  const cell = fc.constantFrom('a', '', 'x,y', 'q"q', 'line\nbreak', '=1+1', "'s", '-5', ' é ', '＝x');
  const fault = fc.constantFrom<[number, string]>(
    [1, '999'],
    [2, '2139'],
    [2, '99999'],
    [3, '0'],
    [4, 'st'],
    [5, 'NONE'],
    [6, 'x'.repeat(36)],
  );
  const row = fc.record({ note: cell, fault: fc.option(fault), dialect: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('', '?formulas=keep', '?services=all'),
      async (made, delimiter, query) => {
        const sound = made.map(({ note }, index) => [note, '101', '02139', String(index + 1), 'LB', 'C1-GROUND', '']);
        const faulty = sound.map((cells, index) => {
          const [at, value] = made[index]?.fault ?? [-1, ''];
          return cells.map((own, column) => (column === at ? value : own));
        });
        const written = (rows: string[][]) => stringify([HEADER.split(','), ...rows], { delimiter });
        const id = await completed(written(faulty), query);
        const [header = [], ...faults]: string[][] = parse(await text(`/${id}/faults`));
        if (faults.length === 0) return;
        const rowCell = header.indexOf('input_row');
        const corrected = faults.map((cells) => {
          const [, ...others] = sound[Number(cells[rowCell]) - 1] ?? [];
          return [cells[0] ?? '', ...others, ...cells.slice(7)];
        });
        const numbers = new Set(faults.map((cells) => Number(cells[rowCell])));
        const list = faulty.map((cells, index) => (numbers.has(index + 1) ? (sound[index] ?? []) : cells));
        const { status, body } = await correct(id, stringify([header, ...corrected]));
        expect([status, body.fault]).toEqual([202, undefined]);
        expect(await api.ended(id)).toMatchObject({ revision: 2, outcome: 'all_quoted' });
        expect(await text(`/${id}/output`)).toBe(await text(`/${await completed(written(list), query)}/output`));
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);
