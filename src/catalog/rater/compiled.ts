/** Tariffs and agreements in one file of compressed JSON documents, for programs that rate without folders. */
import { z } from 'zod';
import { ToldError } from '../../base/failed.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { JUDGED_AGREEMENTS, JUDGED_TARIFFS } from '../documents/judged.ts';
import type { TariffDocument } from '../tariff/document.ts';

const FORM = 'shipping-rates tariffs 1';
/** The rates, zones and charges of two carriers take 2 MB of JSON. */
const MOST_BYTES = 64 * 1024 * 1024;

const compiledForm = z.object({
  form: z.literal(FORM),
  tariffs: z.array(JUDGED_TARIFFS.stored).min(1),
  agreements: z.array(JUDGED_AGREEMENTS.stored).default([]),
});
export type Compiled = z.output<typeof compiledForm>;

/** The text of a compiled file, before compression with gzip. */
export const compiledText = (tariffs: readonly TariffDocument[], agreements: readonly AgreementDocument[]): string =>
  JSON.stringify({ form: FORM, tariffs, ...(agreements.length > 0 && { agreements }) });

const inflated = async (bytes: Uint8Array): Promise<string> => {
  const pieces = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let size = 0; ; ) {
    const { done, value } = await pieces.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    text += decoder.decode(value, { stream: true });
  }
};

/** @throws {ToldError} if `rates tariff compile` did not write the bytes */
export const readCompiled = async (bytes: Uint8Array): Promise<Compiled> => {
  try {
    return compiledForm.parse(JSON.parse(await inflated(bytes)));
  } catch (cause) {
    throw new ToldError('This is not a file of compiled tariffs. Make one with `rates tariff compile`.', { cause });
  }
};
