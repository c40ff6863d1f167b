/** Makes changes for a part of the page: whether one is under way, and why the last one failed. */
import { useState } from 'preact/hooks';
import { type ApiFault, asFault } from '../../api.ts';
import { inWords } from './words.ts';

export interface Changing {
  readonly busy: boolean;
  readonly fault: ApiFault | undefined;
  /** Ignored while another change is under way. */
  readonly make: (change: () => Promise<void>) => void;
}

export const useChange = (): Changing => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const run = async (change: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await change();
    } catch (error) {
      setFault(inWords(asFault(error)));
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, make: (change) => (busy ? undefined : void run(change)) };
};
