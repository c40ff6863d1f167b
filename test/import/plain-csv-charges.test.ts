import { describe, expect, test } from 'vitest';
import { type ReadOptions, RefusedFile } from '../../src/import/read/reader.ts';
import { plainCsv } from '../../src/import/source.ts';

const bytes = (...lines: string[]): Uint8Array => Buffer.from(lines.join('\n'));
const read = (lines: string[], options: ReadOptions = {}) => plainCsv.read(bytes(...lines), options);
const refusal = (lines: string[]) =>
  read(lines).catch((error: unknown) => (error instanceof RefusedFile ? error.message : error));

/** The only entry of a file of one charge. */
const entryOf = async (...lines: string[]) => {
  const { charges, unreadable } = await read(lines);
  expect(unreadable).toEqual([]);
  expect(charges).toHaveLength(1);
  return charges[0]?.entry;
};
/** What could not be read, as place and problem. */
const problemsOf = async (...lines: string[]) =>
  (await read(lines)).unreadable.map(({ at, problem }) => `${at}: ${problem}`);

describe('a charge', () => {
  test('has a type by the words of its name, its services, its address and its line', async () => {
    const { charges, kind } = await read([
      'charge,services,address,area,zone_from,zone_to,usd',
      'residential surcharge,ground,residential,,,,6.5',
      'Delivery Area Surcharge,air,commercial,das_extended,,,"$1,005.70"',
    ]);
    expect(kind).toBe('charges (CSV)');
    expect(charges).toEqual([
      {
        carrier: 'UPS',
        services: ['ground'],
        at: 'line 2',
        entry: {
          type: 'RESIDENTIAL',
          description: 'Residential surcharge',
          when: { residential: true },
          amount: { per: 'package', usd: '6.50' },
        },
      },
      {
        carrier: 'UPS',
        services: ['air'],
        at: 'line 3',
        tier: 'das_extended',
        entry: {
          type: 'DELIVERY_AREA_EXTENDED',
          description: 'Delivery Area Surcharge, extended, commercial',
          when: { residential: false },
          amount: { per: 'package', usd: '1005.70' },
        },
      },
    ]);
  });

  test.each([
    ['RESIDENTIAL - home', '', 'RESIDENTIAL'],
    ['delivery area surcharge', 'das_standard', 'DELIVERY_AREA'],
    ['remote area surcharge', 'remote_us48', 'DELIVERY_AREA_REMOTE'],
    ['remote area surcharge', 'remote_alaska', 'DELIVERY_AREA_ALASKA'],
    ['remote area surcharge', 'remote_hawaii', 'DELIVERY_AREA_HAWAII'],
    ['DAS', 'intra-hawaii', 'DELIVERY_AREA_INTRA_HAWAII'],
    ['Large package', '', 'OVERSIZE'],
    ['oversize charge', '', 'OVERSIZE'],
    ['additional handling: weight', '', 'ADDITIONAL_HANDLING_WEIGHT'],
    ['Additional handling - dimension', '', 'ADDITIONAL_HANDLING_DIMENSION'],
    ['additional handling: packaging', '', 'ADDITIONAL_HANDLING_PACKAGING'],
    ['signature: indirect', '', 'SIGNATURE_INDIRECT'],
    ['Direct signature required', '', 'SIGNATURE_DIRECT'],
    ['adult signature', '', 'SIGNATURE_ADULT'],
    ['Saturday delivery', '', 'SATURDAY_DELIVERY'],
    ['declared value', '', 'DECLARED_VALUE'],
    ['demand surcharge: residential', '', 'DEMAND_RESIDENTIAL'],
    ['peak large package', '', 'DEMAND_OVERSIZE'],
    ['Demand', '', 'DEMAND_SURCHARGE'],
    ['Bike lane fee (2026)', '', 'BIKE_LANE_FEE_2026'],
  ])('named %s %s is %s', async (name, area, type) => {
    const entry = await entryOf('carrier,charge,area,from,usd', `UPS,${name},${area},2026-02-01,5`);
    expect(entry?.type).toBe(type);
  });

  test('may be asked for by the request', async () => {
    const [adult, saturday, both] = (
      await read([
        'carrier,charge,signature,saturday,usd',
        'ups,Adult signature,,,9',
        'UPS,Saturday delivery,,,17',
        'UPS,Late key,direct|adult,yes,3',
      ])
    ).charges;
    expect(adult?.carrier).toBe('UPS');
    expect(adult?.entry.when).toEqual({ signature: ['adult'] });
    expect(saturday?.entry.when).toEqual({ saturday: true });
    expect(both?.entry.when).toEqual({ signature: ['direct', 'adult'], saturday: true });
  });

  test('on declared value is for each $100', async () => {
    const lines = ['carrier,charge,usd,free_usd,minimum_usd', 'UPS,Declared value,1.75,100,5.25'];
    const amount = { per: 'declaredValue', freeUsd: 100, usdPer100: '1.75', minimumUsd: '5.25' };
    expect((await entryOf(...lines))?.amount).toEqual(amount);
  });

  test('may state its type, description, basis, maximum and dates', async () => {
    const entry = await entryOf(
      'carrier,charge,type,description,per,multiweight_maximum_usd,from,until,usd',
      'ACME,Casa,RESIDENTIAL,To a home,shipment,25,2026-10-01,2026-12-31,4',
    );
    expect(entry).toEqual({
      type: 'RESIDENTIAL',
      description: 'To a home',
      from: '2026-10-01',
      until: '2026-12-31',
      when: { residential: true },
      multiweightMaximumUsd: '25.00',
      amount: { per: 'shipment', usd: '4.00' },
    });
  });

  test('with other dates is another charge', async () => {
    const { charges } = await read([
      'carrier,charge,from,until,usd',
      'UPS,demand: residential,2026-10-01,2026-11-21,0.40',
      'UPS,demand: residential,2026-11-22,2026-12-26,0.60',
    ]);
    expect(charges.map(({ entry }) => [entry.description, entry.amount])).toEqual([
      ['Demand: residential', { per: 'package', usd: '0.40' }],
      ['Demand: residential', { per: 'package', usd: '0.60' }],
    ]);
  });

  test('that no quote can know is listed', async () => {
    const { charges, notTaken } = await read(['carrier,charge,usd', 'UPS,Address correction,23', 'UPS,call tag,9']);
    expect(charges).toEqual([]);
    expect(notTaken).toEqual([
      { at: 'line 2', text: 'Address correction', reason: 'depends on what a quote does not have' },
      { at: 'line 3', text: 'call tag', reason: 'depends on what a quote does not have' },
    ]);
  });

  test('with its own name and no condition is noted, and so is an unknown column', async () => {
    const { notes } = await read(['carrier,charge,usd,color', 'ACME,Green fee,1,red']);
    expect(notes).toEqual([
      'line 2: GREEN_FEE has no condition, so every shipment is charged',
      'Column color is not known, skipped',
    ]);
  });
});

