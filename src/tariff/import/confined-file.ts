/** What a program makes of a carrier's file, in a process of its own with limits: lines of JSON. */
import { StringDecoder } from 'node:string_decoder';
import type { z } from 'zod';
import { PROCESS_LIMITS, type ProcessLimits, runConfined } from '../../sandbox/run.ts';
import { spool } from '../../sandbox/unnamed-file.ts';
import { OverLimit, UnreadableFile } from '../../unreadable-file.ts';
import { MAX_SOURCE_BYTES, RefusedFile } from './reading.ts';

export interface ConfinedRead<Line> {
  /** As in `Job`. */
  readonly program: string;
  readonly task: unknown;
  readonly line: z.ZodType<Line>;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: ProcessLimits | undefined;
}

const refusal = (error: unknown): unknown => {
  if (error instanceof OverLimit)
    return new RefusedFile(`it is too large to read: ${error.limit} is at most ${error.most}`);
  return error instanceof UnreadableFile ? new RefusedFile(`it ${error.problem}`, { cause: error }) : error;
};

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @throws RefusedFile while it is read, if the file is damaged, over a limit or took too much to read */
export async function* confinedLines<Line>(
  bytes: Uint8Array,
  { program, task, line, signal, limits = PROCESS_LIMITS }: ConfinedRead<Line>,
): AsyncGenerator<Line> {
  signal?.throwIfAborted();
  let carry = '';
  const decoder = new StringDecoder('utf8');
  try {
    const file = await spool(inPieces(bytes), 'file', MAX_SOURCE_BYTES);
    try {
      for await (const piece of runConfined({ program, task, file, signal }, limits)) {
        const lines = (carry + decoder.write(piece)).split('\n');
        carry = lines.pop() ?? '';
        for (const text of lines) yield line.parse(JSON.parse(text));
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw refusal(error);
  }
}
