/** Findings about columns, word for word. */
import { describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { readNamedColumns } from '../../../src/lists/columns/fields.ts';
import { readHeader } from '../../../src/lists/columns/header.ts';
import { lookalikes } from '../../../src/lists/columns/lookalikes.ts';
import { columnsOf } from './columns-of.ts';

const REST = ['warehouse', 'units', 'zip', 'weight'];

/** Returns the findings for columns after the required ones. */
const findingsOf = (names: string[], reading?: ReadOptions, sample: string[][] = []) =>
  columnsOf(
    [...REST, ...names],
    reading,
    sample.map((cells) => ['', '', '', '', ...cells]),
  ).findings;

const messagesOf = (...args: Parameters<typeof findingsOf>): string[] =>
  findingsOf(...args).map(({ message }) => message);

const named = (text: string): ReadOptions => {
  const names = readNamedColumns(text);
  if (typeof names === 'string') throw new Error(names);
  return { named: names };
};

describe('an unknown column that looks relevant', () => {
  test.each([
    ['Country Area', 'countryCode', 'every row counts as US'],
    ['Residence?', 'residential', 'no row counts as residential'],
    ['Commercial', 'residential', 'no row counts as residential'],
    ['dims', 'dimensions', 'no dimensions are read'],
    ['Item Length (in)', 'length', 'no dimensions are read'],
    ['L', 'length', 'no dimensions are read'],
    ['Depth', 'length', 'no dimensions are read'],
    ['Buyer Country', 'countryCode', 'every row counts as US'],
    ['Home Delivery', 'residential', 'no row counts as residential'],
    ['Boxes Shipped', 'packages', 'each row counts as one package'],
    ['Carrier Name', 'shippingService', 'all services are compared, and the cheapest is taken'],
    ['Shipping Method Code', 'shippingService', 'all services are compared, and the cheapest is taken'],
    ['Carrier', 'shippingService', 'all services are compared, and the cheapest is taken'],
    ['ShippingMethod', 'shippingService', 'all services are compared, and the cheapest is taken'],
    ['ship_via', 'shippingService', 'all services are compared, and the cheapest is taken'],
    ['Signature Required', 'signature', 'no row is charged for a signature'],
    ['Requires Signature', 'signature', 'no row is charged for a signature'],
    ['Saturday Option', 'saturday', 'no row is charged for Saturday delivery'],
    ['Insured Value', 'declared_value', 'no row is charged for its declared value'],
    ['Pkg Decl Value', 'declared_value', 'no row is charged for its declared value'],
    ['Non-Standard Container Type', 'non_standard_packaging', 'no row is charged for its packaging'],
    ['Non-Machinable', 'non_standard_packaging', 'no row is charged for its packaging'],
  ])('%s looks like the field %s: %s', (name, field, effect) => {
    expect(findingsOf([name])).toEqual([
      {
        type: 'column.notTaken',
        message: `"${name}" (column 5) looks like the field ${field} but was not used: ${effect}. To use it, add ?columns=${field}:${name}.`,
        column: name,
      },
    ]);
  });

  test.each([
    'Weight Class',
    'Zip Area',
    'Note',
    'Sizes',
    'Methodology',
    'Sender Country',
    'Item Size',
    'Box Size',
    'Address Type',
    'Delivery Type',
    'Delivery Confirmation',
    'Land',
    'Package Number',
    'Date Shipped',
    'Warehouse Name',
    'Carrier Tracking Number',
    'Declared Country',
    'paymentMethod',
    'Signature Name',
    'Signature Fee',
    'Insurance Provider',
    'Customs Declared Value',
    'Declared Value Currency',
    'Standard',
    'Packaging Type',
    '',
  ])('reports nothing for %j', (name) => {
    expect(findingsOf([name])).toEqual([]);
  });

  test('is not reported if another column is used or the caller declined', () => {
    expect(findingsOf(['Country Area', 'Country'])).toEqual([]);
    expect(findingsOf(['Country Area'], named('countryCode:'))).toEqual([]);
    expect(findingsOf(['Qty', 'packages'])).toEqual([]);
    expect(findingsOf(['Qty'], named('packages:'))).toEqual([]);
    expect(findingsOf(['Buyer Country', 'Nation'], {}, [['MX', 'MX']])).toEqual([]);
  });

  test('is reported if the column that is used has no cells', () => {
    const asked = (...args: Parameters<typeof findingsOf>) => findingsOf(...args).map(({ column }) => column);
    expect(asked(['Buyer Country', 'Nation'], {}, [['MX', '']])).toEqual(['Buyer Country']);
    expect(asked(['Buyer Country', 'Nation'], named('countryCode:Nation'), [['MX', ' ']])).toEqual([]);
    expect(asked(['Buyer Country', 'Nation'], {}, [['', '']])).toEqual([]);
  });

  test('has no meaning if its name has more than two hundred characters', () => {
    expect(findingsOf([`${'x'.repeat(192)} country`])).toHaveLength(1);
    expect(findingsOf([`${'x'.repeat(193)} country`])).toEqual([]);
  });

  test('is not reported if the service’s own output added it', () => {
    expect(findingsOf(['quote_carrier', 'quote_status'])).toEqual([]);
  });

  test('is escaped for the parameter if it has a comma or a backslash', () => {
    expect(messagesOf(['Carrier, \\ or so'])).toEqual([
      '"Carrier, \\ or so" (column 5) looks like the field shippingService but was not used: all services are compared, and the cheapest is taken. To use it, add ?columns=shippingService:Carrier\\, \\\\ or so.',
    ]);
  });

  test('is listed in the message for a missing column', () => {
    const header = ['My Zip', 'Sender Zip', 'zip', 'Postal Area', 'weight'];
    expect(withoutPause(lookalikes(header, 'postalCode', []))).toEqual([
      '"My Zip" (column 1)',
      '"Postal Area" (column 4)',
    ]);
    expect(withoutPause(lookalikes(['Weight Class', 'Mass'], 'weight_value', []))).toEqual([
      '"Weight Class" (column 1)',
      '"Mass" (column 2)',
    ]);
    expect(withoutPause(lookalikes(header, 'warehouse_id', []))).toEqual([]);
  });
});

describe('the cells of the first rows', () => {
  const asked = (name: string, ...cells: string[]) =>
    findingsOf(
      [name],
      {},
      cells.map((cell) => [cell]),
    ).map(({ message }) => /looks like the field (\w+)/.exec(message)?.[1]);

  test.each([
    ['Address Type', ['Residential', 'Commercial'], 'residential'],
    ['Delivery Type', ['Home', 'Business'], 'residential'],
    ['Location Class', ['', 'RESIDENTIAL'], 'residential'],
    ['Delivery Confirmation', ['None', 'Adult Signature'], 'signature'],
    ['Land', ['US', 'DE'], 'countryCode'],
    ['Package Size', ['12x10x8', '6 X 6 X 6'], 'dimensions'],
    ['Box', ['12 x 10 x 8', '12×10×8'], 'dimensions'],
    ['Group', ['Residential', 'Commercial'], 'residential'],
    ['Extra', ['', 'Direct Signature Required'], 'signature'],
    ['Area', ['US', 'MX'], 'countryCode'],
    ['Area', ['Germany', 'United States'], 'countryCode'],
    ['Date Shipped', ['6/1/2026'], 'shipDate'],
    ['Box No', ['3', '1'], 'packages'],
    ['Customer chose', ['UPS® Ground', 'USPS Ground Advantage'], 'shippingService'],
    ['Customer chose', ['FedEx Express'], 'shippingService'],
    ['Svc', ['Express'], 'shippingService'],
    ['Svc Type', ['2nd Day'], 'shippingService'],
    ['Ship Mode', ['Ground'], 'shippingService'],
    ['Sat Delivery', ['', 'Y'], 'saturday'],
    ['Sat', ['X'], 'saturday'],
    ['Ins Val', ['$500'], 'declared_value'],
    ['Cargo Value', ['300'], 'declared_value'],
    ['Speed', ['2nd Day'], 'shippingService'],
    ['Insured Amt', ['500'], 'declared_value'],
    ['Sig Req', ['Y'], 'signature'],
    ['Residence', ['X'], 'residential'],
    ['RES', ['1', '0'], 'residential'],
    ['Addr Type', ['R', 'C'], 'residential'],
    ['Address Type', ['R'], 'residential'],
    ['Pkg Ct', ['3'], 'packages'],
    ['Box Cnt', ['3'], 'packages'],
    ['Ctry', ['CA'], 'countryCode'],
    ['Delivery Type', ['R', 'C'], 'residential'],
    ['Home/Business', ['H'], 'residential'],
    ['Private Address', ['Y'], 'residential'],
    ['Weekend Delivery', ['N', 'Y'], 'saturday'],
    ['Insurance', ['0.00', '$500.00'], 'declared_value'],
    ['Declared', ['500'], 'declared_value'],
    ['Insured Value', ['USD 500'], 'declared_value'],
    ['Dims', ['40/30/20'], 'dimensions'],
    ['Size', ['40-30-20'], 'dimensions'],
    ['Pickup Date', ['6/1/2026'], 'shipDate'],
  ])('of %s, %j, look like the %s', (name, cells, field) => {
    expect(asked(name, ...cells)).toEqual([field]);
  });

  test.each([
    ['Address Type', ['Shipping', 'Billing']],
    ['Delivery Type', ['LF']],
    ['Delivery Type', ['Y', 'N']],
    ['Delivery Confirmation', ['None']],
    ['Land', ['US', 'US']],
    ['Package Size', ['Small']],
    ['Box', ['12x10']],
    ['Box', ['12x10x8', 'Small']],
    ['Group', ['Residential', 'Other']],
    // State codes that are also country codes.
    ['ST', ['CA', 'DE', 'IN']],
    ['ST', ['CA', 'NY']],
    ['State', ['MX']],
    ['Sender Area', ['MX']],
    ['Currency', ['CAD']],
    ['Box No', ['1Z999AA10123456784']],
    ['Carrier', ['1Z999AA10123456784', '794644790138']],
    ['Home Delivery', ['Truck']],
    ['Buyer Country', ['?']],
    ['Res', ['Yes', 'pending']],
    ['Business', ['Smith Inc']],
    ['Address Type', ['']],
    ['Sat', ['9:00 to 17:00']],
    ['Ctry', ['?']],
    ['Delivery Type', ['R', 'Locker']],
    ['Insurance', ['0.00']],
    ['Insurance', ['UPS']],
  ])('of %s, %j, show nothing that a price depends on', (name, cells) => {
    expect(asked(name, ...cells)).toEqual([]);
  });

  test.each([
    ['Commercial?', ['N', 'Y']],
    ['Business Address', ['No']],
  ])('of %s, %j, look like the opposite of residential', (name, cells) => {
    expect(
      findingsOf(
        [name],
        {},
        cells.map((cell) => [cell]),
      ).map(({ message }) => message),
    ).toEqual([
      `"${name}" (column 5) looks like the opposite of the field residential, and was not used: no row counts as residential. Add a column residential with the opposite values.`,
    ]);
  });

  test('of ZIP codes name the column if there is no other', () => {
    const sample = [
      ['02139', 'a', '10001-1234'],
      ['10001', 'b', ''],
    ];
    expect(withoutPause(lookalikes(['Order Number', 'x', 'Destination'], 'postalCode', sample))).toEqual([
      '"Destination" (column 3)',
    ]);
    expect(asked('Destination', '02139')).toEqual([]);
  });

  test('are at most ten thousand, starting at the first row', () => {
    const wide = (row: number) => {
      const header = [...REST, ...Array.from({ length: 4_996 }, (_, at) => `Area ${at}`)];
      const sample = Array.from({ length: 3 }, (_, at) => header.map(() => (at === row ? 'MX' : '')));
      return columnsOf(header, {}, sample).findings.length;
    };
    expect([wide(0), wide(1), wide(2)]).toEqual([21, 21, 0]);
  });

  test('never decide how a column is used', () => {
    const header = [...REST, 'Address Type', 'Area'];
    const { fields } = columnsOf(header, {}, [['', '', '', '', 'Residential', 'MX']]);
    expect(fields).toEqual({ warehouse_id: 0, weight_units: 1, postalCode: 2, weight_value: 3 });
  });
});

describe('a value that the upload gives for all rows', () => {
  test('is named in the finding', () => {
    const reading = { defaults: { shippingService: 'C1-GROUND', warehouse_id: '101' } };
    expect(messagesOf(['Carrier'], reading)).toEqual([
      '"warehouse" (column 1) is the field warehouse_id, so the value 101 for all rows has no effect. To use the value, add ?columns=warehouse_id: to ignore the column.',
      '"Carrier" (column 5) looks like the field shippingService but was not used: every row has C1-GROUND, as the upload says. To use it, add ?columns=shippingService:Carrier.',
    ]);
  });
});

describe('a column with cells where the used column has none', () => {
  const sized = ['length', 'width', 'height', 'LxWxH'];
  const reading = { defaults: { dimension_units: 'IN' } };
  const own = ['', '', '', '30x24x24'];

  test('is named with the columns that are used', () => {
    expect(messagesOf(sized, reading, [own, ['30', '24', '24', '']])).toEqual([
      '"LxWxH" (column 8) has cells in rows where "length" (column 5), "width" (column 6), "height" (column 7) are empty, but was not used: those rows are priced without them. Move the values to the same column. To use this column instead, add ?columns=dimensions:LxWxH.',
    ]);
    expect(
      messagesOf(['residential', 'Address Type'], {}, [
        ['', 'Residential'],
        ['false', ''],
      ]),
    ).toEqual([
      '"Address Type" (column 6) has cells in rows where "residential" (column 5) is empty, but was not used: those rows are priced without them. Move the values to the same column. To use this column instead, add ?columns=residential:Address Type.',
    ]);
  });

  test('is not named if the used columns have the cells too', () => {
    expect(messagesOf(sized, reading, [['30', '24', '24', '30x24x24']])).toEqual([]);
  });
});

describe('a column without a field', () => {
  const cancelled =
    'cancelled orders, and their rows are priced like the others. To leave them out, delete those rows.';
  const dearer = 'has values, but no price includes a charge for them: those rows may cost more.';
  test.each([
    ['Cancelled at', '2026-10-31 09:12:44 -0400', 'rows.cancelled', `marks ${cancelled}`],
    ['CanceledAt', '10/31/2026', 'rows.cancelled', `marks ${cancelled}`],
    ['order-status', 'Cancelled', 'rows.cancelled', `names ${cancelled}`],
    ['Status', 'wc-cancelled', 'rows.cancelled', `names ${cancelled}`],
    ['Financial Status', 'voided', 'rows.cancelled', `names ${cancelled}`],
    ['Hazmat', 'Y', 'rows.notCharged', dearer],
    ['Dangerous Goods', 'UN3480', 'rows.notCharged', dearer],
    ['dry_ice_weight', '2.5', 'rows.notCharged', dearer],
    ['COD Amount', '120.00', 'rows.notCharged', dearer],
  ])('is named with what it says of rows: %s with %s', (name, cell, type, message) => {
    const findings = findingsOf([name], {}, [[''], [cell]]);
    expect(findings).toEqual([{ type, message: `"${name}" (column 5) ${message}`, column: name }]);
  });

  test.each([
    ['Cancelled at', ''],
    ['Cancelled', 'No'],
    ['Status', 'shipped'],
    ['Cancellation Reason', '2026-10-31'],
    ['Hazmat', 'N'],
    ['dry_ice_weight', '0.00'],
    ['COD', 'none'],
    ['code', '7'],
  ])('is not named if it says nothing: %s with %j', (name, cell) => {
    expect(findingsOf([name], {}, [[cell]])).toEqual([]);
  });

  test('is named with what was not looked at, if there are more rows than that', () => {
    const listOf = (rows: number): string =>
      `warehouse_id,postalCode,weight_value,weight_units,Hazmat,Cancelled at,Status\n${'101,02139,2,LB,,,paid\n'.repeat(rows)}`;
    const messagesIn = (rows: number): readonly string[] => {
      const head = readHeader(Buffer.from(listOf(rows)), true, {}, 65_536);
      if (head === 'more' || 'problems' in head) throw new Error('the head is refused');
      return head.columns.findings.map(({ message }) => message);
    };
    expect(messagesIn(198)).toEqual([]);
    expect(messagesIn(300)).toEqual([
      '"Hazmat" (column 5) was checked in the first 199 rows. It has no values there. Rows with values further down may cost more: no price includes a charge for them.',
      '"Cancelled at" (column 6) was checked in the first 199 rows. It marks no cancelled order there. If it does further down, those rows are priced like the others.',
    ]);
  });
});

describe('a column that lost to another', () => {
  test('is reported with the one that is used', () => {
    expect(
      findingsOf(['Country', 'Ship To Country', 'Length', 'Package Length'], { defaults: { dimension_units: 'IN' } }),
    ).toEqual([
      {
        type: 'column.notTaken',
        message:
          '"Country" (column 5) could be the field countryCode but was not used, because "Ship To Country" (column 6) is. To use it instead, add ?columns=countryCode:Country.',
        column: 'Country',
      },
      {
        type: 'column.notTaken',
        message:
          '"Length" (column 7) could be the field length but was not used, because "Package Length" (column 8) is. To use it instead, add ?columns=length:Length.',
        column: 'Length',
      },
    ]);
  });

  test('is not reported if it is another line of the address', () => {
    const columns = columnsOf([...REST, 'Address 1', 'Street']);
    expect([columns.fields.addressLine, columns.findings]).toEqual([4, []]);
  });

  test('is reported if a unit in a name wins', () => {
    const columns = columnsOf(['warehouse', 'zip', 'Weight (lb)', 'UOM']);
    expect([columns.fields.weight_units, columns.defaults.weight_units]).toEqual([undefined, 'LB']);
    expect(columns.findings).toEqual([]);
  });
});

describe('a column that is used', () => {
  test('is reported if its name often means something else', () => {
    expect(columnsOf(['warehouse', 'units', 'zip', 'Order Weight']).findings).toEqual([
      {
        type: 'column.likely',
        message:
          '"Order Weight" (column 4) was used as the field weight_value, for each package of a row. Add ?columns=weight_value: to ignore the column.',
        column: 'Order Weight',
      },
    ]);
    expect(columnsOf(['warehouse', 'UOM', 'zip', 'weight']).findings.map(({ message }) => message)).toEqual([
      '"UOM" (column 2) was used as the field weight_units, for each package of a row. Add ?columns=weight_units: to ignore the column.',
    ]);
  });

  test('is reported if its dates have another form', () => {
    const finding = {
      type: 'column.unreadable',
      message:
        '"Ship Date" (column 5) has dates that are not in the form YYYY-MM-DD; rows with them get no price. To give the order of month, day and year, add ?date_order=mdy or dmy or ymd. Add ?columns=shipDate: to ignore the column, so that every row ships today.',
      column: 'Ship Date',
    };
    const either = { ...finding, message: finding.message.replace('mdy or dmy or ymd', 'mdy or dmy') };
    expect(findingsOf(['Ship Date'], {}, [['2026-06-01'], ['6/1/2026']])).toEqual([either]);
    const one = { ...finding, message: finding.message.replace('mdy or dmy or ymd', 'dmy') };
    expect(findingsOf(['Ship Date'], {}, [['2026-06-01'], ['6/1/2026'], ['25/6/2026']])).toEqual([one]);
    expect(findingsOf(['Ship Date'], {}, [['20260601'], ['20261301']])).toEqual([]);
    expect(findingsOf(['Ship Date'], {}, [['6012026']])).toEqual([finding]);
    expect(findingsOf(['Ship Date'], {}, [['2026-06-011']])).toEqual([finding]);
    expect(findingsOf(['Ship Date'], {}, [['12026-06-01']])).toEqual([finding]);
    const remedy = 'To give the order of month, day and year, add ?date_order=mdy or dmy or ymd.';
    const format = "46356 looks like a spreadsheet's number for a day: format these cells as dates there.";
    const serial = { ...finding, message: finding.message.replace(remedy, format) };
    expect(findingsOf(['Ship Date'], {}, [['2026-06-01'], ['46356']])).toEqual([serial]);
    expect(findingsOf(['Ship Date'], {}, [['2026-06-01'], [' 2026-06-02 '], [''], [' '], []])).toEqual([]);
    expect(findingsOf(['Ship Date', 'Ref'], {}, [['2026-06-01', '6/1/2026']])).toEqual([]);
  });

  test('is reported if it names unknown services', () => {
    const [finding] = findingsOf(['Service'], { services: ['UPS-GROUND'] }, [['UPS-GROUND'], [' Standard ']]);
    expect(finding).toMatchObject({
      type: 'service.unknown',
      message: expect.stringContaining('no tariff has: "Standard";'),
    });
    expect(findingsOf(['Service', 'Ref'], { services: ['UPS-GROUND'] }, [['UPS-GROUND', 'Standard']])).toEqual([]);
  });
});

describe('dimensions with an unknown unit', () => {
  const said = (all: string, column: string) => [
    {
      type: 'dimensions.noUnit',
      message: `The unit of ${all} is unknown; rows with dimensions get no price. Use ?dimension_units=IN or CM for all rows.`,
      column,
    },
  ];
  test('are reported once, for the first side', () => {
    expect(findingsOf(['Height', 'Width', 'Length'])).toEqual(
      said('"Length" (column 7), "Width" (column 6), "Height" (column 5)', 'Length'),
    );
    expect(findingsOf(['Height'])).toEqual(said('"Height" (column 5)', 'Height'));
    expect(findingsOf(['Height', 'Width'])).toEqual(said('"Width" (column 6), "Height" (column 5)', 'Width'));
  });

  test('are not reported if a column, a name or the upload states the unit', () => {
    expect(findingsOf(['Length', 'Dim Unit'])).toEqual([]);
    expect(findingsOf(['Length (cm)', 'Width'])).toEqual([]);
    expect(findingsOf(['Length'], { defaults: { dimension_units: 'CM' } })).toEqual([]);
  });
});

describe('many findings', () => {
  const quantities = (count: number) => Array.from({ length: count }, (_, at) => `Qty${'.'.repeat(at)}`);
  test('are limited to twenty and the number of others', () => {
    expect(findingsOf(quantities(20)).map(({ type }) => type)).toEqual(Array(20).fill('column.quantity'));
    const more = findingsOf(quantities(21));
    expect(more).toHaveLength(21);
    expect(more[19]?.column).toBe(`Qty${'.'.repeat(19)}`);
    expect(more[20]).toEqual({ type: 'findings.more', message: 'There is 1 more finding like these.', column: '' });
  });

  test('are in the order of their columns', () => {
    expect(findingsOf(['Carrier', 'Country', 'Qty', 'Ship To Country']).map(({ column }) => column)).toEqual([
      'Carrier',
      'Country',
      'Qty',
    ]);
  });
});
