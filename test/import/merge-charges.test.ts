/** How the charges, fuel rates and areas of several files become the surcharges of one tariff. */
import { describe, expect, test } from 'vitest';
import { must } from '../../src/base/must.ts';
import { assembleTariff } from '../../src/import/import.ts';
import type { Source } from '../../src/import/read/reader.ts';

import { areas, charge, fuel, RATES, source } from './made-files.ts';

const assemble = (...sources: readonly Source[]) =>
  assembleTariff([RATES, ...sources], { name: 'small', effective: '2026-01-05' });

const surchargesOf = (...sources: readonly Source[]) => {
  const { document, contradictions } = assemble(...sources);
  expect(contradictions).toEqual([]);
  return document?.file.surcharges ?? [];
};

const sheet = (...charges: readonly ReturnType<typeof charge>[]) => source('sheet.pdf', { charges });

describe('a charge', () => {
  test('names its services by code, and its source', () => {
    expect(surchargesOf(sheet(charge()))).toEqual([
      {
        type: 'RESIDENTIAL',
        description: 'Residential delivery',
        services: ['FDX-GROUND'],
        source: 'sheet.pdf, page 7',
        when: { residential: true },
        amount: { per: 'package', usd: '6.45' },
      },
    ]);
  });

  test.each([
    [[], ['FDX-GROUND', 'FDX-2DAY']],
    [['express'], ['FDX-2DAY']],
    [
      ['fdx-2day', 'Ground'],
      ['FDX-GROUND', 'FDX-2DAY'],
    ],
    [['FDX-HOME', 'FDX-GROUND'], ['FDX-GROUND']],
  ])('of %j is for %j, of the services that have rates', (services, codes) => {
    expect(surchargesOf(sheet(charge({ services }))).map((entry) => entry.services)).toEqual([codes]);
  });

  test('of services without rates is left out, with one line for the file', () => {
    const { document, warnings } = assemble(
      sheet(charge({ services: ['FDX-HOME'] }), charge({ services: ['FDX-HOME'], at: 'page 8' }), charge()),
    );
    expect(document?.file.surcharges).toHaveLength(1);
    expect(warnings).toContain('sheet.pdf: FedEx Home Delivery: 2 charges are not used, because there are no rates');
  });

  test('of an unknown service is an error', () => {
    expect(assemble(sheet(charge({ services: ['FDX-MOON'] }))).contradictions).toEqual([
      'sheet.pdf, page 7: FedEx has no service FDX-MOON; there are FDX-GROUND, FDX-2DAY, ground, express',
    ]);
    expect(assemble(sheet(charge({ carrier: 'UPS', services: ['FDX-GROUND'] }))).contradictions).toEqual([
      'sheet.pdf, page 7: UPS has no service FDX-GROUND; there are UPS-GROUND, ground, air',
    ]);
  });

  test('that is over before the tariff begins is left out, and one that began before has no first day', () => {
    const { document, warnings } = assemble(
      sheet(
        charge({ entry: { until: '2026-01-04', amount: { per: 'package', usd: '5.95' } } }),
        charge({ entry: { from: '2025-07-14', until: '2026-06-30' } }),
        charge({ entry: { from: '2026-07-01', amount: { per: 'package', usd: '6.95' } } }),
      ),
    );
    expect(document?.file.surcharges.map(({ from, until, amount }) => ({ from, until, amount }))).toEqual([
      { from: undefined, until: '2026-06-30', amount: { per: 'package', usd: '6.45' } },
      { from: '2026-07-01', until: undefined, amount: { per: 'package', usd: '6.95' } },
    ]);
    expect(warnings).toContain('sheet.pdf: 1 charge is not used, because it ends before 2026-01-05');
  });

  test('that is divided at a day before the tariff begins is taken, and nothing is left out', () => {
    const { document, warnings } = assemble(
      sheet(charge({ entry: { until: '2026-01-04' } }), charge({ entry: { from: '2026-01-05' } })),
    );
    expect(document?.file.surcharges).toHaveLength(1);
    expect(warnings.filter((warning) => warning.includes('not used'))).toEqual([]);
  });

  test('that two files have is taken once, from the first', () => {
    const guide = source('guide.pdf', { charges: [charge({ services: [], at: 'page 133' })] });
    expect(surchargesOf(guide, sheet(charge())).map((entry) => [entry.services, entry.source])).toEqual([
      [['FDX-GROUND', 'FDX-2DAY'], 'guide.pdf, page 133'],
    ]);
    expect(
      surchargesOf(source('z.pdf', guide.reading), sheet(charge())).map((entry) => [entry.services, entry.source]),
    ).toEqual([
      [['FDX-GROUND'], 'sheet.pdf, page 7'],
      [['FDX-2DAY'], 'z.pdf, page 133'],
    ]);
  });

  test('that two files have with different amounts is an error, whatever it is called', () => {
    const amount = { per: 'package', usd: '6.95' } as const;
    const guide = source('guide.pdf', {
      charges: [charge({ at: 'page 133', entry: { description: 'Homes', amount } })],
    });
    expect(assemble(guide, sheet(charge())).contradictions).toEqual([
      'RESIDENTIAL "Residential delivery" of FedEx Ground: 6.95 per package in guide.pdf, page 133, 6.45 per package in sheet.pdf, page 7; they differ in amount',
    ]);
  });

  test('with overlapping periods is an error that names both rows', () => {
    const demand = (at: string, from: string, until: string) =>
      charge({ at, entry: { type: 'DEMAND_RESIDENTIAL', description: `Demand from ${from}`, from, until } });
    const inYear = (second: string) =>
      source('demand.csv', {
        charges: [demand('line 2', '2026-10-05', '2026-11-22'), demand('line 3', second, '2027-01-17')],
      });
    expect(surchargesOf(inYear('2026-11-23'))).toHaveLength(2);
    expect(assemble(inYear('2026-11-22')).contradictions).toEqual([
      'DEMAND_RESIDENTIAL "Demand from 2026-11-22" of FedEx Ground: 6.45 per package from 2026-10-05 until 2026-11-22 in demand.csv, line 2, 6.45 per package from 2026-11-22 until 2027-01-17 in demand.csv, line 3; they differ in from, until',
    ]);
  });
});

