/** The page of `rates compare --summary`: plain text for a mail, about money, for people who did not run the command. */
import type { ComparisonSummary } from '../comparison/summary.ts';
import { faultTitle } from '../rows/plain-words.ts';
import { section, tables } from './compare-sections.ts';
import { type Amounts, amountsTable, insteadOf, PAGE_COLUMNS, signedDollars, wrapped } from './compare-table.ts';
import { partWords, warningWords } from './compare-words.ts';
import { count, counted, dollarsText, table } from './format.ts';

/** What the summary itself does not say. */
export interface PageFacts {
  /** `shipments.csv` */
  readonly list: string;
  readonly client: string;
  /** What the list is rated with as it is. */
  readonly tariffs: readonly string[];
  /** The day of rows that name no ship date, `YYYY-MM-DD`. */
  readonly day?: string;
  readonly warehouses: ReadonlyMap<number, string>;
  /** The first cells of rows, by number. */
  readonly rowLabels: ReadonlyMap<number, string>;
}

/** `Newark (101)`, by id. */
export const warehouseNames = (
  warehouses: readonly { readonly id: number; readonly name: string }[],
): PageFacts['warehouses'] => new Map(warehouses.map(({ id, name }) => [id, `${name} (${id})`]));

type ScenarioBody = ComparisonSummary['scenarios'][number];

/** Characters of a warning or a fault in words. */
const MOST_WORDS = 54;
/** Rows with the largest differences that are shown in each direction. */
const SHOWN_ROWS = 5;

/** The rows that the page names. */
export const shownRows = ({ scenarios }: ComparisonSummary): ReadonlySet<number> =>
  new Set(
    scenarios.flatMap(({ largestIncreases, largestDecreases }) =>
      [largestIncreases, largestDecreases].flatMap((rows) => rows.slice(0, SHOWN_ROWS).map(({ row }) => row)),
    ),
  );

/** One sentence: what the scenario costs. */
export const headline = (scenario: ScenarioBody): string => {
  const { name, shipments } = scenario;
  if (shipments === 0) return `${name}: no shipment has a price both as it is and in the scenario.`;
  return `${name}: ${insteadOf(scenario)} on ${counted(shipments, 'shipment')}.`;
};

/** Rows by what they have on each side: a fault or a warning, in words. */
const countsTable = (
  heading: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  words: (type: string) => string,
): string[] => {
  const types = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  if (types.length === 0) return [];
  const most = (type: string): number => Math.max(before[type] ?? 0, after[type] ?? 0);
  return table(
    [
      [heading, 'as it is', 'scenario'],
      ...types
        .toSorted((a, b) => most(b) - most(a))
        .map((type) => [words(type), count(before[type] ?? 0), count(after[type] ?? 0)]),
    ],
    ['left', 'right', 'right'],
    MOST_WORDS,
  ).map((text) => `  ${text}`);
};

const aboutLines = ({ list, client, tariffs, day }: PageFacts, { base }: ComparisonSummary): string[] => [
  ...wrapped(`List: ${list}, ${counted(base.rows, 'row')}`, '  '),
  ...wrapped(`Client: ${client}`, '  '),
  ...(tariffs.length === 0 ? [] : wrapped(`Tariffs: ${tariffs.join('; ')}`, '  ')),
  ...(day === undefined ? [] : wrapped(`Day: ${day} for rows without a ship date of their own`, '  ')),
  ...wrapped(`As it is: ${dollarsText(base.totalNetCharge)} for ${counted(base.priced, 'row')} with a price`, '  '),
];

/** Rows that are in no total, and why. */
const unpricedLines = (
  { onlyBase, onlyScenario, neither, faults }: ScenarioBody,
  base: ComparisonSummary['base'],
): string[] => {
  const lines: string[] = [];
  const add = (rows: number, words: string): void => {
    if (rows > 0) lines.push(...wrapped(`${counted(rows, 'row')} ${words}`, '  '));
  };
  add(neither, 'without a price on either side');
  add(onlyBase.shipments, `with a price only as it is: ${dollarsText(onlyBase.total)} that the scenario cannot price`);
  add(onlyScenario.shipments, `with a price only in the scenario: ${dollarsText(onlyScenario.total)} there`);
  return [...lines, ...countsTable('why rows have no price', base.faults, faults, faultTitle)];
};

const attributionLines = ({ attribution, difference }: ScenarioBody): string[] => {
  const parts = attribution.filter((part) => part.difference !== 0);
  if (parts.length === 0) return [];
  return table(
    [
      ...parts.map((part) => [`  ${partWords(part.part)}`, signedDollars(part.difference)]),
      ['  Total', signedDollars(difference)],
    ],
    ['left', 'right'],
  );
};

const extremeLines = (rows: ScenarioBody['largestIncreases'], { rowLabels }: PageFacts): string[] =>
  rows
    .slice(0, SHOWN_ROWS)
    .flatMap(({ row, baseService, shippingService, baseNetCharge, totalNetCharge, difference }) => {
      const label = rowLabels.get(row);
      const by = baseService === shippingService ? baseService : `${baseService} to ${shippingService}`;
      return [
        `    row ${count(row)}${label === undefined ? '' : `, ${label}`}:`,
        `      ${by}, ${dollarsText(baseNetCharge)} to ${dollarsText(totalNetCharge)}, ${signedDollars(difference)}`,
      ];
    });

