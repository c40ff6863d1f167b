/** Columns that say who pays: columns that are used, and columns that are only asked about. */
import { expect, test } from 'vitest';
import { columnsOf } from '../columns/columns-of.ts';

const read = (name: string, cells: readonly string[]) =>
  columnsOf(
    ['warehouse', 'units', 'zip', 'weight', name],
    undefined,
    cells.map((cell) => ['', '', '', '', cell]),
  );

test.each([
  'billing',
  'Billing Type',
  'Billing Option',
  'Bill Transportation To',
  'ShipmentInformationBillTransportationTo',
])('%s is used', (name) => {
  expect(read(name, ['Collect', 'Prepaid']).fields.billing).toBe(4);
});

test.each(['Bill To', 'Freight Terms', 'Payor', 'paid_by', 'Billed Party'])(
  '%s is asked about only if its cells say who pays',
  (name) => {
    const { fields, findings } = read(name, ['Collect', 'Third Party', 'Prepaid']);
    expect(fields.billing).toBeUndefined();
    expect(findings.map(({ message }) => message)).toEqual([
      `"${name}" (column 5) looks like the field billing but was not used: the shipper pays for each row. To use it, add ?columns=billing:${name}.`,
    ]);
    expect(read(name, ['Acme Inc.', 'Collect']).findings).toEqual([]);
    expect(read(name, ['Credit card']).findings).toEqual([]);
  },
);

test.each(['Billing Name', 'Billing Zip', 'Billing Address1', 'Payment Method'])('%s is something else', (name) => {
  expect(read(name, ['02139', 'PayPal'])).toMatchObject({ fields: { postalCode: 2 }, findings: [] });
});