describe('a file of another year', () => {
  test.each([
    ['ended', { until: '2025-12-31' }, 'the last of its charges ends on 2025-12-31'],
    ['has not begun', { from: '2027-01-06' }, 'the first of its charges begins on 2027-01-06'],
    ['is old', { from: '2024-01-01' }, 'is of 2024-01-01'],
  ])('is an error if it %s', (_, entry, problem) => {
    const { contradictions } = assemble(sheet(charge({ entry }), charge({ services: ['express'], entry })));
    expect(contradictions).toHaveLength(1);
    expect(contradictions[0]).toContain(problem);
    expect(contradictions[0]).toContain('sheet.pdf');
    expect(contradictions[0]).toContain('the tariff begins on 2026-01-05');
  });

  test('is an error if it states another year than the rates and the one after, for a sheet has two years', () => {
    const dated = (effective: string) =>
      assembleTariff([{ ...RATES, reading: { ...RATES.reading, effective: '2026-01-05' } }, stating(effective)], {
        name: 'small',
        effective: '2026-01-05',
      }).contradictions;
    const stating = (effective: string) =>
      source('sheet.pdf', { effective, charges: [charge({ entry: { from: effective } })] });
    expect(dated('2025-01-06')).toEqual([
      'sheet.pdf is of 2025-01-06, and the rates are of 2026-01-05: import the file for the year of the rates',
    ]);
    expect(dated('2026-02-02')).toEqual([]);
    expect(dated('2025-12-22')).toEqual([]);
    expect(dated('2027-01-04')).toEqual([]);
    expect(dated('2028-01-03')).toEqual([
      'sheet.pdf is of 2028-01-03, and the rates are of 2026-01-05: import the file for the year of the rates',
    ]);
  });

  test('is taken if some of it is of this year', () => {
    expect(surchargesOf(sheet(charge({ entry: { from: '2027-01-05' } })))).toHaveLength(1);
    expect(surchargesOf(sheet(charge({ entry: { from: '2024-07-07' } })))).toHaveLength(1);
    expect(
      surchargesOf(sheet(charge({ entry: { until: '2026-01-04' } }), charge({ entry: { from: '2026-01-05' } }))),
    ).toHaveLength(1);
  });
});

