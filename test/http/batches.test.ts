import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { OUTPUT_COLUMNS } from '../../src/lists/output/output-columns.ts';
import { BATCHES, type BatchApi, HEADER, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

const FAULTY = 'F1,101,0213,2,LB,,\n';
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

/** Uploads a list. @returns the rows of the output */
const rate = async (list: string, query = ''): Promise<Record<string, string>[]> => {
  const id = await api.upload(list, query);
  await api.ended(id);
  return rowsOf((await api.file(`/${id}/output`)).text);
};

describe('an uploaded list', () => {
  test('is accepted with 202, the location and the batch', async () => {
    const { status, headers, body } = await api.post(`${listOf(4)}${FAULTY}`, '?filename=june.csv');
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`${BATCHES}/${body.id}`);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^b[a-z0-9]{25}$/),
      status: expect.stringMatching(/^(?:queued|in_progress|finalizing|completed)$/),
      revision: 1,
      filename: 'june.csv',
      options: {},
      rows: { total: 5 },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      failure: null,
      links: { self: `${BATCHES}/${body.id}`, output: `${BATCHES}/${body.id}/output` },
    });
    expect(body.tariff).toMatch(/^reference@/);
    const ended = await api.ended(body.id);
    expect(ended).toMatchObject({
      status: 'completed',
      outcome: 'some_faults',
      rows: { total: 5, processed: 5, quoted: 4, faulted: 1 },
      faults: { 'getRates.invalidRequest': 1 },
    });
    expect(Date.parse(ended.expiresAt ?? '') - Date.parse(ended.completedAt ?? '')).toBe(7 * 86_400_000);
  });

  test('gives a complete output in order, with its own columns and those of the service', async () => {
    const id = await api.upload(listOf(20));
    await api.ended(id);
    const { status, headers, text } = await api.file(`/${id}/output`);
    expect(status).toBe(200);
    expect(headers.get('batch-complete')).toBe('true');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(headers.get('content-disposition')).toBe('attachment; filename=shipments-output.csv');
    expect(text.slice(0, text.indexOf('\n'))).toBe(
      [HEADER, ...OUTPUT_COLUMNS.map(({ name }) => name), 'quote_warnings'].join(','),
    );
    const rows = rowsOf(text);
    expect(rows.map((row) => row['order'])).toEqual(Array.from({ length: 20 }, (_, i) => `A${i + 1}`));
    expect(rows.map((row) => row['input_row'])).toEqual(Array.from({ length: 20 }, (_, i) => `${i + 1}`));
    expect(new Set(rows.map((row) => row['quote_status']))).toEqual(new Set(['200']));
  });

  test('gives the same output raw, in a form and with gzip', async () => {
    const list = `${listOf(7)}${FAULTY}`;
    const form = new FormData();
    form.set('file', new Blob([list], { type: 'text/csv' }), 'june.csv');
    const zipped = gzipSync(list);
    const zippedForm = new Response(form);
    const formType = zippedForm.headers.get('content-type') ?? '';
    const answers = [
      await api.post(list),
      await api.post(Buffer.from(list), '', { 'Content-Type': 'application/octet-stream' }),
      await api.post(form),
      await api.post(zipped, '', { 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' }),
      await api.post(zipped, '', { 'Content-Encoding': 'GZIP' }),
      await api.post(gzipSync(await zippedForm.arrayBuffer()), '', {
        'Content-Type': formType,
        'Content-Encoding': 'gzip',
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
    expect(answers[2]?.body.filename).toBe('june.csv');
    const outputs = new Set<string>();
    for (const { body } of answers) {
      await api.ended(body.id);
      outputs.add((await api.file(`/${body.id}/output`)).text);
    }
    expect(outputs.size).toBe(1);
  });

  test('may come without a Content-Type', async () => {
    const body = new Blob([listOf(1)]);
    expect((await api.post(body)).status).toBe(202);
  });
});

describe('a value that every row lacks can be given at upload:', () => {
  test('warehouse_id and units', async () => {
    const rows = await rate('postalCode,weight\n02139,2.1\n', '?warehouse_id=101&units=KG');
    expect(rows).toMatchObject([{ quote_status: '200', quote_billingWeight_value: '5' }]);
  });

  test('shippingService', async () => {
    const list = 'warehouse_id,postalCode,weight,units\n101,02139,2.1,LB\n';
    expect(await rate(list, '?shippingService=C1-EXPRESS')).toMatchObject([{ quote_shippingService: 'C1-EXPRESS' }]);
  });

  test('residential, which costs more', async () => {
    const list = 'warehouse_id,postalCode,weight,units,service\n101,02139,2.1,LB,C1-GROUND\n';
    const [business] = await rate(list);
    const [home] = await rate(list, '?residential=true');
    // 10.66, and 5.15 for the residence, each with 12.5% fuel.
    expect([business, home].map((row) => row?.['quote_totalNetCharge'])).toEqual(['11.99', '17.79']);
  });

  test('a column of the list overrides it', async () => {
    const list = 'warehouse_id,postalCode,weight,units\n101,02139,2.1,LB\n';
    expect(await rate(list, '?warehouse_id=999&units=KG')).toMatchObject([{ quote_billingWeight_value: '3' }]);
  });

  test('a tariff, by its name and version', async () => {
    const id = await api.upload(listOf(1));
    const { tariff } = await api.ended(id);
    const named = await api.upload(listOf(1), `?tariff=${encodeURIComponent(tariff)}`);
    expect((await api.ended(named)).options).toEqual({ tariff });
    const { status, body } = await api.post(listOf(1), '?tariff=none');
    expect(status).toBe(422);
    expect(body.fault.arguments).toEqual({ tariff: `must be one of ${tariff}` });
  });
});

describe('rows that cannot be read', () => {
  test('have their own faults, and the rows next to them are quoted', async () => {
    const rows = await rate(
      [
        HEADER,
        'A1,101,02139,2,LB',
        'A2,101,02139,2,LB,,,surplus',
        '"A3,101,02139,2,LB,,',
        'A4,101,02139,2,LB,,',
        '',
      ].join('\n'),
    );
    expect(rows.map((row) => [row['quote_status'], row['fault_type']])).toEqual([
      ['200', ''],
      ['422', 'row.malformed'],
      ['422', 'row.malformed'],
      ['200', ''],
    ]);
    expect(rows[1]?.['fault_message']).toContain('it has 8 cells and the header has 7');
    expect(rows[2]?.['fault_message']).toContain('a quoted cell is not closed');
    expect(rows[2]?.['fault_arguments']).toBe('{"row":3}');
  });
});

describe('the downloads of a batch that has ended', () => {
  test('faults contains the rows with a fault, and does not change when uploaded again', async () => {
    const id = await api.upload(`${listOf(4)}${FAULTY}${FAULTY.replace('F1', 'F2')}`);
    await api.ended(id);
    const faults = (await api.file(`/${id}/faults`)).text;
    expect(rowsOf(faults).map((row) => row['order'])).toEqual(['F1', 'F2']);
    const again = await api.upload(faults.replaceAll(',0213,', ',02139,'));
    expect(await api.ended(again)).toMatchObject({ outcome: 'all_quoted', rows: { total: 2 } });
  });

  test('faults is only a header if no row has a fault', async () => {
    const id = await api.upload(listOf(2));
    expect((await api.ended(id)).outcome).toBe('all_quoted');
    expect((await api.file(`/${id}/faults`)).text.split('\n').length).toBe(2);
    expect((await api.file(`/${id}/unprocessed`)).text).toBe(`${HEADER}\n`);
  });

  test('the outcome is all_faults if every row has a fault', async () => {
    expect((await api.ended(await api.upload(`${HEADER}\n${FAULTY}`))).outcome).toBe('all_faults');
  });

  test('summary adds up the rows of the output', async () => {
    const services = ['C1-GROUND', 'C1-EXPRESS', 'C2-GROUND', ''];
    const lines = Array.from({ length: 40 }, (_, i) => {
      const zip = ['02139', '90001', '99501', '0213'][i % 4 === 3 ? 3 : i % 3];
      return `A${i},101,${zip},${i + 0.5},LB,${services[i % 4]},1 Main St`;
    });
    const id = await api.upload([HEADER, ...lines, ''].join('\n'));
    await api.ended(id);
    const { body } = await api.call('GET', `/${id}/summary`);
    const rows = rowsOf((await api.file(`/${id}/output`)).text);
    const quoted = rows.filter((row) => row['quote_status'] === '200');
    const spend = (by: string): Record<string, { shipments: number; cents: number }> => {
      const sums: Record<string, { shipments: number; cents: number }> = {};
      for (const row of quoted) {
        const key = row[by] ?? '';
        const { shipments, cents } = sums[key] ?? { shipments: 0, cents: 0 };
        sums[key] = {
          shipments: shipments + 1,
          cents: cents + Math.round(Number(row['quote_totalNetCharge']) * 100),
        };
      }
      return sums;
    };
    const told = (name: string, by: string): Record<string, { shipments: number; cents: number }> =>
      Object.fromEntries(
        body[name].map((entry: Record<string, number>) => [
          entry[by],
          { shipments: entry['shipments'], cents: Math.round((entry['totalNetCharge'] ?? 0) * 100) },
        ]),
      );
    expect(body.rows).toEqual({ processed: 40, quoted: quoted.length, faulted: 40 - quoted.length });
    expect(told('byService', 'shippingService')).toEqual(spend('quote_shippingService'));
    expect(told('byZone', 'rateZone')).toEqual(spend('quote_rateZone'));
    const total = quoted.reduce((sum, row) => sum + Math.round(Number(row['quote_totalNetCharge']) * 100), 0);
    expect(Math.round(body.totalNetCharge * 100)).toBe(total);
    const weights: { overLb: number; toLb: number | null; shipments: number }[] = body.byBillingWeight;
    for (const { overLb, toLb, shipments } of weights) {
      const within = quoted.filter((row) => {
        const pounds = Number(row['quote_billingWeight_value']);
        return pounds > overLb && (toLb === null || pounds <= toLb);
      });
      expect(within.length).toBe(shipments);
    }
    expect(weights.reduce((sum, { shipments }) => sum + shipments, 0)).toBe(quoted.length);
    const faults: Record<string, number> = {};
    for (const { fault_type: type = '' } of rows) if (type !== '') faults[type] = (faults[type] ?? 0) + 1;
    expect(body.faults).toEqual(faults);
  });

  test('summary counts the cheapest services of the rows that name none', async () => {
    // The second carrier's dimensional weight of the same box is lower.
    const box = '1 Main St,20,20,20,IN';
    const open = ['A1,101,02139,2,LB,,,,,,', `A2,101,02139,2,LB,,${box}`, `A3,101,90001,2,LB,,${box}`];
    const others = ['A4,101,02139,2,LB,C1-EXPRESS,,,,,', 'A5,101,0213,2,LB,,,,,,'];
    const id = await api.upload([`${HEADER},length,width,height,dimension_units`, ...open, ...others].join('\n'));
    await api.ended(id);
    const chosen = rowsOf((await api.file(`/${id}/output`)).text).map((row) => row['quote_shippingService']);
    expect(chosen).toEqual(['C1-GROUND', 'C2-GROUND', 'C2-GROUND', 'C1-EXPRESS', '']);
    const { body } = await api.call('GET', `/${id}/summary`);
    expect(body.cheapest).toEqual([
      { shippingService: 'C1-GROUND', shipments: 1 },
      { shippingService: 'C2-GROUND', shipments: 2 },
    ]);
  });
});

describe('the list of batches', () => {
  test('has the newest first, in pages without a gap or a duplicate', async () => {
    const token = await api.api.tokenOf('other', 'other-secret');
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      const answer = await api.post(listOf(1).replaceAll(',101,', ',201,'), '', { Authorization: `Bearer ${token}` });
      made.unshift(answer.body.id);
    }
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await api.call('GET', `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`, token);
      expect(status).toBe(200);
      sizes.push(body.batches.length);
      seen.push(...body.batches.map(({ id }: { id: string }) => id));
      cursor = body.next;
    }
    expect(seen.toSorted()).toEqual(made.toSorted());
    expect(sizes).toEqual([3, 3, 1]);
    // Within one millisecond, the random ids decide.
    const times = seen.map((id) => id.slice(1, 10));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('ends with next null, even on a full page', async () => {
    const token = await api.api.tokenOf('other', 'other-secret');
    const all = await api.call('GET', '?limit=100', token);
    const { length } = all.body.batches;
    expect(length).toBeGreaterThan(1);
    const full = await api.call('GET', `?limit=${length}`, token);
    expect([full.body.batches.length, full.body.next]).toEqual([length, null]);
    const short = await api.call('GET', `?limit=${length - 1}`, token);
    expect(short.body.next).toEqual(expect.any(String));
    const last = await api.call('GET', `?limit=1&cursor=${short.body.next}`, token);
    expect([last.body.batches.length, last.body.next]).toEqual([1, null]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=garbage', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${Buffer.from('yesterday b0mm7p6yo02gy094pw5qynme4a').toString('base64url')}`, 'cursor'],
    ['order=up', 'order'],
  ])('?%s is refused', async (query, parameter) => {
    const { status, body } = await api.call('GET', `?${query}`);
    expect([status, body.fault.type]).toEqual([422, 'getRates.invalidRequest']);
    expect(Object.keys(body.fault.arguments)).toEqual([parameter]);
  });

  test('a wrong cursor is refused with what it must be', async () => {
    const { body } = await api.call('GET', '?cursor=garbage');
    expect(body.fault.arguments).toEqual({ cursor: 'must be the `next` value of an earlier page' });
  });

  test.each([1, 100])('?limit=%i is accepted', async (limit) => {
    expect((await api.call('GET', `?limit=${limit}`)).status).toBe(200);
  });
});

describe('a deleted batch', () => {
  test('is gone with its files, on every path and in the list', async () => {
    const id = await api.upload(listOf(2));
    await api.ended(id);
    expect(await api.folders()).toContain(id);
    expect((await api.call('DELETE', `/${id}`)).status).toBe(204);
    expect(await api.folders()).not.toContain(id);
    expect((await api.call('GET', `/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `/${id}`)).status).toBe(404);
    const { body } = await api.call('GET', '?limit=100');
    expect(body.batches.map((batch: { id: string }) => batch.id)).not.toContain(id);
  });
});
