/** Every fault, finding and warning in the words of the pages: they contain no name, parameter or path of the API. */
import { describe, expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import {
  FIELDS_FOR_PEOPLE,
  faultWords,
  findingText,
  guidanceOf,
  kindWords,
  warningText,
} from '../../src/console/fault-words.ts';
import { API_FAULTS, faultObject, type HttpFault } from '../../src/http/faults.ts';
import { FAULT_EXAMPLES } from '../../src/http/openapi/document.ts';
import { problemsOf, rowFaultText } from '../../src/lists/columns/fault-words.ts';
import { faultTitle, warningTitle } from '../../src/lists/columns/plain-words.ts';
import { PRICE_PARTS } from '../../src/rating/charges.ts';
import type { Fault, FaultBody } from '../../src/rating/fault.ts';
import { FIELD_NAMES, nameAt } from '../../src/rating/fields.ts';
import { readShipment } from '../../src/rating/shipment.ts';
import { columnsOf } from '../lists/columns/columns-of.ts';

/** Words of programs: parameters, calls, paths, types, names with `_`, names in camelCase, headers and dotted names. */
const OF_PROGRAMS =
  /\?\w|\b(?:GET|POST|DELETE|JSON|CSRF|HTTP|Content-Type|Idempotency|Host)\b|of type|\b[a-z]+_[a-z]+|\b[a-z]+[A-Z]\w*|\b[a-z]\w*\.[a-z]\w*\b|\/v1\/|\[\d+\]|\bbytes\b|\bheader [A-Z]/;

const plain = (texts: readonly string[]): void => {
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    expect(text).toMatch(/^\S.*[.?]$/s);
    expect(text).not.toMatch(OF_PROGRAMS);
  }
};

const bodyOf = (value: unknown): FaultBody => {
  const { fault } = value as { fault: FaultBody };
  return fault;
};

