/** Bodies of single calls: parsed, judged and rated, with the explanation and without. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readClients } from '../../../../src/catalog/clients/clients.ts';
import { parseJson } from '../../../../src/http/server/body.ts';
import { quoteOutcome } from '../../../../src/rating/quote.ts';
import { referenceSchedule } from '../../../lists/rows/fixtures.ts';
import type { Target } from '../target.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const CLIENTS = join(import.meta.dirname, '../../../../samples/clients.json');
/** An answer names fields and prices. It must not grow with the request. */
const MOST_CHARACTERS = 64 * 1024;

export const jsonTarget: Target = async () => {
  const schedule = await referenceSchedule();
  const shipper = readClients(await readFile(CLIENTS, 'utf8'), 'clients.json').get('demo');
  if (shipper === undefined) throw new Error('there is no demo client');
  const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  return async ({ bytes }) => {
    if (!isUtf8(bytes)) return 'not UTF-8';
    const parsed = parseJson(bytes.toString('utf8'));
    if (!('json' in parsed)) return 'not JSON';
    const [plain, explained] = [false, true].map((explain) =>
      quoteOutcome(parsed.json, shipper, schedule, NOW, explain),
    );
    if (plain?.status !== explained?.status) throw new Error('an explanation changed the status');
    for (const answer of [plain, explained]) {
      const text = JSON.stringify(answer);
      if (text.length > MOST_CHARACTERS + bytes.length)
        throw new Error(`${bytes.length} bytes are answered with ${text.length} characters`);
      if (text.includes('"null"') || /:null[,}]/.test(text.replaceAll(/"fault":null/g, '')))
        throw new Error(`the answer has a null: ${text.slice(0, 300)}`);
    }
    if (JSON.stringify(Object.getOwnPropertyNames(Object.prototype)) !== prototype)
      throw new Error('the prototype of objects was changed');
    const body = plain?.body;
    return body !== undefined && 'fault' in body ? body.fault.type : 'quoted';
  };
};
