/** Clients with the documents of their agreements. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { StoreFailure } from '../../../src/base/store/store.ts';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import { type BoundClients, withAccounts } from '../../../src/catalog/clients/accounts.ts';
import { type Clients, hashSecret, readClients } from '../../../src/catalog/clients/clients.ts';
import type { Agreements } from '../../../src/catalog/documents/live.ts';
import type { Finding } from '../../../src/catalog/tariff/document.ts';
import { bookOfCards } from '../../rating/book-of-cards.ts';
import { onePercentage } from '../agreement/one-percentage.ts';

const SALT = '00112233445566778899aabbccddeeff';
const warehouse = (id: number) => ({
  warehouse_id: id,
  name: 'Reno',
  address: { postalCode: '89501', stateOrProvinceCode: 'NV', countryCode: 'US' },
});
const record = (id: string, agreements: readonly object[], more: object = {}) => ({
  ...{ id, name: id, scopes: ['quote'], warehouses: [warehouse(7), warehouse(8)], agreements },
  secrets: [{ salt: SALT, hash: hashSecret('first', SALT), createdAt: '2026-01-01T00:00:00Z' }],
  ...more,
});
const read = (...clients: object[]): Clients => readClients(JSON.stringify({ clients }), 'clients.json');
const by = (...documents: AgreementDocument[]): Agreements => new Map(documents.map((one) => [one.file.name, one]));

const ACME = record('acme', [{ name: 'acme-c1' }]);
const PLAIN = record('plain', [], { discounts: { 'C1-GROUND': '5' } });

let errors: readonly Finding[] = [];
let source: Clients;
let documents: Agreements | Error;
let lines: { clients: number; first: { client: string; problem: string }[] }[];
let bound: BoundClients;
const open = (): BoundClients => {
  bound = withAccounts({
    clients: { current: () => source, refresh: async () => undefined, close: () => undefined },
    agreements: {
      refresh: async () => undefined,
      current: () => {
        if (documents instanceof Error) throw documents;
        return documents;
      },
      errorsOf: (name) => errors.filter(({ at }) => at.startsWith(`${name}/`)),
      close: () => undefined,
    },
    log: { error: (line: unknown) => void lines.push(line as (typeof lines)[number]) },
  });
  return bound;
};
beforeEach(() => {
  lines = [];
});
afterEach(() => bound.close());

const clientNow = (id: string) => must(bound.current().get(id), id);
const NO_BOOK = bookOfCards([]);
const pricing = (id: string) => () => clientNow(id).account.termsOn(NO_BOOK, 7);

test('a client gets the documents that its record names, and its account number', () => {
  const [first, second] = [onePercentage('10.00'), onePercentage('20.00', { name: 'acme-west' })];
  source = read(
    record('acme', [{ name: 'acme-c1' }, { name: 'acme-west', warehouses: [8], account: '1X2Y3Z' }]),
    PLAIN,
  );
  documents = by(first, second, onePercentage('50.00', { name: 'secret' }));
  open();
  expect(clientNow('acme').agreements).toEqual([
    { document: first },
    { document: second, warehouses: new Set([8]), account: '1X2Y3Z' },
  ]);
  expect(clientNow('plain').agreements).toEqual([]);
  expect([lines, bound.withoutAgreement()]).toEqual([[], 0]);
});

test('an unchanged client keeps its account, and a changed one does not', () => {
  const other = record('other', [{ name: 'other-c1' }]);
  source = read(ACME, other, PLAIN);
  documents = by(onePercentage('10.00'), onePercentage('30.00', { name: 'other-c1' }));
  open();
  const before = bound.current();
  expect(bound.current()).toBe(before);
  documents = new Map([...documents, ...by(onePercentage('11.00'))]);
  const after = bound.current();
  expect(after.get('other')).toBe(before.get('other'));
  expect(after.get('plain')).toBe(before.get('plain'));
  expect(after.get('acme')?.account).not.toBe(before.get('acme')?.account);
  expect(before.get('acme')?.agreements[0]?.document.tables.discounts[0]?.percent).toBe('10.00');
  // A file that is read again makes new clients of the same content.
  source = read(ACME, { ...other, name: 'Another name' }, PLAIN);
  const reread = bound.current();
  expect(reread.get('other')).toMatchObject({ name: 'Another name' });
  for (const id of ['acme', 'other', 'plain']) expect(reread.get(id)?.account).toBe(after.get(id)?.account);
});

test('a client whose agreement is missing has no prices, is logged once, and recovers', () => {
  source = read(ACME, PLAIN);
  documents = by();
  open();
  expect(pricing('acme')).toThrow('an agreement of the client cannot be used');
  expect(pricing('plain')()).toEqual([]);
  expect(bound.withoutAgreement()).toBe(1);
  source = read(ACME, PLAIN);
  expect(pricing('acme')).toThrow('an agreement of the client cannot be used');
  expect(lines).toEqual([
    { clients: 1, first: [{ client: 'acme', problem: 'the agreement acme-c1 is missing or has errors' }] },
  ]);
  documents = by(onePercentage('10.00'));
  expect(pricing('acme')()).toEqual([]);
  expect(bound.withoutAgreement()).toBe(0);
});

test('while it is unknown which agreements are published, only clients with agreements have no prices', () => {
  source = read(ACME, PLAIN);
  documents = new StoreFailure('provide the published agreements', { cause: new Error('away') });
  open();
  expect(pricing('acme')).toThrow('an agreement of the client cannot be used');
  expect(pricing('plain')()).toEqual([]);
  expect(lines[0]?.first).toEqual([{ client: 'acme', problem: 'the agreements cannot be read' }]);
});

/** What the log says of a client with these two. */
const problemOf = (a: object, b: object, ...both: AgreementDocument[]): string | undefined => {
  lines = [];
  source = read(record('acme', [a, b]));
  documents = by(...both);
  open().close();
  bound.current();
  return lines[0]?.first[0]?.problem;
};
const WEST = { name: 'west' };

