/** Makes changes for a part of the page: whether one is under way, and why the last one failed. */
import { useState } from 'preact/hooks';
import { ApiFault, asFault } from '../../api.ts';

/* What members of a client's record are called on the pages, and faults about them in people's words. */

const LIMITS = {
  quotesPerMinute: 'Quotes a minute',
  tokensPerMinute: 'Tokens a minute',
  uploadsPerMinute: 'Lists and corrections a minute',
  readsPerMinute: 'Reads a minute',
  readsAtOnce: 'Reads at one time',
  downloadsPerMinute: 'Downloads a minute',
  downloadsAtOnce: 'Downloads at one time',
  changesPerMinute: 'Deletes, cancels and retries a minute',
  batchesInFlight: 'Batches that have not ended',
  rowsInFlight: 'Rows of batches that have not ended',
  bytesInFlight: 'Bytes of lists that have not ended',
  batchesStored: 'Batches and comparisons that are kept',
  bytesStored: 'Bytes of all stored files',
  outputPerInputByte: 'Bytes of output for each byte of a list',
} as const;

export type LimitName = keyof typeof LIMITS;

export const limitLabel = (limit: LimitName): string => LIMITS[limit];

/** The first match names the field. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^id$/, 'The id'],
  [/^name$/, 'The name'],
  [/^webhook$/, 'The URL'],
  [/postalCode$/, 'The ZIP code'],
  [/stateOrProvinceCode$/, 'The state'],
  [/countryCode$/, 'The country'],
  [/warehouse_id$/, 'The warehouse number'],
  [/^warehouses\[\d+\]\.name$/, 'The name of the warehouse'],
  [/^warehouses/, 'The list of warehouses'],
  [/^discounts/, 'The percentage'],
  [/^percent$/, 'The percentage'],
  [/^service$/, 'The service'],
  [/^graceHours$/, 'The number of hours'],
];

const labelOf = (path: string): string => {
  const limit = /^limits\.(\w+)$/.exec(path)?.[1];
  const named = Object.entries(LIMITS).find(([name]) => name === limit)?.[1];
  return named ?? FIELDS.find(([pattern]) => pattern.test(path))?.[1] ?? path;
};

/** A fault whose message is a sentence for each wrong field. */
const inWords = (fault: ApiFault): ApiFault => {
  if (fault.type !== 'getRates.invalidRequest') return fault;
  const sentences = Object.entries(fault.arguments).map(([path, problem]) => `${labelOf(path)} ${String(problem)}.`);
  return new ApiFault(fault.status, fault.type, sentences.join(' ') || fault.message);
};

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