describe('a fault in words', () => {
  test.each(Object.keys(API_FAULTS))('%s has no technical words', (type) => {
    plain(faultWords(bodyOf(FAULT_EXAMPLES[type]?.value)));
  });

  const issue = (path: string, message: string): Fault => ({
    type: 'getRates.invalidRequest',
    issues: [{ path, message }],
  });
  const OTHERS: readonly (readonly [what: string, fault: Fault | HttpFault, words: string])[] = [
    [
      'a ZIP code',
      issue(
        'rates.recipient.address.postalCode',
        'must have the form 12345 or 12345-6789; ?repair=zip in a list adds zeros',
      ),
      'Destination ZIP code must have the form 12345 or 12345-6789.',
    ],
    [
      'a weight with its unit',
      issue(
        'rates.packageItems[1].weight.value',
        'must be a number; a unit belongs in units, KG or LB; ?repair=weight in a list',
      ),
      'Weight of package 2 must be a number; give its unit separately, as KG or LB.',
    ],
    [
      'no packages',
      issue('rates.packageItems', 'must have at least 1 entry'),
      'Number of packages must be at least 1.',
    ],
    [
      'too many packages',
      issue('rates.packageItems', 'must have at most 99 entries'),
      'Number of packages must be at most 99.',
    ],
    ['no scenario', issue('scenarios', 'must have at least 1 entry'), 'Scenarios must have at least 1 entry.'],
    [
      'a value of yes or no',
      issue('rates.options.saturday', 'must be true or false'),
      'Saturday delivery must be true or false.',
    ],
    [
      'a member of a scenario',
      issue('scenarios[0].dimensionalFactor', 'must be at least 1'),
      'Dimensional factor must be at least 1.',
    ],
    [
      'a warehouse',
      { type: 'getRates.unknownWarehouse', warehouseId: 7 },
      'The warehouse 7 is not registered to this client.',
    ],
    [
      'rows that are too many',
      { type: 'request.tooLarge', limit: 'rows', most: '10000000 rows' },
      'This is larger than the service accepts: at most 10,000,000 rows. Divide the list.',
    ],
    [
      'a file that is too large',
      { type: 'request.tooLarge', limit: 'upload', most: '1073741824 bytes' },
      'This is larger than the service accepts: at most 1 GB. Divide the list.',
    ],
    [
      'a workbook that is too complex',
      { type: 'request.tooLarge', limit: 'readingTime', most: '120 s' },
      'This file is too complex to read. Save the sheet with your list as CSV, and use that.',
    ],
    [
      'a full account',
      { type: 'request.rateLimited', limit: 'bytesStored', kept: 5, retryAfterS: 9 },
      'Your account has no room for more lists. Delete batches that you no longer need, then try again.',
    ],
    [
      'running lists',
      { type: 'request.rateLimited', limit: 'batchesInFlight', atOnce: 5, retryAfterS: 9 },
      'Too many of your lists are running. Try again when one has finished.',
    ],
    ['a page of another session', { type: 'request.forbidden', scope: 'csrf' }, 'This page is out of date. Reload it.'],
    [
      'an agreement that is away',
      { type: 'service.unavailable', dependency: 'agreements' },
      'Your agreement cannot be read right now, so there are no prices. Tell your operator.',
    ],
  ];
  test.each(OTHERS)('%s says what to do', (_, fault, words) => {
    expect(faultWords(faultObject(fault))).toEqual([words]);
    plain([words]);
  });

  test('names each of several fields', () => {
    const issues = [
      { path: 'rates.recipient.address.postalCode', message: 'is required' },
      { path: 'rates.packageItems', message: 'is required' },
    ];
    expect(faultWords(faultObject({ type: 'getRates.invalidRequest', issues }))).toEqual([
      'Destination ZIP code is required.',
      'rates.packageItems is required.',
    ]);
    const problems = {
      postalCode: 'required column missing; or name it with ?columns=postalCode:…',
      units: 'is unknown',
    };
    expect(faultWords(faultObject({ type: 'createBatch.invalidFile', problems }))).toEqual([
      'Destination ZIP code: required column missing.',
      'Units: is unknown.',
    ]);
  });

  const titleOf = (problem?: string): readonly string[] => {
    const type = 'getRates.unknownShippingService';
    const { message } = faultObject({ type, shippingService: 'GROUND', ...(problem && { problem }) });
    return problemsOf(type, message, {}, '').map((own) => {
      const kind = { ...own, type, field: null, column: null, rows: 1, estimatedRows: 1, examples: [] };
      return `${kindWords(kind).title} (${own.kind})`;
    });
  };
  test.each([
    [undefined, 'Shipping service not available (getRates.unknownShippingService)'],
    [
      'not in force on 2026-11-25; it starts on 2027-01-05',
      'GROUND is not in force until Jan 5, 2027 (getRates.unknownShippingService GROUND 2027-01-05)',
    ],
    ['not in force on 2026-11-25', 'GROUND is not in force on the ship date (getRates.unknownShippingService GROUND)'],
  ])('says whether a service is unknown, or on which days it is not in force', (problem, words) => {
    expect(titleOf(problem)).toEqual([words]);
  });

  test('names the field where only the message is known', () => {
    const { type, message } = faultObject(issue('rates.packageItems[0].weight.value', 'must be at most 99 LB; use KG'));
    expect(faultWords({ type, message, arguments: {} })).toEqual(['Weight must be at most 99 LB; use KG.']);
  });
});

test('the fault of a row names the list’s own column, unless there are several problems', () => {
  const zip = 'rates.recipient.address.postalCode';
  const said = (args: object, column: string): string =>
    rowFaultText('getRates.invalidRequest', 'The request is invalid.', JSON.stringify(args), column);
  expect(said({ 'rates.packageItems[0].weight.value': 'is required' }, 'lbs')).toBe(
    'Weight is required. See column “lbs”.',
  );
  expect(said({ [zip]: 'is required' }, '')).toBe('Destination ZIP code is required.');
  expect(said({ [zip]: 'is required', 'rates.shipDate': 'is required' }, 'Zip')).toBe(
    'Destination ZIP code is required. Ship date is required.',
  );
  expect(rowFaultText('row.malformed', 'Row 3 cannot be read: a quoted cell is not closed.', '{"row":', '')).toBe(
    'Row 3 cannot be read: a quoted cell is not closed.',
  );
});