describe('zones', () => {
  const header = 'carrier,charge,zone_from,zone_to,usd';

  test('of several rows are one charge; the last range is open', async () => {
    const entry = await entryOf(
      header,
      'UPS,additional handling: weight,2,2,219.50',
      'UPS,additional handling: weight,3,4,239.50',
      'UPS,additional handling: weight,5,6,273.00',
      'UPS,additional handling: weight,7,,286.00',
    );
    expect(entry?.amount).toEqual({
      per: 'package',
      usd: {
        'zone 2': '219.50',
        'zone 3': '239.50',
        'zone 4': '239.50',
        'zone 5': '273.00',
        'zone 6': '273.00',
        'zone 7': '286.00',
        'zone 8': '286.00',
      },
    });
  });

  test('without an amount are noted, unless a row is for the other zones', async () => {
    const some = await read([header, 'UPS,additional handling: weight,2,3,9']);
    expect(some.notes.at(-1)).toBe(
      'line 2: additional handling: weight has no amount for the zones 4, 5, 6, 7, 8: it is free there',
    );
    const all = await entryOf(header, 'UPS,additional handling: weight,2,3,9', 'UPS,additional handling: weight,,,10');
    expect(all?.amount).toEqual({ per: 'package', usd: { '*': '10.00', 'zone 2': '9.00', 'zone 3': '9.00' } });
  });

  test('that overlap, end before they begin or are none are named', async () => {
    const lines = [
      'UPS,saturday,2,4,9',
      'UPS,saturday,4,5,8',
      'UPS,saturday,7,6,8',
      'UPS,saturday,9,,8',
      'UPS,saturday,,3,8',
    ];
    expect(await problemsOf(header, ...lines)).toEqual([
      'line 3, column usd: differs from the amount for zone 4 in line 2',
      'line 4, column zone_to: ends before zone_from begins',
      'line 5, column zone_from: not a zone from 1 to 8',
      'line 6, column zone_to: there is no zone_from',
    ]);
  });
});

