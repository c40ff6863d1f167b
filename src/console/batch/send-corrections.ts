/** Sending mended rows: the batch goes on with its next revision, or it is said why they were not taken. */
import { useState } from 'preact/hooks';
import { type ApiFault, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { asFault } from '../load.ts';

export interface Sending {
  readonly busy: boolean;
  /** Why what was sent last was not taken. */
  readonly fault: ApiFault | undefined;
  /** @param file a CSV or a workbook with the numbers of the rows */
  readonly send: (file: Blob) => Promise<void>;
}

/** @param onBatch told of the batch as it is with its next revision */
export const useSending = ({ id }: Batch, onBatch: (batch: Batch) => void): Sending => {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const send = async (file: Blob): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault(undefined);
    try {
      onBatch(await api.call('correct', { id, query: { filename: 'corrections.csv' }, file }));
    } catch (error) {
      setFault(asFault(error));
    }
    setBusy(false);
  };
  return { busy, fault, send };
};