describe('a delivery area', () => {
  const area = (carrier: string, tier: string) =>
    charge({
      carrier,
      tier,
      services: [],
      entry: { type: 'DELIVERY_AREA', description: `Delivery area, ${tier}`, when: {} },
    });

  test("is looked up in its carrier's list, or in the only list of no carrier", () => {
    const lists = source('lists.csv', {
      areas: [areas('fdx', ['standard'], 'FedEx'), areas('any', ['standard', 'remote'])],
    });
    const found = surchargesOf(
      lists,
      sheet(area('FedEx', 'standard'), area('FedEx', 'remote'), area('UPS', 'standard')),
    );
    expect(found.map(({ services, when }) => [services, when.area])).toEqual([
      [['FDX-GROUND', 'FDX-2DAY'], { list: 'fdx', tier: 'standard' }],
      [['FDX-GROUND', 'FDX-2DAY'], { list: 'any', tier: 'remote' }],
      [['UPS-GROUND'], { list: 'any', tier: 'standard' }],
    ]);
  });

  test('that is in no list is one error for each tier, and the charge is not used', () => {
    const lists = source('lists.csv', { areas: [areas('fdx', ['das'], 'FedEx')] });
    const { contradictions, document } = assemble(sheet(area('FedEx', 'far'), area('FedEx', 'far')), lists);
    expect(contradictions).toEqual([
      'sheet.pdf, page 7: no list of areas of FedEx has the tier far (fdx of FedEx with das): import its list of ZIP codes too',
    ]);
    expect(document?.file.surcharges).toEqual([]);
  });

  test('of a carrier without a list is not used', () => {
    const lists = source('lists.csv', { areas: [areas('ups', ['far'], 'UPS')] });
    const { contradictions, warnings, document } = assemble(sheet(area('FedEx', 'far'), area('FedEx', 'das')), lists);
    expect(contradictions).toEqual([]);
    expect(warnings).toContain(
      'sheet.pdf: 2 charges are not used, because there is no list of areas of FedEx: import its list of ZIP codes too',
    );
    expect(document?.file.surcharges).toEqual([]);
  });

  test('in a list of more than a year before the rates is a warning', () => {
    const dated = (effective: string) =>
      assemble(source('das.txt', { effective, areas: [areas('fdx', ['standard'], 'FedEx')] })).warnings;
    expect(dated('2025-01-04').join()).not.toContain('das.txt');
    expect(dated('2025-01-03')).toContain(
      'das.txt is a list of areas from 2025-01-03, for rates from 2026-01-05: is there a newer one?',
    );
  });

  test('in several lists of no carrier is an error', () => {
    const lists = source('lists.csv', { areas: [areas('one', ['far']), areas('two', ['far'])] });
    expect(assemble(sheet(area('FedEx', 'far')), lists).contradictions).toEqual([
      'sheet.pdf, page 7: several lists have the tier far (one, two), and none says that it is of FedEx',
    ]);
  });

  test('of a carrier without rates is not used; in two lists of a carrier, it is an error', () => {
    const lists = [areas('usps', ['a'], 'USPS'), areas('one', ['far'], 'UPS'), areas('two', ['far'], 'UPS')];
    const { contradictions, warnings } = assemble(source('lists.csv', { areas: lists }));
    expect(warnings).toContain('lists.csv: the areas of USPS are not used, because there are no rates of USPS');
    expect(contradictions).toEqual(['Two lists of areas of UPS have the tier far: one, two']);
  });
});

describe('the order of charges', () => {
  const named = (type: string, more: Partial<ReturnType<typeof charge>['entry']> = {}) =>
    charge({ at: type, entry: { type, description: type, ...more } });
  const percentOf = (type: string, of: string) => named(type, { amount: { per: 'percent', rate: '5', of: [of] } });

  test('is handling, homes, areas, demand, options, declared value, percentages, fuel', () => {
    const types = [
      ...['DECLARED_VALUE', 'SIGNATURE_ADULT', 'DEMAND_PEAK', 'RELABEL', 'DELIVERY_AREA_REMOTE', 'RESIDENTIAL'],
      ...['OVERSIZE', 'ADDITIONAL_HANDLING_WEIGHT'],
    ];
    const found = surchargesOf(
      sheet(percentOf('THIRD_PARTY', 'RESIDENTIAL'), ...types.map((type) => named(type, { when: {} }))),
      source('fuel.csv', { fuel: [fuel('2026-01-05', '18.5')] }),
    );
    expect(found.map(({ type }) => type)).toEqual([
      ...['OVERSIZE', 'ADDITIONAL_HANDLING_WEIGHT', 'RESIDENTIAL', 'DELIVERY_AREA_REMOTE', 'DEMAND_PEAK', 'RELABEL'],
      ...['SIGNATURE_ADULT', 'DECLARED_VALUE', 'THIRD_PARTY', 'FUEL'],
    ]);
    expect(found.at(-1)?.amount).toMatchObject({
      of: [
        ...['BASE', 'OVERSIZE', 'ADDITIONAL_HANDLING_WEIGHT', 'RESIDENTIAL', 'DELIVERY_AREA_REMOTE', 'DEMAND_PEAK'],
        ...['RELABEL', 'SIGNATURE_ADULT', 'THIRD_PARTY'],
      ],
    });
  });

  test('a percentage of a charge that comes later, or that is not there, is an error', () => {
    expect(
      assemble(
        sheet(percentOf('ONE', 'TWO'), percentOf('TWO', 'BASE'), percentOf('SIX', 'FUEL'), percentOf('TEN', 'NINE')),
      ).contradictions,
    ).toEqual([
      'sheet.pdf, ONE: ONE is a percentage of TWO, which comes later: a percentage may only be of charges before it',
      'sheet.pdf, TEN: TEN is a percentage of NINE, which these services do not have',
      'sheet.pdf, SIX: SIX is a percentage of FUEL, which comes later: a percentage may only be of charges before it',
    ]);
  });
});

