import { expect, test } from 'vitest';
import { checkAgreement } from '../../../src/catalog/agreement/check/check.ts';
import { checkAgainst } from '../../../src/catalog/agreement/check/check-against.ts';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { smallTariff, TEN_POUNDS } from '../tariff/small-tariff.ts';
import { smallAgreement, tablesOf } from './small-agreement.ts';

const DAY = '2026-11-22';

/** GROUND with zones 2 and 8, AIR with columns 202 and 208, and surcharges. */
const TARIFF = smallTariff({
  file: {
    services: [
      ...smallTariff().file.services,
      {
        ...{ code: 'AIR', carrier: 'Small', description: 'Small Air', dimensionalFactor: 139 },
        ...{ zones: { distanceMiles: [500] }, rateZones: { '202': 2, '208': 8 } },
      },
    ],
    surcharges: [
      { type: 'RESIDENTIAL', description: 'Home', amount: { per: 'package', usd: { '2': '4.00', '8': '6.00' } } },
      {
        ...{ type: 'REMOTE', description: 'Remote', services: ['GROUND'] },
        ...{ when: { area: { list: 'far', tier: 'alaska' } }, amount: { per: 'package', usd: '10.00' } },
      },
      // Not in force on the day.
      { type: 'PEAK', description: 'Peak', from: '2026-12-01', amount: { per: 'package', usd: '1.00' } },
      { type: 'FUEL', description: 'Fuel', services: ['GROUND'], amount: { per: 'percent', rate: '20', of: ['BASE'] } },
    ],
  },
  document: {
    rates: { GROUND: TEN_POUNDS, AIR: { ...TEN_POUNDS, columns: ['202', '208'] } },
    areas: { far: { rows: [{ zip: '99501', tier: 'alaska' }] } },
  },
});
const SCHEDULE = scheduleOf([TARIFF]);

const said = (document: AgreementDocument, day = DAY, schedule = SCHEDULE): string[] => {
  expect(checkAgreement(document).filter(({ severity }) => severity === 'error')).toEqual([]);
  return checkAgainst(document, schedule, day).map(({ severity, at, message }) => `${severity} ${at}: ${message}`);
};

const discounts = (...rows: readonly string[]) => ({
  discounts: ['discount,services,zones,percent', ...rows].join('\n'),
});
const changes = (...rows: readonly string[]) => ({
  surcharges: ['surcharge,services,zones,area,change,value', ...rows].join('\n'),
});

test('finds nothing wrong with an agreement that fits', () => {
  expect(
    said(
      smallAgreement({
        ...discounts('A,GROUND,2-8,0', 'A,AIR,2|208,0'),
        ...changes('RESIDENTIAL,*,*,,amount off,1.00', 'REMOTE,GROUND,*,alaska,fixed,9.00', 'PEAK,*,*,,waived,'),
        fuel: 'services,from,percent\nGROUND,2026-01-05,18\n',
        minimums: 'services,minimum,value,zone,weight_lb\nGROUND,less usd,1.00,2,1\nAIR,less percent,5,202,10\n',
      }),
    ),
  ).toEqual([]);
});

test('services that no tariff has, wherever they are named, and services that are not in force', () => {
  const later = smallTariff({
    file: { name: 'later', effective: '2027-01-01' },
    service: { code: 'LATER' },
    document: { rates: { LATER: TEN_POUNDS } },
  });
  expect(
    said(
      smallAgreement(
        {
          ...discounts('A,GROUND|GRUOND,*,0', 'A,LATER,*,0'),
          ...changes('FUEL,FULE,*,,waived,'),
          minimums: 'services,minimum,value\nMIN,usd,1.00\n',
          fuel: 'services,from,percent\nF,2026-01-05,18\n',
        },
        { file: { services: { DIM: { dimensionalFactor: 166 } } }, tables: { rates: { RATES: TEN_POUNDS } } },
      ),
      DAY,
      scheduleOf([TARIFF, later]),
    ),
  ).toEqual([
    'error agreement.json services.DIM: no tariff has the service DIM: correct it, or add the tariff. Small has GROUND, AIR',
    'error discounts.csv row 2 column services: no tariff has the service GRUOND: correct it, or add the tariff. Small has GROUND, AIR',
    'warning discounts.csv row 3 column services: LATER is in no tariff in force on 2026-11-22: add such a tariff',
    expect.stringContaining('error minimums.csv row 2 column services: no tariff has the service MIN'),
    expect.stringContaining('error surcharges.csv row 2 column services: no tariff has the service FULE'),
    expect.stringContaining('error fuel.csv row 2 column services: no tariff has the service F:'),
    expect.stringContaining('error rates/RATES.csv: no tariff has the service RATES'),
  ]);
});

