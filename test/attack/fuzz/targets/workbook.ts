/** Lists as workbooks and other archives: the process that reads them, then the reading of the list. */
import { mkdtemp, open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveList } from '../../../../src/files/input/archive-to-csv.ts';
import { SHEET_END_BYTES } from '../../../../src/files/input/text-options.ts';
import { OverLimit, UnreadableFile } from '../../../../src/files/unreadable-file.ts';
import { planList, rateList, referenceSchedule } from '../../../lists/rows/fixtures.ts';
import type { Target } from '../target.ts';

const LIMITS = { mostBytes: 64 * 1024 * 1024, mostRowBytes: 1024 * 1024 };

export const workbookTarget: Target = async () => {
  const schedule = await referenceSchedule();
  const path = join(await mkdtemp(join(tmpdir(), 'rates-fuzz-')), 'list.xlsx');
  return async ({ bytes }) => {
    await writeFile(path, bytes);
    const file = await open(path);
    try {
      const pieces: Buffer[] = [];
      for await (const piece of archiveList({ ...LIMITS, fileBytes: bytes.length }, file.fd)) pieces.push(piece);
      const all = Buffer.concat(pieces);
      const start = all.indexOf('\n') + 1;
      const isSheet = all.subarray(0, start).includes('"workbook"');
      const list = all.subarray(start, isSheet ? -SHEET_END_BYTES : undefined);
      if (list.length > LIMITS.mostBytes) throw new Error(`${bytes.length} bytes became ${list.length}`);
      const planned = planList(list);
      if (!('plan' in planned)) return 'list refused';
      if (planned.plan.rows === 0) return 'no rows';
      rateList(list, schedule);
      return 'rated';
    } catch (error) {
      if (error instanceof OverLimit) return 'over a limit';
      if (error instanceof UnreadableFile) return `refused: ${error.problem.slice(0, 60)}`;
      throw error;
    } finally {
      await file.close();
    }
  };
};
