/** Findings about scenarios: those that change nothing, and those that state fuel where there is none. */
import { expect, test } from 'vitest';
import { resolveScenarios, type ScenarioSources } from '../../../src/lists/comparison/resolve.ts';
import type { Scenario } from '../../../src/lists/comparison/scenario.ts';
import { SOURCES, WORLD } from './fixtures.ts';

const findingsOf = (scenario: Scenario, more: Partial<ScenarioSources> = {}) =>
  resolveScenarios([scenario], { ...SOURCES, ...more }).findings.map(({ type }) => type);

const [OWN] = WORLD.own;
const PAID = { account: { discounts: new Map(), agreements: OWN === undefined ? [] : [{ document: OWN }] } };
const [ONE] = SOURCES.base.ids;

test.each<[string, Scenario, Partial<ScenarioSources>]>([
  ['a name alone', { name: 'as it is' }, {}],
  ['a tariff of the list by its id', { tariff: ONE ?? '' }, {}],
  ['the agreement that the client has', { agreement: 'own' }, PAID],
])('%s changes nothing', (_, scenario, more) => {
  expect(findingsOf(scenario, more)).toEqual(['scenario.changesNothing']);
});

test.each<[string, Scenario, Partial<ScenarioSources>]>([
  ['a tariff with a version that the list lacks', { tariff: 'one' }, {}],
  ['the agreement, if it is not known what the client has', { agreement: 'own' }, {}],
  ['another agreement', { agreement: 'next' }, PAID],
  ['list prices', { agreement: 'none' }, PAID],
  ['discounts', { discounts: { 'ONE-GRND': 10 } }, PAID],
  ['one of two carriers', { carrier: 'ONE' }, {}],
  ['the cheapest service', { service: 'cheapest' }, {}],
])('%s may change something', (_, scenario, more) => {
  expect(findingsOf(scenario, more)).toEqual([]);
});

test('a finding names fuel for services whose tariff charges none', () => {
  const { findings } = resolveScenarios([{ name: 'dear fuel', fuel: 30 }], SOURCES);
  expect(findings).toEqual([
    {
      type: 'scenario.noFuel',
      message:
        'Scenario 1 (dear fuel) states fuel for services whose tariff has no fuel surcharge: ONE-SMALL, TWO-SMALL. Their prices stay without it.',
      column: '',
    },
  ]);
  expect(findingsOf({ fuel: { 'ONE-AIR': 30 } })).toEqual([]);
  expect(findingsOf({ fuel: { 'ONE-SMALL': 30 } })).toEqual(['scenario.noFuel']);
});
