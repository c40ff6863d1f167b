/** Inputs of fuzzers, and other odd input, sent to the running service. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Attack } from '../attack.ts';
import { forSeconds } from '../calls.ts';
import { FUZZERS } from '../fuzz/fuzzers.ts';
import type { Input } from '../fuzz/target.ts';
import { XLSX } from '../workbook-bytes.ts';
import { BATCHES, CSV } from './batches.ts';

const SECONDS = 5;
const RATES = '/v1/client/shipment/rates';
const GROUP = 'lists';
const LIMITS = { uploadsPerMinute: 1_000_000, batchesInFlight: 100_000 };

const samplesOf = async (name: string, seed: number, numRuns: number): Promise<readonly Input[]> => {
  const fuzzer = FUZZERS.find((one) => one.name === name);
  if (fuzzer === undefined) throw new Error(`there is no fuzzer ${name}`);
  return fc.sample(await fuzzer.inputs(), { seed, numRuns });
};

/** Sends the inputs of a fuzzer to calls of the API. */
const doors = (fuzzer: string, tries: string, paths: readonly string[], type: Record<string, string>): Attack => ({
  name: `doors-${fuzzer.replace('fuzz-', '')}`,
  tries,
  group: GROUP,
  limits: LIMITS,
  run: async ({ calls, attacker }, seed) => {
    const inputs = await samplesOf(fuzzer, seed, 400);
    let sent = 0;
    await forSeconds(SECONDS, 4, async () => {
      const { bytes } = inputs[sent % inputs.length] ?? { bytes: Buffer.alloc(0) };
      const path = paths[sent % paths.length] ?? RATES;
      sent += 1;
      await calls.call('POST', path, { token: attacker, headers: type, body: bytes });
    });
    return { sent: `${sent} bodies`, problems: [] };
  },
});

const zipped = (bytes: number, fill: string): Buffer =>
  gzipSync(
    Buffer.concat([Buffer.from('warehouse_id,postalCode,weight_value,weight_units\n'), Buffer.alloc(bytes, fill)]),
  );

const bombs: Attack = {
  name: 'gzip-bombs',
  group: GROUP,
  tries: 'Uploads and previews gzip that inflates to hundreds of megabytes.',
  limits: LIMITS,
  run: async ({ calls, attacker }) => {
    const bodies = [
      zipped(200_000_000, 'x'),
      zipped(100_000_000, '101,02139,2,LB\n'),
      zipped(100_000_000, '\n'),
      gzipSync(zipped(100_000_000, '\0')),
    ];
    let sent = 0;
    await forSeconds(SECONDS, 3, async () => {
      const body = bodies[sent % bodies.length] ?? Buffer.alloc(0);
      sent += 1;
      const headers = { ...CSV, 'Content-Encoding': 'gzip' };
      await calls.call('POST', `${BATCHES}${sent % 2 === 0 ? '?preview=true' : ''}`, {
        token: attacker,
        headers,
        body,
      });
    });
    return { sent: `${sent} bodies of ${Math.round((bodies[0]?.length ?? 0) / 1_024)} KB and less`, problems: [] };
  },
};

export const LIST_ATTACKS: readonly Attack[] = [
  doors('fuzz-csv', "Sends the CSV fuzzer's lists to upload and preview.", [`${BATCHES}?preview=true`, BATCHES], CSV),
  doors(
    'fuzz-workbook',
    "Sends the workbook fuzzer's workbooks to upload and preview.",
    [`${BATCHES}?preview=true`, BATCHES],
    { 'Content-Type': XLSX },
  ),
  doors(
    'fuzz-multipart',
    "Sends the form fuzzer's forms to upload and preview.",
    [`${BATCHES}?preview=true`, BATCHES],
    {
      'Content-Type': 'multipart/form-data; boundary=x',
    },
  ),
  doors(
    'fuzz-json',
    "Sends the JSON fuzzer's bodies to quotes and tokens.",
    [RATES, `${RATES}?explain=true`, '/token/generate', '/console/session'],
    {
      'Content-Type': 'application/json',
    },
  ),
  bombs,
];
