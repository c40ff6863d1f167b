/**
 * The rows behind a bar of a comparison's summary, for the console: those that both sides price, and that have a service, a
 * zone, a weight or a state in the base. Parts whose sums have none of them are not read. A call looks at a bounded number
 * of parts.
 */
import { comparisonColumns } from '../comparison/columns.ts';
import { columnNames } from '../comparison/scenario.ts';
import { must } from '../must.ts';
import type { Chunk } from '../rows/chunk-plan.ts';
import { weightBand } from '../rows/tally.ts';
import type { Store } from '../store/store.ts';
import { stateOf } from '../tariff/zip-states.ts';
import { type BatchDocument, keys, records } from './records.ts';
import { ownHeader, type Part, type RowsPage, readPage } from './rows-page.ts';

export interface ComparedRowsWanted {
  /** The number of the scenario, from 1. */
  readonly scenario: number;
  /** How many rows of the list to skip. */
  readonly from: number;
  readonly limit: number;
  /** What the row is in the base, as the sums name it. Absent: anything. */
  readonly service?: string | undefined;
  readonly zone?: string | undefined;
  readonly weight?: string | undefined;
  readonly state?: string | undefined;
}

/** Parts that a call looks at. */
const MOST_PARTS = 64;

const ZIP5 = 5;
const ZIP9 = 9;

/** The ZIP5 in a cell that was priced. Repairs add the zeros that spreadsheets drop. */
const zipIn = (cell: string): number => {
  const digits = cell.replaceAll(/\D/g, '');
  const whole = digits.padStart(digits.length > ZIP5 ? ZIP9 : ZIP5, '0');
  return Number(whole.slice(0, ZIP5));
};

/** Whether a part may have matching rows, by its sums. */
const mayHave = async (store: Store, id: string, index: number, wanted: ComparedRowsWanted): Promise<boolean> => {
  const { scenario, service, zone, weight, state } = wanted;
  const sums = (await records.partSums(store, id, index))?.scenarios[scenario - 1];
  if (sums === undefined) return true;
  const has = (ledger: Readonly<Record<string, unknown>>, key: string | undefined): boolean =>
    key === undefined || Object.hasOwn(ledger, key);
  return (
    sums.compared.rows > 0 &&
    has(sums.byService, service) &&
    has(sums.byZone, zone) &&
    has(sums.byWeight, weight) &&
    has(sums.byState, state)
  );
};

/** A test of a row of the output. */
const createTest = (
  { columns }: BatchDocument,
  header: readonly string[],
  column: string,
  { service, zone, weight, state }: ComparedRowsWanted,
): ((value: (column: number) => string) => boolean) => {
  const at = (name: string): number => header.indexOf(name, columns.passed.length);
  const [net, other, serviceAt, zoneAt, weightAt] = [
    at('net_base'),
    at(`net_${column}`),
    at('service_base'),
    at('zone_base'),
    at('billing_weight_base'),
  ];
  const zipAt = columns.passed.indexOf(must(columns.fields.postalCode, 'the column of the ZIP code'));
  return (value) =>
    value(net) !== '' &&
    value(other) !== '' &&
    (service === undefined || value(serviceAt) === service) &&
    (zone === undefined || value(zoneAt) === zone) &&
    (weight === undefined || weightBand(Number(value(weightAt))) === weight) &&
    (state === undefined || stateOf(zipIn(value(zipAt))) === state);
};

/**
 * @param parts the finished parts, in order
 * @returns the first matching rows. There may be none although `next` is not null: then the next page may have some
 */
export const comparedRowsPage = async (
  store: Store,
  document: BatchDocument,
  parts: readonly Part[],
  wanted: ComparedRowsWanted,
): Promise<RowsPage> => {
  const { id, comparison } = document;
  const scenarios = must(comparison, `the scenarios of ${id}`).scenarios.map(({ scenario }) => scenario);
  const header = [...ownHeader(document), ...comparisonColumns(scenarios)];
  const column = must(columnNames(scenarios)[wanted.scenario - 1], 'the name of the scenario’s columns');
  const chunks = must(await records.plan(store, id), `the plan of ${id}`).chunks;
  const endOf = ({ firstRow, rows }: Chunk): number => firstRow + rows - 1;
  const rangeOf = ({ index }: Part): Chunk => must(chunks[index], 'a chunk of the plan');
  const left = parts.filter((part) => endOf(rangeOf(part)) > wanted.from);
  const looked = left.slice(0, MOST_PARTS);
  const last = looked.at(-1);
  const matches = createTest(document, header, column, wanted);
  const page = await readPage(store, id, looked, {
    from: wanted.from,
    limit: wanted.limit,
    mayHave: ({ index }) => mayHave(store, id, index, wanted),
    content: ({ index, revision, bytes }) => store.stream(keys.part(id, index, revision), { from: 0, to: bytes }),
    numberOf: ({ firstRow }, position, value) => (matches(value) ? firstRow + position - 1 : undefined),
  });
  const more = left.length > looked.length && last !== undefined ? endOf(rangeOf(last)) : null;
  return { header, rows: page.rows, next: page.next ?? more };
};