test('two agreements that cover one service for the same warehouses are refused', () => {
  const [first, west] = [onePercentage('10.00'), onePercentage('20.00', WEST)];
  expect(problemOf({ name: 'acme-c1' }, WEST, first, west)).toBe(
    'acme-c1 and west both cover C1-GROUND for the same warehouses',
  );
  expect(bound.withoutAgreement()).toBe(1);
  const all = onePercentage('20.00', WEST, { services: '*' });
  expect(problemOf({ name: 'acme-c1' }, WEST, first, all)).toContain('both cover services of C1');
  expect(problemOf({ name: 'acme-c1', warehouses: [7, 8] }, { ...WEST, warehouses: [8] }, first, west)).toContain(
    'both',
  );
});

test('two agreements are used together if services, warehouses, carriers or days differ', () => {
  const first = onePercentage('10.00', { until: '2026-06-30' });
  const { name } = first.file;
  const none: [string, string | undefined][] = [
    ['services', problemOf({ name }, WEST, first, onePercentage('20.00', WEST, { services: ['C1-EXPRESS'] }))],
    [
      'carriers',
      problemOf({ name }, WEST, first, onePercentage('20.00', { ...WEST, carrier: 'C2' }, { services: '*' })),
    ],
    [
      'warehouses',
      problemOf({ name, warehouses: [7] }, { ...WEST, warehouses: [8] }, first, onePercentage('20.00', WEST)),
    ],
    ['one for all', problemOf({ name }, { ...WEST, warehouses: [8] }, first, onePercentage('20.00', WEST))],
    ['days', problemOf({ name }, WEST, first, onePercentage('20.00', { ...WEST, effective: '2026-07-01' }))],
  ];
  expect(none.filter(([, problem]) => problem !== undefined)).toEqual([]);
});

test('a record with an agreement twice, or for a warehouse that the client lacks, is refused', () => {
  const refused = (...agreements: object[]) => expect(() => read(record('acme', agreements)));
  refused(WEST, WEST).toThrow('clients[0].agreements has west twice');
  refused({ ...WEST, warehouses: [7, 8] }, { ...WEST, warehouses: [8] }).toThrow('has west for warehouse 8 twice');
  refused({ ...WEST, warehouses: [9] }).toThrow(
    'clients[0].agreements[0].warehouses of west has 9, which the client does not have',
  );
  refused({ name: 'West' }).toThrow('must be lower-case letters, digits and hyphens');
  refused({ ...WEST, warehouses: [] }).toThrow('clients[0].agreements[0].warehouses');
  expect(read(record('acme', [WEST, { ...WEST, warehouses: [8] }])).get('acme')?.assigned).toHaveLength(2);
});

test('a draft is an agreement, or its first errors, or nothing', () => {
  const NEXT = onePercentage('30.00', { name: 'next' });
  source = new Map();
  documents = new Map([['next', NEXT]]);
  const { draft } = open();
  expect([draft('next'), draft('other')]).toEqual([NEXT, undefined]);
  errors = [1, 2, 3, 4].map((row) => ({ severity: 'error', at: `next/discounts.csv row ${row}`, message: 'is wrong' }));
  expect(draft('next')).toBe(
    'is a draft with errors: next/discounts.csv row 1: is wrong; next/discounts.csv row 2: is wrong; ' +
      'next/discounts.csv row 3: is wrong; and 1 more',
  );
  errors = [];
});