describe('fuel', () => {
  const fuelOf = (...rates: readonly ReturnType<typeof fuel>[]) => source('fuel.csv', { fuel: rates });

  test('is one surcharge for each set of services; the last week ends, and earlier weeks are left out', () => {
    const found = surchargesOf(
      fuelOf(
        ...[fuel('2025-12-22', '17'), fuel('2025-12-29', '18'), fuel('2026-01-05', '18.50'), fuel('2026-01-12', '19')],
        fuel('2026-01-05', '20', { services: ['express'] }),
        fuel('2026-02-02', '21'),
      ),
      sheet(charge()),
    );
    expect(found.slice(1)).toMatchObject([
      {
        type: 'FUEL',
        description: 'Fuel',
        services: ['FDX-GROUND'],
        amount: {
          per: 'percent',
          rate: [
            { from: '2026-01-05', rate: '18.50', source: 'fuel.csv, line of 2026-01-05' },
            { from: '2026-01-12', until: '2026-01-18', rate: '19' },
            { from: '2026-02-02', until: '2026-02-08', rate: '21' },
          ],
          of: ['BASE', 'RESIDENTIAL'],
        },
      },
      {
        services: ['FDX-2DAY'],
        amount: { rate: [{ from: '2026-01-05', until: '2026-01-11', rate: '20' }], of: ['BASE'] },
      },
    ]);
  });

  test('that another carrier sets by month holds until the next rate', () => {
    const acme = source('acme.csv', {
      rates: [{ ...must(RATES.reading.rates[0], 'rates'), code: 'ACME-1', carrier: 'ACME' }],
      fuel: ['2026-01-01', '2026-02-01', '2026-03-01'].map((day, at) =>
        fuel(day, `${at + 10}`, { carrier: 'ACME', services: [] }),
      ),
    });
    expect(surchargesOf(acme)).toMatchObject([
      {
        services: ['ACME-1'],
        amount: { rate: [{ from: '2026-01-01', rate: '10' }, { from: '2026-02-01' }, { from: '2026-03-01' }] },
      },
    ]);
    expect(JSON.stringify(surchargesOf(acme))).not.toContain('until');
  });

  test('with two rates for one day is an error, also if they name the services in two ways', () => {
    const same = [fuel('2026-01-05', '18.5'), fuel('2026-01-05', '18.50', { at: 'line 9' })];
    expect(surchargesOf(fuelOf(...same))).toHaveLength(1);
    expect(
      assemble(fuelOf(fuel('2026-01-05', '18'), fuel('2026-01-05', '19', { services: [], at: 'line 9' })))
        .contradictions,
    ).toEqual(['Fuel of FDX-GROUND from 2026-01-05: 18% in fuel.csv, line of 2026-01-05, 19% in fuel.csv, line 9']);
  });

  test('that ends before the tariff or is of an unknown service is an error; of a carrier without rates, it is not used', () => {
    const { contradictions, warnings } = assemble(
      fuelOf(
        fuel('2025-12-22', '18'),
        fuel('2026-01-05', '9', { carrier: 'USPS' }),
        fuel('2026-01-12', '9', { carrier: 'USPS' }),
        fuel('2026-01-05', '9', { services: ['air'] }),
      ),
    );
    expect(contradictions).toEqual([
      'fuel.csv, line of 2026-01-05: FedEx has no service air; there are FDX-GROUND, FDX-2DAY, ground, express',
      'Fuel of FDX-GROUND ends on 2025-12-28 (fuel.csv, line of 2025-12-22), before the tariff begins on 2026-01-05',
    ]);
    expect(warnings).toContain('fuel.csv: the fuel of USPS is not used, because there are no rates of USPS');
  });
});

test('services have the limits of their carrier; a service of another carrier has none', () => {
  const own = source('own.csv', {
    rates: ['FDX-HOME', 'FDX-ECON', 'ACME-1'].map((code) => ({
      ...must(RATES.reading.rates[0], 'rates'),
      code,
      carrier: code === 'ACME-1' ? 'ACME' : 'FedEx',
    })),
  });
  const { document } = assemble(own);
  const terms = document?.file.services.map(
    ({ code, maximumActualLb, maximumLengthIn, maximumLengthPlusGirthIn, deliversTo }) =>
      [code, maximumActualLb, maximumLengthIn, maximumLengthPlusGirthIn, deliversTo] as const,
  );
  expect(terms).toEqual([
    ['FDX-ECON', 70, undefined, 130, undefined],
    ['FDX-GROUND', 150, 108, 165, undefined],
    ['FDX-HOME', 150, 108, 165, 'homes'],
    ['FDX-2DAY', 150, 119, 165, undefined],
    ['UPS-GROUND', 150, 108, 165, undefined],
    ['ACME-1', 150, undefined, undefined, undefined],
  ]);
});
