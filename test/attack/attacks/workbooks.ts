/** Small workbooks and Parquet files that are expensive to read, sent to every call that accepts one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Outcome } from '../attack.ts';
import type { Environment } from '../environment.ts';
import { emptyRows, hugeFooter, inflating, longRun, PARQUET, sharedText } from '../parquet-bytes.ts';
import { GOOD_CELLS, HEADER_ROW, workbookOf, XLSX } from '../workbook-bytes.ts';

const BATCHES = '/v1/client/shipment/rates/batches';

/** The default limit of uploads per minute. */
const LIMITS = { uploadsPerMinute: 10_000 };
const faulty = 'warehouse_id,postalCode,weight_value,weight_units\n101,0,1,LB\n';
/** What a list of ZIP codes alone does not have. */
const FOR_ALL_ROWS = 'warehouse_id=101&weight=2&units=LB';
const final = ['completed', 'failed', 'cancelled'];

/** A batch of the attacker's with one faulty row, for corrections. */
const faultyBatch = async ({ calls, attacker }: Environment): Promise<string> => {
  const headers = { 'Content-Type': 'text/csv' };
  const { body } = await calls.call('POST', BATCHES, { token: attacker, headers, body: faulty });
  const { id }: { id: string } = JSON.parse(body);
  for (;;) {
    const answer = await calls.call('GET', `${BATCHES}/${id}`, { token: attacker });
    if (final.includes(JSON.parse(answer.body).status)) return id;
    await sleep(50);
  }
};

/** Sends a file to each call, two at a time, for some seconds. */
const sendThrough = async (environment: Environment, body: Buffer, type: string, seconds = 4): Promise<Outcome> => {
  const { calls, attacker } = environment;
  const id = await faultyBatch(environment);
  const list = `${BATCHES}?${FOR_ALL_ROWS}`;
  const sheet = type === XLSX ? '&sheet=1' : '';
  const doors = [`${list}&preview=true`, list, `${BATCHES}/${id}/corrections`, `${list}&preview=true${sheet}`];
  const until = performance.now() + seconds * 1_000;
  const statuses = new Map<number, number>();
  let sent = 0;
  let slowest = 0;
  const sender = async (first: number): Promise<void> => {
    for (let at = first; performance.now() < until; at += 1) {
      const path = doors[at % doors.length] ?? BATCHES;
      sent += 1;
      const begun = performance.now();
      const { status } = await calls.call('POST', path, { token: attacker, headers: { 'Content-Type': type }, body });
      slowest = Math.max(slowest, performance.now() - begun);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all([sender(0), sender(1)]);
  return {
    sent: `${sent} files of ${body.length} bytes to preview, upload and corrections, two at a time`,
    back: `slowest ${(slowest / 1_000).toFixed(1)} s`,
    problems: [...statuses.keys()].filter((status) => status >= 500).map((status) => `a file was answered ${status}`),
  };
};

const attack = (name: string, tries: string, make: () => Buffer, type = XLSX): Attack => ({
  name: `${type === XLSX ? 'workbook' : 'parquet'}-${name}`,
  tries,
  group: 'workbooks',
  limits: LIMITS,
  run: async (environment) => sendThrough(environment, make(), type),
});

const formatted = (formats: readonly string[], rows: number): Buffer =>
  workbookOf({ formats, rows: `${HEADER_ROW}${`<row>${GOOD_CELLS}<c s="1"><v>7</v></c></row>`.repeat(rows)}` });

export const WORKBOOK_ATTACKS: readonly Attack[] = [
  attack('brackets', 'A number format of 100,000 brackets, on which a pattern could backtrack.', () =>
    formatted(['['.repeat(100_000)], 1),
  ),
  attack('zeros', 'A number format of two million zeros, to which the cells of 500 rows would be padded.', () =>
    formatted(['0'.repeat(2_000_000)], 500),
  ),
  attack('many-formats', 'Fifty thousand number formats of 255 characters that are hard to judge.', () =>
    formatted(Array(50_000).fill(`"${'\\['.repeat(120)}`), 1),
  ),
  attack('shared-text', 'One text of 4 MB that 2,900 cells share.', () =>
    workbookOf({
      sharedTexts: ['x'.repeat(4_000_000)],
      rows: `${HEADER_ROW}${`<row>${GOOD_CELLS}<c t="s"><v>0</v></c></row>`.repeat(2_900)}`,
    }),
  ),
  attack('last-column', 'Rows with a single cell in the last column.', () =>
    workbookOf({
      rows: `${HEADER_ROW}${'<row><c r="XFD1"><v>1</v></c></row>'.repeat(20_000)}`,
    }),
  ),
  attack('long-cell', 'One cell of 60 MB.', () =>
    workbookOf({ rows: `${HEADER_ROW}<row>${GOOD_CELLS}<c t="str"><v>${'x'.repeat(60_000_000)}</v></c></row>` }),
  ),
  attack('shared-text', 'One text of a megabyte that four million rows share.', () => sharedText(1e6, 4e6), PARQUET),
  attack('page', 'A page of 500 KB that inflates to 500 MB.', () => inflating(5e8, 5e8), PARQUET),
  attack('false-page', 'The same, but it says that it has 100 bytes.', () => inflating(5e8, 100), PARQUET),
  attack('run', 'A run of a billion values in a page of eight.', () => longRun(2 ** 30), PARQUET),
  attack(
    'row-groups',
    'A hundred thousand row groups of the same four million rows.',
    () => emptyRows(4e6, 1e5),
    PARQUET,
  ),
  attack('footer', 'A footer of 15 MB that is nested as deeply.', () => hugeFooter(15e6), PARQUET),
];