test('a name that is too long for the code of a service is in no tariff', () => {
  const body = { rates: { shippingService: 'USPS Ground Advantage' } };
  const judged = readShipment(body);
  expect(judged instanceof Failed && faultWords(faultObject(judged.fault))[0]).toBe(
    'Shipping service is in no tariff: a code has at most 10 characters.',
  );
});

test('what to do about a kind of fault has no technical words, and each field has a label', () => {
  for (const type of Object.keys(API_FAULTS)) {
    const { title, advice } = guidanceOf(type);
    plain([`${title}.`, advice]);
  }
  expect(faultTitle('a.laterType')).toBe('Another problem');
  expect([...FIELDS_FOR_PEOPLE].sort()).toEqual([...FIELD_NAMES].sort());
  for (const field of FIELD_NAMES) plain([`${nameAt(field)}.`]);
});

describe('a finding in words', () => {
  const REST = ['Warehouse', 'Zip', 'Weight'];
  const HEADERS: readonly (readonly [type: string, names: readonly string[], cells: readonly string[]])[] = [
    ['column.quantity', ['Qty'], []],
    ['column.notTaken', ['Carrier', 'Insured Value', 'Country Area', 'Box Size', 'ship_via'], []],
    ['column.notTaken', ['Postal Code', 'Ship To Zip'], []],
    ['column.likely', ['Units'], []],
    ['column.unreadable', ['shipDate'], ['3/4/26']],
    ['column.unreadable', ['shipDate'], ['46356']],
    ['dimensions.noUnit', ['Length', 'Width', 'Height'], []],
    ['service.mapped', ['Service'], ['FedEx Ground']],
    ['service.unknown', ['Service'], ['Pigeon']],
    ['findings.more', Array.from({ length: 30 }, (_, at) => `Carrier ${at}`), []],
  ];
  test.each(HEADERS)('%s has no technical words', (type, names, cells) => {
    const { findings } = columnsOf(
      [...REST, ...names],
      { defaults: { weight_units: 'LB' }, services: ['FDX-GROUND'] },
      [['', '', '', ...cells]],
    );
    if (type !== 'column.likely') expect(findings.map((finding) => finding.type)).toContain(type);
    for (const { message } of findings) plain([findingText(message).replaceAll(/"[^"]*"/g, 'it')]);
  });

  test('names the field that a column could be', () => {
    const [finding] = columnsOf([...REST, 'Units', 'Carrier'], {}, []).findings;
    expect(findingText(finding?.message ?? '')).toBe(
      '"Carrier" (column 5) looks like the shipping service but was not used: all services are compared, and the cheapest is taken.',
    );
  });

  test('leaves no part of a sentence about calls', () => {
    const note = `has dates that are not in the form YYYY-MM-DD; rows with them get no price. Add ?columns=shipDate: to ignore the column, so that every row ships today.`;
    expect(findingText(note)).toBe('has dates that are not in the form YYYY-MM-DD; rows with them get no price.');
  });
});

test('a warning has no technical words', () => {
  const WARNINGS = [
    {
      type: 'zone.estimated',
      message: 'FedEx has no zone chart for the origin 07001.',
      arguments: { origin: '07001' },
    },
    { type: 'price.incomplete', message: '', arguments: { missing: [...PRICE_PARTS] } },
    { type: 'service.homesOnly', message: 'FDX-HOME delivers only to homes.', arguments: { residential: false } },
    { type: 'agreement.ended', message: '', arguments: { agreement: 'acme', endedOn: '2026-03-01' } },
    { type: 'agreement.tierUncertain', message: '', arguments: { agreement: 'acme', spendUntil: '2026-03-01' } },
  ];
  for (const warning of WARNINGS) plain([`${warningTitle(warning.type)}.`, warningText(warning)]);
});
