/**
 * The cost of detecting how a list is written: a list is read and rated by the functions of the batch path in one
 * process, and compared with the same list with everything given and nothing to detect.
 */
import { Readable } from 'node:stream';
import { withoutPause } from '../../src/base/time-slices.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import { asUtf8 } from '../../src/files/csv/encoding.ts';
import { createPlanner } from '../../src/lists/chunk-plan.ts';
import { HEAD_BYTES, readHeader } from '../../src/lists/columns/header.ts';
import { readOptionsOf } from '../../src/lists/list-options.ts';
import { formatOf, type OutputFormat, PLAIN_FORMAT } from '../../src/lists/output/output-format.ts';
import { createRater } from '../../src/lists/rows/rate-rows.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { median } from './median.ts';
import { shipments } from './shipments.ts';

const ROWS = 100_000;
const ROUNDS = 9;
const MAXIMUM_ROW_BYTES = 2 ** 20;
const PIECE_BYTES = 64 * 1024;

type Said = Parameters<typeof readOptionsOf>[0];

interface Form {
  readonly name: string;
  readonly bytes: Buffer;
  readonly said: Said;
  readonly format: OutputFormat;
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const forms = (schedule: Schedule): readonly [Form, Form, ...Form[]] => {
  const plain = [...shipments(ROWS)].join('');
  const lines = plain.split('\n');
  const quoted = lines.map((line) => line.replaceAll(/[^,]+/g, '"$&"')).join('\n');
  const form = (name: string, text: string | Buffer, said: Said = {}, format: OutputFormat = PLAIN_FORMAT): Form => ({
    name,
    bytes: Buffer.from(text),
    said,
    format,
  });
  return [
    form('nothing looked for', plain, { delimiter: ',', encoding: 'utf-8' }, { ...PLAIN_FORMAT, keepFormulas: true }),
    form('plain, as it is found', plain),
    form('CRLF', plain.replaceAll('\n', '\r\n')),
    form('semicolons', plain.replaceAll(',', ';')),
    form('every cell quoted', quoted),
    form('UTF-16', Buffer.from(`\ufeff${plain}`, 'utf16le')),
    form('repair=all', plain, { repair: 'all' }),
    form('services=all', plain, {}, formatOf({ services: 'all' }, schedule)),
  ];
};

/** Seconds for reading, planning and rating a list. */
const secondsFor = async ({ bytes, said, format }: Form, shipper: Shipper, schedule: Schedule): Promise<number> => {
  const begun = performance.now();
  const reading = readOptionsOf(said);
  const text: Buffer[] = [];
  for await (const piece of asUtf8(Readable.from(pieces(bytes)), reading.encoding)) text.push(piece);
  const list = Buffer.concat(text);
  const head = readHeader(list.subarray(0, HEAD_BYTES), false, reading, MAXIMUM_ROW_BYTES);
  if (head === 'more' || 'problems' in head) throw new Error('the list has no header');
  const { columns, bodyStart, headerLines } = head;
  const limits = { chunkRows: 5_000, maximumRows: ROWS, maximumRowBytes: MAXIMUM_ROW_BYTES };
  const planner = createPlanner(columns, bodyStart, headerLines, limits);
  for (const piece of pieces(list.subarray(bodyStart))) {
    if (withoutPause(planner.push(piece)) !== undefined) throw new Error('the list is refused');
  }
  const plan = withoutPause(planner.finish());
  if ('kind' in plan) throw new Error('the list is refused');
  const book = schedule.bookOn('2026-06-01');
  const context = { columns, shipper, bookOn: () => book, maximumRowBytes: MAXIMUM_ROW_BYTES, format };
  let rows = 0;
  for (const { from, to, firstRow } of plan.chunks) {
    const chunk = list.subarray(from, to);
    const rater = createRater(chunk, firstRow, context);
    while (rater.step(1_000));
    rows += rater.result().tally.processed;
  }
  if (rows !== ROWS) throw new Error(`${rows} rows were rated of ${ROWS}`);
  return (performance.now() - begun) / 1_000;
};

/** Rows a second of each form, divided by those of the list with nothing to detect: medians of paired rounds. */
export const dialectRatios = async (
  schedule: Schedule,
  shipper: Shipper,
): Promise<readonly { readonly name: string; readonly ratio: number }[]> => {
  const [bare, ...others] = forms(schedule);
  const ratios = others.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, form] of others.entries()) {
      const before = await secondsFor(bare, shipper, schedule);
      const own = await secondsFor(form, shipper, schedule);
      const after = await secondsFor(bare, shipper, schedule);
      // The first round warms up.
      if (round > 0) ratios[at]?.push((before + after) / 2 / own);
    }
  }
  return others.map(({ name }, at) => ({ name, ratio: median(ratios[at] ?? []) }));
};