describe('thresholds', () => {
  test('that the file states are any of them', async () => {
    const entry = await entryOf(
      'carrier,charge,length_over_in,actual_weight_over_lb,least_billing_weight_lb,usd',
      'ACME,Oversize,70,80,60,30',
    );
    expect(entry).toEqual({
      type: 'OVERSIZE',
      description: 'Oversize',
      when: { anyOf: [{ lengthOverIn: 70 }, { actualWeightOverLb: 80 }] },
      dearestOf: 'handling',
      leastBillingWeightLb: 60,
      amount: { per: 'package', usd: '30.00' },
    });
  });

  test('that the file lacks are those that FedEx and UPS publish, and the reading says so', async () => {
    const { charges, notes } = await read([
      'carrier,charge,usd',
      'FedEx,additional handling: dimensions,30',
      'FedEx,additional handling: weight,46',
      'FedEx,oversize,240',
      'FedEx,additional handling: packaging,26.50',
      'UPS,over maximum limits,1775',
    ]);
    const dimension = [{ lengthOverIn: 48 }, { secondSideOverIn: 30 }, { lengthPlusGirthOverIn: 105 }];
    const size = [{ lengthOverIn: 96 }, { lengthPlusGirthOverIn: 130 }];
    const volume = [{ cubicInchesOver: 17280 }, { actualWeightOverLb: 110 }];
    expect(
      charges.map(({ entry: { when, leastBillingWeightLb, from, until } }) => [
        when,
        leastBillingWeightLb,
        from,
        until,
      ]),
    ).toEqual([
      [{ anyOf: dimension }, 40, undefined, '2026-01-11'],
      [{ anyOf: [...dimension, { cubicInchesOver: 10368 }] }, 40, '2026-01-12', undefined],
      [{ anyOf: [{ actualWeightOverLb: 50 }] }, undefined, undefined, undefined],
      [{ anyOf: size }, 90, undefined, '2026-01-11'],
      [{ anyOf: [...size, ...volume] }, 90, '2026-01-12', undefined],
      [{ nonStandardPackaging: true }, undefined, undefined, undefined],
      [
        { anyOf: [{ lengthOverIn: 108 }, { lengthPlusGirthOverIn: 165 }, { actualWeightOverLb: 150 }] },
        ...[90, undefined, undefined],
      ],
    ]);
    expect(notes).toEqual([
      'additional handling: dimensions: the file has no thresholds, so the published thresholds of FedEx apply: over 48 in long, ' +
        'over 30 in on the second side, over 105 in of length plus girth; from 2026-01-12 on also over 10,368 cubic in; billed at ' +
        'no less than 40 lb',
      'additional handling: weight: the file has no thresholds, so the published thresholds of FedEx apply: over 50 lb',
      'oversize: the file has no thresholds, so the published thresholds of FedEx apply: over 96 in long, over 130 in of length ' +
        'plus girth; from 2026-01-12 on also over 17,280 cubic in, over 110 lb; billed at no less than 90 lb',
      'over maximum limits: the file has no thresholds, so the published thresholds of UPS apply: over 108 in long, over 165 in ' +
        'of length plus girth, over 150 lb; billed at no less than 90 lb',
    ]);
  });

  test('that another carrier lacks are asked for', async () => {
    expect(await problemsOf('carrier,charge,usd', 'ACME,oversize,30', 'constructor,oversize,1')).toEqual([
      'line 2, column charge: it has no threshold: add a column such as length_over_in or actual_weight_over_lb',
      'line 3, column charge: it has no threshold: add a column such as length_over_in or actual_weight_over_lb',
    ]);
  });

  test('of volume apply to UPS from another day, and a charge for other days has only those of its days', async () => {
    const { charges } = await read([
      'carrier,charge,from,until,usd',
      'UPS,large package,,,219.50',
      'UPS,large package,2025-12-22,2026-01-25,9',
      'UPS,large package,2026-02-02,2026-03-01,8',
    ]);
    const size = [{ lengthOverIn: 96 }, { lengthPlusGirthOverIn: 130 }];
    const all = [...size, { cubicInchesOver: 17280 }, { actualWeightOverLb: 110 }];
    expect(charges.map(({ entry: { when, from, until } }) => [when.anyOf, from, until])).toEqual([
      [size, undefined, '2026-01-25'],
      [all, '2026-01-26', undefined],
      [size, '2025-12-22', '2026-01-25'],
      [all, '2026-02-02', '2026-03-01'],
    ]);
  });

  test('of demand surcharges on additional handling are those of all its kinds', async () => {
    const { charges } = await read([
      'carrier,charge,from,usd',
      'UPS,Demand surcharge: additional handling,2026-10-05,8.25',
    ]);
    expect(charges.map(({ entry }) => [entry.type, entry.description, entry.when, entry.dearestOf])).toEqual([
      [
        'DEMAND_ADDITIONAL_HANDLING',
        'Demand surcharge: additional handling',
        {
          anyOf: [
            { lengthOverIn: 48 },
            { secondSideOverIn: 30 },
            { lengthPlusGirthOverIn: 105 },
            { actualWeightOverLb: 50 },
            { cubicInchesOver: 10368 },
          ],
        },
        'demand-handling',
      ],
      [
        'DEMAND_ADDITIONAL_HANDLING',
        'Demand surcharge: additional handling, packaging',
        { nonStandardPackaging: true },
        'demand-handling',
      ],
    ]);
  });
});

