/** Lists as text: read, previewed, planned and rated. Whole lists and pieces must give the same bytes. */
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { serviceCodes } from '../../../../src/catalog/tariff/schedule.ts';
import { asUtf8, NotEncoded } from '../../../../src/files/csv/encoding.ts';
import type { ReadOptions } from '../../../../src/lists/columns/columns.ts';
import { readingParameters, readOptionsOf } from '../../../../src/lists/list-options.ts';
import { previewList } from '../../../../src/lists/preview/preview.ts';
import { contextFor, type Planned, planList, rateList, referenceSchedule } from '../../../lists/rows/fixtures.ts';
import type { Target } from '../target.ts';

const LIMITS = { maximumRows: 200_000, maximumRowBytes: 65_536 };
const NOW = new Date('2026-06-01T12:00:00Z');

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const decoded = async (bytes: Buffer, { encoding }: ReadOptions, size: number): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of asUtf8(piecesOf(bytes, size), encoding)) pieces.push(piece);
  } catch (error) {
    if (error instanceof NotEncoded) return undefined;
    throw error;
  }
  return Buffer.concat(pieces);
};

const same = (what: string, one: unknown, other: unknown): void => {
  if (one !== other) throw new Error(`${what}: ${String(one)} and ${String(other)}`);
};

const recordsOf = (csv: Buffer): Record<string, string>[] => parse(csv, { columns: (names) => names.map(String) });

interface Said {
  readonly options: Readonly<Record<string, string>>;
  readonly pieceBytes: number;
  readonly chunkRows: number;
}

const isSaid = (said: unknown): said is Said => typeof said === 'object' && said !== null && 'options' in said;

const options = z.object(readingParameters);

/** The preview must show the same rows as the output. */
const compare = (
  list: Buffer,
  { columns, plan }: Planned,
  reading: ReadOptions,
  schedule: Parameters<typeof contextFor>[1],
) => {
  const output = rateList(list, schedule, 5_000, 65_536, reading).output;
  const records = recordsOf(output);
  same('rows planned and written', plan.rows, records.length);
  const { shipper } = contextFor(columns, schedule);
  const context = { reading, schedule, shipper, now: NOW, maximumRowBytes: 1_048_576, headerKey: String };
  const beginning = { bytes: list, complete: true, encoding: 'utf-8', totalBytes: list.length } as const;
  return { output, records, preview: previewList(beginning, context) };
};

export const csvTarget: Target = async () => {
  const schedule = await referenceSchedule();
  return async ({ bytes, said }) => {
    if (!isSaid(said)) throw new Error('there are no parameters');
    const parsed = options.safeParse(said.options);
    if (!parsed.success) return 'options refused';
    const reading = readOptionsOf(parsed.data, serviceCodes(schedule));
    const list = await decoded(bytes, reading, said.pieceBytes);
    if (list === undefined) return 'encoding refused';
    const planned = planList(list, { ...LIMITS, chunkRows: said.chunkRows }, said.pieceBytes, reading);
    if ('problems' in planned) return 'header refused';
    if ('kind' in planned) return `${planned.kind} refused`;
    if (planned.plan.rows === 0) return 'no rows';
    const { output, records, preview: coming } = compare(list, planned, reading, schedule);
    const pieces = rateList(list, schedule, said.chunkRows, said.pieceBytes, reading);
    if (!pieces.output.equals(output)) throw new Error('the output depends on how the list is cut');
    const preview = await coming;
    if (!('rows' in preview)) throw new Error(`the preview refuses what is rated: ${JSON.stringify(preview)}`);
    for (const { input_row: row, fault, quote } of preview.rows) {
      const record = records[row - 1];
      const isQuote = typeof quote === 'object' && quote !== null && 'totalNetCharge' in quote;
      const net = isQuote ? Number(quote.totalNetCharge).toFixed(2) : '';
      same(`fault of row ${row} in preview and batch`, fault?.type ?? '', record?.['fault_type']);
      same(`price of row ${row} in preview and batch`, net, record?.['quote_totalNetCharge']);
    }
    return records.some(({ quote_status: status }) => status === '200') ? 'rated' : 'rated, all faults';
  };
};