test('a service of another carrier', () => {
  const other = smallTariff({
    file: { name: 'other' },
    service: { code: 'OTHER', carrier: 'Other' },
    document: { rates: { OTHER: TEN_POUNDS } },
  });
  expect(said(smallAgreement(discounts('A,GROUND|OTHER,*,0')), DAY, scheduleOf([TARIFF, other]))).toEqual([
    'warning discounts.csv row 2 column services: OTHER is a service of Other, but the agreement is with Small: is this right?',
  ]);
});

test('a star names no service if no tariff has the carrier', () => {
  const file = { carrier: 'small' };
  expect(said(smallAgreement(discounts('A,*,*,5'), { file }))).toEqual([
    'error agreement.json carrier: no service of the tariffs in force has the carrier "small": correct it. They have Small. * names no service',
  ]);
  expect(said(smallAgreement(discounts('A,GROUND,*,0'), { file }))).toEqual([
    'warning agreement.json carrier: no service of the tariffs in force has the carrier "small": correct it. They have Small',
  ]);
});

test('zones that no column or reported zone matches', () => {
  expect(
    said(
      smallAgreement({ ...discounts('A,*,2|44,0', 'B,AIR|GROUND,202,0'), ...changes('RESIDENTIAL,AIR,9-11,,waived,') }),
    ),
  ).toEqual([
    'error discounts.csv row 2 column zones: no service of this row has the zone 44: correct the cell. GROUND has 2, 8',
    'warning discounts.csv row 3 column zones: the row names no zone of GROUND: remove the service, or add its zones, 2, 8',
    'error surcharges.csv row 2 column zones: no service of this row has the zone 9-11: correct the cell. AIR has 202, 208',
  ]);
});

test('lines of one discount that name one column in two ways', () => {
  expect(said(smallAgreement(discounts('A,AIR,2,0', 'A,AIR,202-207,0')))).toEqual([
    expect.stringContaining('error discounts.csv row 3: overlaps row 2 of the same discount "A" at 1 lb and up'),
  ]);
});

test('minimums of cells that the rate table lacks', () => {
  const minimums = 'services,minimum,value,zone,weight_lb\nGROUND,less usd,1.00,3,1\nAIR,less usd,1.00,202,11\n';
  expect(said(smallAgreement({ minimums }))).toEqual([
    'error minimums.csv row 2 column zone: GROUND has no zone 3: correct it. It has 2, 8',
    'error minimums.csv row 3: AIR has no rate of 11 lb in zone 202: correct zone or weight_lb',
  ]);
});

test("the agreement's own tables next to the tariff's", () => {
  const own = { columns: ['2', '9'], cents: [[900, 900]] };
  const document = smallAgreement(
    {},
    {
      file: { services: { GROUND: { rateCapPercent: '5' } } },
      tables: { rates: { GROUND: own }, caps: { GROUND: own } },
    },
  );
  expect(said(document)).toEqual([
    'error rates/GROUND.csv column 9: is not a rate column of GROUND: it has 2, 8',
    'warning rates/GROUND.csv: has no column 8: packages to it cost the list rate. Add the column, unless this is right',
    "warning rates/GROUND.csv: ends at 1 lb, but the tariff's rates at 10 lb: heavier packages cost the list rate. Add the rows, unless this is right",
    'error caps/GROUND.csv column 9: is not a rate column of GROUND: it has 2, 8',
    'warning caps/GROUND.csv: has no column 8: packages to it have no cap. Add the column, unless this is right',
    "warning caps/GROUND.csv: ends at 1 lb, but the tariff's rates at 10 lb: heavier packages have no cap. Add the rows, unless this is right",
  ]);
});