describe('the carrier of charges', () => {
  const carriers = async (...lines: string[]) => (await read(lines)).charges.map(({ carrier }) => carrier);

  test('is that of its services, if only one carrier has them', async () => {
    const header = 'charge,services,usd';
    expect(await carriers(header, 'Saturday,ground,1', 'Saturday,AIR,2')).toEqual(['UPS', 'UPS']);
    expect(await carriers(header, 'Saturday,ground|express,1')).toEqual(['FedEx']);
    expect(await carriers(header, 'Saturday,ACME-1; ACME-2,1')).toEqual(['ACME']);
  });

  test('must be stated otherwise', async () => {
    const header = 'charge,services,usd';
    expect(await refusal([header, 'Saturday,ground,1'])).toBe(
      'it does not say whose charges these are: add a column carrier',
    );
    expect(await refusal([header, 'Saturday,air,1', 'Saturday,express,1'])).toBe(
      'it has charges of several carriers (FedEx, UPS): add a column carrier',
    );
    expect(await problemsOf('carrier,charge,usd', ',Saturday,1')).toEqual(['line 2, column carrier: empty']);
  });

  test('has the services that its cells name', async () => {
    const { charges } = await read(['carrier,charge,services,usd', 'fedex,Saturday,express|FDX-HOME,16']);
    expect(charges[0]).toMatchObject({ carrier: 'FedEx', services: ['express', 'FDX-HOME'] });
    expect(
      await problemsOf(
        'carrier,charge,services,usd',
        'FedEx,Saturday,air,16',
        'FedEx,Saturday,UPS-2DAY,16',
        'ACME,Saturday,constructor,16',
      ),
    ).toEqual([
      'line 2, column services: air is not a service code or ground or express',
      'line 3, column services: UPS-2DAY is not a service of FedEx',
      'line 4, column services: constructor is not a service code',
    ]);
  });
});