const winnerLines = (scenario: ScenarioBody, facts: PageFacts): string[] => {
  const { dearer, cheaper, same, largestIncreases, largestDecreases } = scenario;
  const amount = (of: Amounts): string => dollarsText(Math.abs(of.difference));
  return [
    ...(dearer.shipments === 0 ? [] : [`  Dearer: ${counted(dearer.shipments, 'shipment')}, ${amount(dearer)} more`]),
    ...extremeLines(largestIncreases, facts),
    ...(cheaper.shipments === 0
      ? []
      : [`  Cheaper: ${counted(cheaper.shipments, 'shipment')}, ${amount(cheaper)} less`]),
    ...extremeLines(largestDecreases, facts),
    ...(same.shipments === 0 ? [] : [`  Same price: ${counted(same.shipments, 'shipment')}`]),
  ];
};

const scenarioLines = (scenario: ScenarioBody, { base }: ComparisonSummary, facts: PageFacts): string[] => [
  ...section(
    'Rows without a price on one side or on both, which are in no other number:',
    unpricedLines(scenario, base),
  ),
  ...section('Where the difference comes from, each part on top of those before it:', attributionLines(scenario)),
  ...tables(scenario, facts.warehouses),
  ...section('Who pays more, and who pays less:', winnerLines(scenario, facts)),
  ...section(
    'Rows whose price may differ from the bill:',
    countsTable('what to keep in mind', base.warnings, scenario.warnings, warningWords),
  ),
];

const overview = ({ scenarios }: ComparisonSummary): string[] =>
  scenarios.length < 2
    ? []
    : section(
        'All scenarios:',
        amountsTable(
          'name',
          scenarios.map((scenario) => ({ label: scenario.name, ...scenario })),
        ),
      );

/** Two lists that are joined by a key: which is which, and the rows that only one of them has. */
const joinLines = ({ join, scenarios }: ComparisonSummary, { list }: PageFacts): string[] => {
  if (join === undefined) return [];
  const other = scenarios[0]?.name ?? 'the other list';
  const alone = ({ shipments, total }: typeof join.gone): string =>
    `${counted(shipments, 'shipment')}, ${dollarsText(total)}`;
  const rows = ({ base, with: own }: typeof join.duplicates): string =>
    `${counted(base, 'row')} of ${list}, ${counted(own, 'row')} of ${other}`;
  return [
    `The same shipments in ${list} ("as it is") and in ${other} ("scenario")`,
    `${other}: ${counted(join.with.rows, 'row')}, ${dollarsText(join.with.totalNetCharge)} for ${counted(join.with.priced, 'row')} with a price`,
    `Only in ${list}, and in no difference: ${alone(join.gone)}`,
    `Only in ${other}, and in no difference: ${alone(join.new)}`,
    `Not compared, because the key comes more than once: ${rows(join.duplicates)}`,
    `Not compared, because the key is empty: ${rows(join.withoutKey)}`,
  ].flatMap((text) => wrapped(text, '  '));
};

/** What a scenario changes, with the names of warehouses. */
const changesLines = ({ name, changes, scenario }: ScenarioBody, { warehouses }: PageFacts): string[] => {
  const { warehouse } = scenario;
  const ids = warehouse === undefined ? [] : warehouse === 'any' ? [...warehouses.keys()] : [warehouse].flat();
  const names = ids.flatMap((id) => warehouses.get(id) ?? []);
  return [
    ...(changes === name ? [] : wrapped(`What the scenario changes: ${changes}`, '  ')),
    ...(names.length === 0 ? [] : wrapped(`It ships from: ${names.join(', ')}`, '  ')),
  ];
};

const RULE = '-'.repeat(PAGE_COLUMNS);

/** Each of several scenarios has a part of its own. */
const apart = (scenario: ScenarioBody, index: number, summary: ComparisonSummary, facts: PageFacts): string[] => [
  ...['', RULE, `Scenario ${index + 1} of ${summary.scenarios.length}`],
  ...wrapped(headline(scenario)),
  ...changesLines(scenario, facts),
  ...scenarioLines(scenario, summary, facts),
];

/** The page, line by line. Every amount is in US dollars. */
export const pageLines = (summary: ComparisonSummary, facts: PageFacts): string[] => {
  const { scenarios } = summary;
  const [only, ...more] = scenarios;
  const isOne = only !== undefined && more.length === 0;
  return [
    ...scenarios.flatMap((scenario) => wrapped(headline(scenario))),
    ...overview(summary),
    ...section('What was compared:', [
      ...aboutLines(facts, summary),
      ...joinLines(summary, facts),
      ...(isOne && summary.join === undefined ? changesLines(only, facts) : []),
    ]),
    ...(isOne
      ? scenarioLines(only, summary, facts)
      : scenarios.flatMap((scenario, index) => apart(scenario, index, summary, facts))),
  ];
};