test('several columns and several zones are named as such', () => {
  const own = { columns: ['9'], cents: Array.from({ length: 10 }, () => [900]) };
  const document = smallAgreement(discounts('A,GROUND,44|45,0'), { tables: { rates: { GROUND: own } } });
  expect(said(document)).toEqual([
    'error discounts.csv row 2 column zones: no service of this row has the zones 44, 45: correct the cell. GROUND has 2, 8',
    'error rates/GROUND.csv column 9: is not a rate column of GROUND: it has 2, 8',
    'warning rates/GROUND.csv: has no columns 2, 8: packages to them cost the list rate. Add the columns, unless this is right',
  ]);
});

test('surcharges, areas and fuel that the services do not have', () => {
  expect(
    said(
      smallAgreement({
        ...changes('RESIDENTAL,GROUND,*,,waived,', 'REMOTE,*,*,hawaii,waived,', 'FUEL,AIR|GROUND,*,,waived,'),
        fuel: 'services,from,percent\nAIR,2026-01-05,18\n',
      }),
    ),
  ).toEqual([
    'warning surcharges.csv row 2 column surcharge: the services of this row have no surcharge RESIDENTAL, so the row changes no price. Did you mean RESIDENTIAL?',
    'error surcharges.csv row 3 column area: no surcharge REMOTE has the area hawaii: correct it, or leave it empty. Its areas are alaska',
    'warning surcharges.csv row 4 column services: there is no surcharge FUEL on AIR: name only services with it',
    'error fuel.csv row 2: the tariffs have no fuel surcharge for these services, so this rate never counts: add it to them',
  ]);
});

test('changes that do not suit a percentage or an amount', () => {
  expect(
    said(
      smallAgreement(
        changes(
          ...['FUEL,GROUND,*,,amount off,1.00', 'RESIDENTIAL,*,*,,points off,1', 'PEAK,*,*,,fixed,1.00%'],
          '*,GROUND,*,,at most,5.00',
        ),
      ),
    ),
  ).toEqual([
    'error surcharges.csv row 2 column change: FUEL is a percentage: write points off or percent off',
    'error surcharges.csv row 3 column change: RESIDENTIAL is an amount: write amount off or percent off',
    'error surcharges.csv row 4 column value: PEAK is an amount: write dollars, without a percent sign',
    'error surcharges.csv row 5 column surcharge: * names the percentage FUEL and the amount RESIDENTIAL: use a row for each',
  ]);
});

test("a fixed amount above the list's", () => {
  expect(said(smallAgreement(changes('RESIDENTIAL,GROUND,8,,fixed,6.00', 'FUEL,GROUND,*,,fixed,20.00%')))).toEqual([]);
  expect(said(smallAgreement(changes('RESIDENTIAL,GROUND,*,,fixed,4.01', 'FUEL,GROUND,*,,fixed,20.01')))).toEqual([
    'warning surcharges.csv row 2 column value: the value is above 4.00, the list price of RESIDENTIAL for GROUND: the list price is charged. Correct it, or write exactly if the contract says so',
    'warning surcharges.csv row 3 column value: the value is above 20.00, the list price of FUEL for GROUND: the list price is charged. Correct it, or write exactly if the contract says so',
  ]);
});

test('discounts that the minimum cancels are one warning, with a line for each service', () => {
  // Zone 2 costs 10.00 to 19.00, zone 8 20.00 to 38.00. Half of zone 2 is below 10.00 up to 10 lb, and below 9.50 up to 9 lb.
  const texts = {
    ...discounts('A,GROUND,*,50', 'A,AIR,*,1'),
    minimums: 'services,address,minimum,value\nGROUND,residential,usd,9.50\n',
  };
  expect(checkAgainst(smallAgreement(texts), SCHEDULE, DAY)).toEqual([
    {
      ...{ severity: 'warning', at: 'discounts.csv' },
      message: 'minimum charges limit discounts. If the contract has other minimum charges, correct them',
      details: [
        'GROUND: $10.00 in the list and $9.50 in acme/minimums.csv row 2, limits 19 of 40 discounted prices (zone 2; 1 to 10 lb; commercial and residential), by up to $5.00',
        'AIR: $10.00 in the list, limits 2 of 40 discounted prices (zone 202; 1 lb; commercial and residential), by up to $0.10',
      ],
    },
  ]);
});

