/**
 * The output of a batch and its faults in one piece each, for stores that give them out themselves. They are a
 * convenience: where one is not there, or not as long as it should be, the parts are given out instead.
 */
import type { Logger } from '../log.ts';
import type { Store } from '../store/store.ts';
import { type Composed, composedFaults, composedOutput } from './output.ts';
import { type BatchDocument, keys, type OutputDocument } from './records.ts';

export interface JoinedFile extends Composed {
  readonly key: string;
  readonly bytes: number;
}

/** The file that there is, where there is one. */
export const joinedFile = (
  document: BatchDocument,
  { parts, revision }: OutputDocument,
  what: 'output' | 'faults',
): JoinedFile => {
  const key = what === 'output' ? keys.joinedOutput(document.id, revision) : keys.joinedFaults(document.id, revision);
  const composed = what === 'output' ? composedOutput(document, parts) : composedFaults(document, parts);
  const { head, pieces } = composed;
  return { key, head, pieces, bytes: pieces.reduce((sum, { bytes }) => sum + bytes, head.length) };
};

export type Join = (document: BatchDocument, output: OutputDocument) => Promise<void>;

/** @returns how outputs are put together, or undefined where the store gives out nothing itself */
export const createJoin = ({ direct }: Store, log: Logger): Join | undefined => {
  if (direct === undefined) return undefined;
  return async (document, output) => {
    for (const what of ['output', 'faults'] as const) {
      const { key, head, pieces } = joinedFile(document, output, what);
      try {
        await direct.join(key, head, pieces);
      } catch (error) {
        log.warn({ batchId: document.id, what, err: error }, 'not put together: its parts are given out');
      }
    }
  };
};
