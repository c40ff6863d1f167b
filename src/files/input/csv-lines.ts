/** Collects lines of CSV into pieces, under the limits of a list that is made from a packed file. */
import { OverLimit } from '../unreadable-file.ts';
import type { ArchiveTask } from './archive-messages.ts';

const PIECE_CHARACTERS = 64 * 1024;
/** Smaller lists may be any number of times as large as their file. */
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

/** @param ratio how many times as large as its file a large list may be */
export const createLines = ({ fileBytes, mostBytes, mostRowBytes }: Omit<ArchiveTask, 'sheet'>, ratio: number) => {
  const most = Math.min(mostBytes, Math.max(RATIO_FROM_BYTES, ratio * fileBytes));
  let waiting = '';
  let bytes = 0;
  return {
    blank: (count: number): void => {
      waiting += '\n'.repeat(Math.max(0, count));
    },
    /** @param cells in their written form. The length is checked before the line is built */
    add: (cells: readonly string[], number: number): void => {
      let length = cells.length;
      for (const cell of cells) length += cell.length;
      if (length > mostRowBytes) throw new OverLimit('row', `${mostRowBytes} bytes, and row ${number} is longer`);
      waiting += `${cells.join(',')}\n`;
    },
    isFull: (): boolean => waiting.length >= PIECE_CHARACTERS,
    /** Returns what was collected, and begins the next piece. */
    taken: (): Buffer => {
      const piece = Buffer.from(waiting);
      waiting = '';
      bytes += piece.length;
      if (bytes > most) throw new OverLimit('inflatedUpload', `${most} bytes`);
      return piece;
    },
  };
};