test('discounts that add up to more than 100%', () => {
  const minimums = 'minimum,value\nusd,0.00\n';
  expect(said(smallAgreement({ ...discounts('A,GROUND,*,60', 'B,GROUND,2,40'), minimums }))).toEqual([]);
  expect(said(smallAgreement({ ...discounts('A,GROUND,*,60', 'B,GROUND,2,40.01'), minimums }))).toEqual([
    'warning discounts.csv GROUND: A + B add up to more than 100%, and count as 100%: correct them, or name them in better_of',
  ]);
});

test('an end within 60 days, and spend that is old', () => {
  const ends = (until: string, day: string) => said(smallAgreement({}, { file: { until } }), day);
  expect(ends('2027-01-22', DAY)).toEqual([]);
  expect(ends('2027-01-21', DAY)).toEqual([
    'warning agreement.json until: the agreement ends in 60 days, on 2027-01-21: quotes after that are at list prices. Add an amendment with a later end',
  ]);
  expect(ends('2026-11-21', DAY)).toEqual([
    expect.stringContaining('agreement.json until: the agreement ended on 2026-11-21: quotes after that are at list'),
  ]);
  const tiered = smallAgreement({
    discounts: 'discount,tier,percent\nA,1,0\n',
    tiers: 'tier,from_usd\n1,0.00\n',
    spend: 'week_ending,usd\n2026-10-31,1.00\n2026-11-07,1.00\n',
  });
  expect(said(tiered, '2026-11-21')).toEqual([]);
  expect(said(tiered)).toEqual([
    'warning spend.csv: ends with the week to 2026-11-07, so the tier on 2026-11-22 is uncertain: add the weeks since',
  ]);
  expect(said(tiered, '2026-10-01')).toEqual([
    'warning spend.csv: has no week before 2026-10-01, so no tier is in force: add the weeks, or earned.grace to agreement.json',
  ]);
});

test('checks each later amendment on its own day, and does not check past ones', () => {
  const wrong = tablesOf(discounts('A,NONE,*,5'));
  const document = smallAgreement(discounts('A,OLD,*,5'), {
    amendments: [
      { from: '2026-06-01', ...tablesOf(discounts('A,GROUND,*,0')) },
      { from: '2027-01-01', ...wrong },
    ],
  });
  expect(said(document)).toEqual([
    expect.stringContaining(
      'error amendments/2027-01-01/discounts.csv row 2 column services: no tariff has the service NONE',
    ),
  ]);
  const [finding] = checkAgainst(document, SCHEDULE, DAY);
  expect(finding?.amendment).toEqual({ from: '2027-01-01', at: 'discounts.csv row 2 column services' });
  expect(said(document, '2025-01-01')).toContainEqual(expect.stringContaining('error discounts.csv row 2'));
});

test('says that nothing was compared where no tariff is in force', () => {
  expect(said(smallAgreement(discounts('A,*,*,5')), DAY, scheduleOf([]))).toEqual([
    'warning agreement.json: no tariff is in force on 2026-11-22, so nothing was compared: add a tariff',
  ]);
});

test('an amount off that is more than the charge is an error, because it makes the charge free', () => {
  const document = smallAgreement({
    surcharges:
      'surcharge,services,change,value\nRESIDENTIAL,GROUND,amount off,17.50\nRESIDENTIAL,AIR,amount off,6.00\n',
  });
  expect(said(document)).toContain(
    'error surcharges.csv row 2 column value: the value is more than the list price of RESIDENTIAL for GROUND, 6.00, which makes it free: correct it, or write waived if that is meant',
  );
  expect(said(document).filter((line) => line.includes('row 3'))).toEqual([]);
});
