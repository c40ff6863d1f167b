/** Tariffs in one file, for programs that rate without folders: their documents as compressed JSON. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { ToldError } from '../../base/failed.ts';
import { TARIFFS } from '../documents/kinds.ts';
import type { TariffDocument } from '../tariff/document.ts';

const FORM = 'shipping-rates tariffs 1';
/** The rates, zones and charges of two carriers are 2 MB of JSON. */
const MOST_BYTES = 64 * 1024 * 1024;

const compiledForm = z.object({ form: z.literal(FORM), tariffs: z.array(TARIFFS.stored).min(1) });

export const compiledTariffs = (tariffs: readonly TariffDocument[]): Promise<Buffer> =>
  promisify(gzip)(JSON.stringify({ form: FORM, tariffs }), { level: 9 });

/** @throws {ToldError} if the bytes are not those that `rates tariff compile` wrote */
export const readCompiled = async (bytes: Uint8Array): Promise<readonly TariffDocument[]> => {
  try {
    const text = await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES });
    return compiledForm.parse(JSON.parse(text.toString('utf8'))).tariffs;
  } catch (cause) {
    throw new ToldError('This is no file of compiled tariffs. Make one with `rates tariff compile`.', { cause });
  }
};
