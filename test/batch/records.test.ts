import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keys, records } from '../../src/batch/records.ts';
import { createDiskStore } from '../../src/store/disk.ts';
import { putJson } from '../../src/store/store.ts';

test('a batch of an earlier version keeps its meaning: quantity counts packages, and words in cells are not read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'records-'));
  try {
    const store = createDiskStore(dir);
    const columns = {
      dialect: { delimiter: ',', lineBreak: 'lf' },
      header: ['warehouse', 'zip', 'weight', 'quantity'],
      fields: { warehouse_id: 0, postalCode: 1, weight_value: 2, quantity: 3 },
      defaults: { weight_units: 'LB' },
      passed: [0, 1, 2, 3],
      ownOutput: false,
    };
    const document = {
      id: 'b1',
      clientId: 'demo',
      revision: 1,
      filename: 'a.csv',
      createdAt: '2026-01-01T00:00:00.000Z',
      options: {},
      rows: 1,
      chunks: 1,
      inputBytes: 40,
      headerStart: 0,
      bodyStart: 30,
      columns,
      tariffs: [],
      warehouses: [],
      discounts: {},
    };
    await putJson(store, keys.batch('b1'), document);
    expect((await records.batch(store, 'b1'))?.columns).toEqual({
      ...columns,
      fields: { warehouse_id: 0, postalCode: 1, weight_value: 2, packages: 3 },
      repairs: [],
      words: [],
      services: [],
      findings: [],
    });
  } finally {
    await rm(dir, { recursive: true });
  }
});
