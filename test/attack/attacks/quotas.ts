/** Small uploads with large outputs: bytes stored by client, and bytes of output for each byte sent. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { forSeconds } from '../calls.ts';
import { BATCHES, CSV } from './batches.ts';

/** Long enough to reach the limit and continue. */
const MOST_SECONDS = 30;
const SECONDS_BEYOND = 4;
/** Pause of a connection between two uploads. The attack tests the stored outputs. */
const PAUSE_MS = 50;
const MIB = 1024 * 1024;
const MOST_STORED = MIB;
const ROWS = 400;
const AT_ONCE = 2;
/** For the batches that run when the limit is reached, about 8 MB each, and the server's own files. */
const SLACK = (AT_ONCE + 1) * 10 * MIB;

/** Rows of 99 packages with two weights: each explanation has about 20 kB. */
const wideList = (rows: number): string => {
  const weights = Array.from({ length: 99 }, (_, at) => (at % 2) + 1).join('|');
  return `warehouse_id,postalCode,weight_value,weight_units\n${`101,02139,${weights},LB\n`.repeat(rows)}`;
};

/** Bytes of all files below a folder. Some may disappear meanwhile. */
const bytesBelow = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

export const QUOTA_ATTACKS: readonly Attack[] = [
  {
    name: 'packed-outputs',
    tries: 'Uploads compressed lists of a few kilobytes whose explained outputs would fill the disk.',
    limits: { uploadsPerMinute: 1_000_000, batchesInFlight: AT_ONCE, bytesStored: MOST_STORED },
    run: async ({ calls, attacker, dataDir }) => {
      const body = gzipSync(wideList(ROWS), { level: 9 });
      const headers = { ...CSV, 'Content-Encoding': 'gzip' };
      const before = await bytesBelow(dataDir);
      let [sent, refused] = [0, 0];
      const upload = async (): Promise<void> => {
        sent += 1;
        const answer = await calls.call('POST', `${BATCHES}?explain=true`, { token: attacker, headers, body });
        if (answer.status === 429 && JSON.parse(answer.body).fault.arguments.limit === 'bytesStored') refused += 1;
        await sleep(PAUSE_MS);
      };
      for (const begun = performance.now(); refused === 0 && performance.now() - begun < MOST_SECONDS * 1_000; )
        await upload();
      await forSeconds(SECONDS_BEYOND, 3, upload);
      const kept = (await bytesBelow(dataDir)) - before;
      return {
        sent: `${sent} lists of ${body.length} bytes, each of which would come to some 8 MB`,
        back: `${(kept / MIB).toFixed(0)} MB kept; ${refused} refused for the bytes stored`,
        problems: [
          ...(kept > MOST_STORED + SLACK ? [`${(kept / MIB).toFixed(0)} MB were kept`] : []),
          ...(refused === 0 ? ['no upload was refused for the bytes stored'] : []),
        ],
      };
    },
  },
];