describe('bad cells', () => {
  test.each([
    ['usd', '', 'not an amount in dollars'],
    ['usd', '0.00', 'not an amount in dollars'],
    ['usd', '5.255', 'not an amount in dollars'],
    ['charge', '', 'empty'],
    ['charge', 'fuel surcharge', 'fuel is a percentage: put it into a file with effective and percent'],
    ['charge', 'additional handling', 'say which additional handling: weight, dimensions or packaging'],
    ['charge', 'signature', 'say which signature: indirect, direct or adult'],
    ['charge', '***', 'not a name of a charge'],
    ['charge', 'base', 'not a name of a charge'],
    ['charge', 'a'.repeat(61), 'over 60 characters'],
    ['type', 'lower', 'not upper-case letters, digits and underscores'],
    ['address', 'home', 'neither residential nor commercial'],
    ['per', 'mile', 'not package, shipment or pound'],
    ['length_over_in', '48.5', 'not a whole number'],
    ['from', '2026-02-30', 'not a date such as 2026-06-15'],
    ['from', '1/5/2026', 'not a date such as 2026-06-15'],
    ['until', '2025-12-31', 'before 2026-01-01'],
    ['signature', 'blood', 'not of indirect, direct, adult'],
    ['saturday', 'maybe', 'neither yes nor no'],
    ['description', 'd'.repeat(81), 'over 80 characters'],
    ['area', 't'.repeat(41), 'over 40 characters'],
    ['multiweight_maximum_usd', 'free', 'not an amount in dollars'],
  ])('%s %j is named with line and column', async (column, text, problem) => {
    const cells: Record<string, string> = { carrier: 'UPS', charge: 'Saturday', usd: '5', from: '2026-01-01' };
    cells[column] = text;
    const lines = [Object.keys(cells).join(','), Object.values(cells).join(',')];
    expect(await problemsOf(...lines)).toEqual([`line 2, column ${column}: ${problem}`]);
  });

  test('a charge on an area needs its tier', async () => {
    expect(await problemsOf('carrier,charge,usd', 'UPS,delivery area surcharge,5')).toEqual([
      'line 2, column area: empty: name a tier of an area list',
    ]);
  });

  test('two charges that cannot be distinguished are named', async () => {
    const lines = ['UPS,pallet fee,50,5', 'UPS,pallet fee,70,9'];
    expect(await problemsOf('carrier,charge,actual_weight_over_lb,usd', ...lines)).toEqual([
      'line 3: line 2 has the same: add a column description',
    ]);
  });

  test('that are huge are cut in the message, and twenty thousand rows are read', async () => {
    const { unreadable } = await read(['carrier,charge,services,usd', `UPS,Saturday,${'x'.repeat(50_000)},1`]);
    expect(unreadable[0]?.text).toHaveLength(81);
    expect(unreadable[0]?.problem.length).toBeLessThan(200);
    const rows = Array.from({ length: 20_000 }, () => 'UPS,Saturday,1.00');
    expect((await read(['carrier,charge,usd', ...rows])).charges).toHaveLength(1);
  });

  test('of more charges than a tariff has are refused', async () => {
    const rows = Array.from({ length: 1_001 }, (_, index) => `UPS,Fee ${index},1.00`);
    expect((await read(['carrier,charge,usd', ...rows.slice(1)])).charges).toHaveLength(1_000);
    expect(await refusal(['carrier,charge,usd', ...rows])).toBe('it has more than 1000 charges');
  });

  test('of another encoding are refused', async () => {
    const latin = Buffer.concat([
      Buffer.from('carrier,charge,usd\nUPS,Zuschl'),
      Buffer.from([0xe4]),
      Buffer.from('ge,1'),
    ]);
    await expect(plainCsv.read(latin, {})).rejects.toThrow('it cannot be read as CSV');
  });
});
