/** Names of services: the caller's map, well-known names, and findings for the others. */
import { describe, expect, test } from 'vitest';
import type { ServicePair } from '../../../src/lists/columns/cell-values.ts';
import { readServiceMap, serviceNames, unknownCode } from '../../../src/lists/columns/service-names.ts';

const EXAMPLE = 'UPS Ground:UPS-GROUND,FedEx 2Day:FDX-2DAY';

describe('?service_map=', () => {
  test.each<[string, ServicePair[]]>([
    ['Standard:UPS-GROUND', [['standard', 'UPS-GROUND']]],
    [' Standard Ground : UPS-GROUND ', [['standardground', 'UPS-GROUND']]],
    [
      'a:B,c:D',
      [
        ['a', 'B'],
        ['c', 'D'],
      ],
    ],
    ['a:', [['a', '']]],
    ['Two: Day:FDX-2DAY', [['twoday', 'FDX-2DAY']]],
    ['a\\,b:C', [['ab', 'C']]],
    ['a\\\\:C', [['a', 'C']]],
    ['a:0123456789', [['a', '0123456789']]],
    ['a\\bc:D', [['abc', 'D']]],
  ])('%j is read', (map, pairs) => {
    expect(readServiceMap(map)).toEqual(pairs);
  });

  test('accepts two hundred names of a hundred characters', () => {
    const name = 'n'.repeat(100);
    expect(readServiceMap(`${name}:A`)).toEqual([[name, 'A']]);
    expect(readServiceMap(Array.from({ length: 200 }, (_, at) => `${at}:A`).join())).toHaveLength(200);
  });

  test.each([
    ['x', `"x" must be a name, a colon and a code, as in ${EXAMPLE}`],
    [' x y ', `"x y" must be a name, a colon and a code, as in ${EXAMPLE}`],
    [',,', `must be names and codes, as in ${EXAMPLE}`],
    ['a:B,-.:C', '"-.:C" has no name before its colon'],
    ['a\\', 'ends with a single backslash'],
    ['\\', 'ends with a single backslash'],
    ['a\\\\\\', 'ends with a single backslash'],
    ['Two Day:A,two-day:B', 'has "two-day" twice; case, spaces and punctuation do not matter'],
  ])('%j is refused', (map, problem) => {
    expect(readServiceMap(map)).toBe(problem);
  });

  test('accepts an escaped backslash at the end', () => {
    expect(readServiceMap('a:B\\\\')).toEqual([['a', 'B\\\\']]);
  });

  test('may map to nothing or to codes of the tariffs', () => {
    expect(unknownCode([['any', '']], ['A', 'B'])).toBeUndefined();
    expect(unknownCode([['one', 'A']], ['A', 'B'])).toBeUndefined();
    expect(
      unknownCode(
        [
          ['one', 'A'],
          ['two', 'C'],
        ],
        ['A', 'B'],
      ),
    ).toBe('maps "two" to C, which is not a service; the services are A, B');
  });
});

describe('the codes of names', () => {
  test('include the well-known names of loaded services', () => {
    expect(serviceNames(undefined, ['UPS-GROUND']).pairs).toEqual([['upsground', 'UPS-GROUND']]);
    expect(serviceNames(undefined, ['FDX-STDOVN']).pairs).toEqual([
      ['fdxstdovn', 'FDX-STDOVN'],
      ['fedexstandardovernight', 'FDX-STDOVN'],
      ['standardovernight', 'FDX-STDOVN'],
    ]);
    const mail = new Map(serviceNames(undefined, ['USPS-GA', 'USPS-PM', 'UPS-SIMPLE']).pairs);
    expect(mail.get('uspsgroundadvantage')).toBe('USPS-GA');
    expect(mail.get('prioritymail')).toBe('USPS-PM');
    expect(mail.get('upssimplerate')).toBe('UPS-SIMPLE');
    expect(serviceNames(undefined, ['C1-GROUND']).pairs).toEqual([]);
    expect(serviceNames().pairs).toEqual([]);
  });

  test('come first from the caller', () => {
    const said: ServicePair[] = [
      ['upsground', 'UPS-2DAY'],
      ['own', 'UPS-GROUND'],
    ];
    expect(serviceNames(said, ['UPS-GROUND']).pairs).toEqual(said);
  });

  test('do not override a service’s own code', () => {
    expect(serviceNames(undefined, ['FDX-GROUND', 'FEDEX-GROUND']).pairs).toEqual([['fdxground', 'FDX-GROUND']]);
  });
});

describe('findings for a column of services', () => {
  const column = { name: 'Service', index: 6 };
  const said = (cells: string[], codes?: string[], map?: ServicePair[]) =>
    serviceNames(map, codes).findings(cells, column);

  test('report nothing for codes and for names that the caller maps', () => {
    expect(said([], ['UPS-GROUND'])).toEqual([]);
    expect(said(['UPS-GROUND', 'Own Name'], ['UPS-GROUND'], [['ownname', 'UPS-GROUND']])).toEqual([]);
  });

  test('report each name that is read as a code, once', () => {
    expect(said(['UPS Ground', 'UPS Ground', 'ups_ground'], ['UPS-GROUND'])).toEqual([
      {
        type: 'service.mapped',
        message:
          '"Service" (column 7) has names of services that are read as codes: UPS Ground as UPS-GROUND, ups_ground as UPS-GROUND. Use ?service_map= to change this.',
        column: 'Service',
      },
    ]);
  });

  test('report unknown names, and say what to do', () => {
    expect(said(['Standard', 'Express'], ['UPS-GROUND'])).toEqual([
      {
        type: 'service.unknown',
        message:
          '"Service" (column 7) names services that no tariff has: "Standard", "Express"; rows with them get no price. ' +
          'Use ?service_map=NAME:CODE,… to name their services, or "?columns=shippingService:" to compare all services instead.',
        column: 'Service',
      },
    ]);
  });

  test('report known names before unknown ones', () => {
    const types = said(['Standard', 'UPS Ground'], ['UPS-GROUND']).map(({ type }) => type);
    expect(types).toEqual(['service.mapped', 'service.unknown']);
  });

  test('report no unknown names if the services are unknown', () => {
    expect(said(['Standard'])).toEqual([]);
  });

  test('list five names of at most forty characters and the number of others', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `S${at}`);
    const [five] = said(names(5), []);
    expect(five?.message).toContain('no tariff has: "S0", "S1", "S2", "S3", "S4"; rows');
    const [six] = said(names(6), []);
    expect(six?.message).toContain('no tariff has: "S0", "S1", "S2", "S3", "S4" and 1 more; rows');
    const [long] = said(['x'.repeat(41)], []);
    expect(long?.message).toContain(`no tariff has: "${'x'.repeat(40)}"; rows`);
    const [mapped] = said([`UPS${'-'.repeat(40)}Ground`], ['UPS-GROUND']);
    expect(mapped?.message).toContain(`read as codes: UPS${'-'.repeat(37)} as UPS-GROUND.`);
  });

  test('shorten a long column name', () => {
    const found = serviceNames(undefined, []).findings(['x'], { name: 'n'.repeat(101), index: 0 });
    expect(found[0]?.column).toBe(`${'n'.repeat(100)}…`);
    expect(found[0]?.message).toMatch(/^"n{100}…" \(column 1\) names/);
  });
});
