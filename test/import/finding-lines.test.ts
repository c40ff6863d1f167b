/** What a check found, in the words of a report: no files of a tariff's folder, and each problem once. */
import { expect, test } from 'vitest';
import { checkTariff } from '../../src/catalog/tariff/check/check.ts';
import type { Finding } from '../../src/catalog/tariff/document.ts';
import { findingLines, problemLines } from '../../src/import/report/report.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';

const warning = (at: string, message: string): Finding => ({ severity: 'warning', at, message });

test('fuel that begins later names the charge and its services, not its place in tariff.json', () => {
  const amount = { per: 'percent' as const, rate: [{ from: '2026-03-02', rate: '18.00' }], of: ['BASE'] };
  const fuel = { type: 'FUEL', description: 'Fuel', services: ['GROUND'], amount };
  const tariff = smallTariff({ service: { hasNo: [] }, file: { surcharges: [fuel] } });
  const findings = checkTariff(tariff).filter(({ at }) => at.includes('surcharges'));
  expect(findings).toMatchObject([{ at: 'tariff.json surcharges[0].amount.rate', effect: 'incomplete' }]);
  expect(findingLines(findings, tariff)).toEqual(['Fuel of Small Ground: no rate on the first day, 2026-01-01']);
});

test('warnings are grouped by what they mean for shipments', () => {
  const taken = { services: [], charges: [], repeated: [], fuel: [] };
  const assembly = { unreadable: [], contradictions: [], unpriced: ['no chart'], warnings: ['old'], taken };
  const findings: Finding[] = [
    warning('a', 'unusual'),
    { ...warning('b', 'no rates'), effect: 'unpriced' },
    { ...warning('c', 'no amount'), effect: 'incomplete' },
  ];
  const rest = { sources: [], earlier: [], replaced: [], decisions: [], checked: undefined };
  expect(problemLines({ ...rest, assembly, findings, incomplete: ['no fuel'] })).toEqual({
    ...{ unreadable: [], contradictions: [], errors: [] },
    unpriced: ['no chart', 'b: no rates'],
    incomplete: ['no fuel', 'c: no amount'],
    warnings: ['old', 'a: unusual'],
  });
});

test('places with the same problem share a line', () => {
  const findings = [
    ...['102', '103', '104', '105', '106', '107'].map((column) =>
      warning(`rates/UPS-NDAEAM.csv row 152 column ${column}`, '151 lb costs less than 150 lb'),
    ),
    warning('rates/GROUND.csv row 152 column 2', '151 lb costs less than 150 lb'),
    warning('zones/ups.csv origin 005', 'no row for the destinations 872'),
    warning('zones/ups.csv origin 100', 'no row for the destinations 872'),
    warning('rates/GROUND.csv', 'no rates for zone 9 of zones/fdx.csv, so nothing can be quoted there'),
    warning('areas/das.csv row 7', '606 also has the tier remote'),
    warning('tariff.json services[0].minimumNet', 'the rate table has no cell for 1 lb in column 2'),
    warning('tariff.json timeZone', 'Mars is not a time zone'),
  ];
  expect(findingLines(findings, smallTariff())).toEqual([
    'UPS Next Day Air Early, zones 102, 103, 104, 105, 106 and 1 more; GROUND, zone 2: 151 lb costs less than 150 lb',
    'Zone chart ups, origins 005, 100: no row for the destinations 872',
    'GROUND: no rates for zone 9 of zone chart fdx, so nothing can be quoted there',
    'areas das, row 7: 606 also has the tier remote',
    'GROUND: the rate table has no cell for 1 lb in column 2',
    'tariff.json timeZone: Mars is not a time zone',
  ]);
});
