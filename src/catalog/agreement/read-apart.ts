/** Reads an uploaded agreement's folder in a separate process, because parsing a file blocks the event loop. */
import { fileOf } from '../../base/process/programs.ts';
import { type ProcessLimits, runConfined } from '../../files/sandbox/run.ts';
import { OverLimit } from '../../files/unreadable-file.ts';
import type { ReadDocument } from '../documents/judged.ts';
import { error } from '../tariff/findings.ts';
import type { AgreementDocument } from './document.ts';
import { AGREEMENT_FILE } from './document.ts';

export interface FolderTask {
  readonly dir: string;
}

/** An upload has at most 2 MB of text. */
const LIMITS: ProcessLimits = { heapMb: 128, memoryMb: 320, processorS: 20, silentS: 60 };

/** Like `readAgreementFolder`. @throws {ConfinedFailure} if the process could not start, or a bug ended it */
export const readFolderApart = async (dir: string): Promise<ReadDocument<AgreementDocument>> => {
  const pieces: Buffer[] = [];
  try {
    const task: FolderTask = { dir };
    for await (const piece of runConfined({ program: fileOf('catalog/agreement/folder-process'), task }, LIMITS))
      pieces.push(piece);
  } catch (failure) {
    if (!(failure instanceof OverLimit)) throw failure;
    const message = `is too large to read with the others: ${failure.words}`;
    return { findings: [error(AGREEMENT_FILE, message)] };
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
};
