/** A list out of a request as UTF-8 text: a workbook lies in the store while it is read, any other list streams through. */
import type { Reading } from '../list/columns.ts';
import { asUtf8, type Encoding } from '../list/encoding.ts';
import { csvOfWorkbook, isArchive } from '../list/workbook-list.ts';
import { OverLimit } from '../list/xml-events.ts';
import type { Store } from '../store/store.ts';
import { StoppedUpload, type UploadLimits } from './list-body.ts';

export interface ListPlace {
  readonly store: Store;
  /** Where the list itself will lie; a workbook is kept beside it for as long as it is read. */
  readonly key: string;
  readonly reading: Reading;
}

/** How many bytes of XML stand for one of CSV, with some to spare. */
const XML_RATIO = 16;

const begun = async (source: AsyncIterable<Buffer>): Promise<{ start: Buffer; all: AsyncGenerator<Buffer> }> => {
  const pieces = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 4) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { start, all: all() };
};

/**
 * @param onEncoding told how the list is written, when that is known
 * @throws {StoppedUpload} where it is over a limit; what `asUtf8` and `csvOfWorkbook` throw
 */
export async function* listText(
  source: AsyncIterable<Buffer>,
  { store, key, reading }: ListPlace,
  { maximumBytes }: UploadLimits,
  onEncoding?: (encoding: Encoding) => void,
): AsyncGenerator<Buffer> {
  const { start, all } = await begun(source);
  if (!isArchive(start)) {
    if (reading.sheet !== undefined)
      throw new StoppedUpload({
        type: 'createBatch.invalidFile',
        problems: { sheet: 'is for workbooks, which the file is not' },
      });
    return yield* asUtf8(all, reading.encoding, onEncoding);
  }
  const workbook = `${key}.workbook`;
  try {
    const size = await store.put(workbook, all);
    const stored = { size, stream: (from: number, to: number) => store.stream(workbook, { from, to }) };
    let bytes = 0;
    for await (const piece of csvOfWorkbook(stored, reading.sheet, XML_RATIO * maximumBytes)) {
      bytes += piece.length;
      if (bytes > maximumBytes)
        throw new StoppedUpload({ type: 'request.tooLarge', limit: 'inflatedUpload', most: `${maximumBytes} bytes` });
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    throw new StoppedUpload({ type: 'request.tooLarge', limit: error.limit, most: error.most });
  } finally {
    await store.remove(workbook);
  }
}
