/** Carriers' files and our own CSVs, as `rates tariff import` reads them, up to a tariff that quotes. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembleTariff } from '../../../../src/import/import.ts';
import { built } from '../built.ts';
import type { Target } from '../target.ts';
import { judgedTariff } from './tariff.ts';

type Sources = typeof import('../../../../src/import/source.ts');
type Readings = typeof import('../../../../src/import/read/reader.ts');

export const sourceTarget: Target = async () => {
  const { readSource } = await built<Sources>('import/source');
  const { RefusedFile } = await built<Readings>('import/read/reader');
  const folder = await mkdtemp(join(tmpdir(), 'rates-fuzz-'));
  return async ({ bytes, said }) => {
    const path = join(folder, typeof said?.['file'] === 'string' ? said['file'] : 'file');
    await writeFile(path, bytes);
    try {
      const source = await readSource(path, { origin: '070-076' });
      const { document, unreadable } = assembleTariff([source], { name: 'fuzz', effective: '2026-01-01' });
      for (const { at, problem } of unreadable)
        if (at === '' || problem === '') throw new Error('a cell without a reason');
      return document === undefined ? `read: ${source.reading.kind}` : judgedTariff(document);
    } catch (error) {
      if (error instanceof RefusedFile) return 'refused';
      throw error;
    }
  };
};
