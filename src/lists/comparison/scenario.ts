/**
 * A scenario: what to change about a list of shipments before it is rated again. The API, the command line and the console
 * use the same members.
 */
import { z } from 'zod';
import { type BasisPoints, basisPoints } from '../../rating/quantity.ts';
import { LIMITS } from '../../rating/shipment.ts';

/** The maximum number of scenarios in a comparison. */
export const MOST_SCENARIOS = 8;
/** The agreement name that means list prices. */
export const NO_AGREEMENT = 'none';
/** The service name that means the cheapest service of each row. */
export const CHEAPEST_SERVICE = 'cheapest';

const code = z.string().min(1).max(LIMITS.shippingServiceLength);

/** A percentage with at most two decimals. */
const percent = z
  .number()
  .gte(0)
  .lte(100)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'must have at most two decimals');

const factor = z.int().gte(1).lte(10_000);

/** One value for all services, or a value per service. */
const byService = <T extends z.ZodType>(value: T) =>
  z.union([
    value,
    z.record(code, value).refine((record) => Object.keys(record).length > 0, 'must name at least one service'),
  ]);

const WAREHOUSE_RULE = 'must be a warehouse id without quotes, such as 4, or "any", or 2 to 50 ids, such as [4, 7]';
const warehouseId = z.int().gte(1).lte(LIMITS.warehouseIdMax);

export const scenarioSchema = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .optional()
      .describe('A name for people. By default, it is made from the other members.'),
    tariff: z
      .union([z.string().min(1).max(100), z.array(z.string().min(1).max(100)).min(1).max(8)])
      .optional()
      .describe(
        'Names or ids of tariffs. They price their services, even before they are in force. Other services stay as they are.',
      ),
    agreement: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('An agreement of the client or a draft, for all warehouses; `none` for list prices.'),
    discounts: z
      .record(code, percent)
      .optional()
      .describe('Percent off the base charge by service. They replace the client’s agreements.'),
    service: code.optional().describe('One service for all rows, or `cheapest` for the cheapest of each.'),
    serviceMap: z.record(code, code).optional().describe('Another service for rows that name one.'),
    carrier: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only services of this carrier. A row that names none of them gets the cheapest one.'),
    warehouse: z
      .union([warehouseId, z.literal('any'), z.array(warehouseId).min(2).max(50)], WAREHOUSE_RULE)
      .optional()
      .describe('Another origin. Of several, or of `any`, each row gets the cheapest.'),
    shipDate: z.iso.date().optional(),
    by: z
      .union([z.iso.date(), z.int().gte(1).lte(30)], 'must be a day, such as 2026-12-24, or business days from 1 to 30')
      .optional()
      .describe('Only services that arrive by this day, or within this many business days.'),
    dimensionalFactor: byService(factor)
      .optional()
      .describe('A dimensional divisor that replaces the one that applies.'),
    fuel: byService(percent).optional().describe('The fuel surcharge of the list in percent.'),
  })
  .superRefine(({ service, serviceMap, carrier, agreement, discounts }, context) => {
    const exclude = (path: string, other: string): void =>
      context.addIssue({
        code: 'custom',
        path: [path],
        message: `cannot be combined with ${other}: leave one of them out`,
      });
    if (service !== undefined && serviceMap !== undefined) exclude('serviceMap', 'service');
    if (service !== undefined && service !== CHEAPEST_SERVICE && carrier !== undefined) exclude('carrier', 'service');
    if (agreement !== undefined && discounts !== undefined) exclude('discounts', 'agreement');
  });
export type Scenario = z.output<typeof scenarioSchema>;

export const scenariosSchema = z.array(scenarioSchema).min(1).max(MOST_SCENARIOS);

/** The client's agreements by id, each for all warehouses or for some. */
export const storedAgreements = z.array(z.object({ id: z.string(), warehouses: z.array(z.int()).optional() }));

/** A scenario with a snapshot of what it changes. Absent members are the same as in the base. */
const storedScenario = z.object({
  scenario: scenarioSchema,
  /** Ids of the tariffs that it names. */
  tariffs: z.array(z.string()).optional(),
  /** What the client pays by in this scenario. Discounts are in basis points. */
  account: z.object({ discounts: z.record(z.string(), z.int()), agreements: storedAgreements }).optional(),
});
export type StoredScenario = z.output<typeof storedScenario>;

const placesOf = z.object({ key: z.int(), results: z.int() });

/** Two batches that are joined by a key column. The other batch is the only scenario. */
const joined = z.object({
  with: z.object({ id: z.string(), revision: z.int(), filename: z.string() }),
  /** The name of the key column, as the caller wrote it. */
  key: z.string(),
  /** Positions of columns in both outputs: see `OutputPlaces`. */
  places: z.object({ base: placesOf, with: placesOf }),
});

/** The document of a comparison in the store. It says what the comparison is rated on. */
export const comparisonDocument = z.object({
  /** The batch whose rows are compared, and its revision. Absent if a list was uploaded for the comparison. */
  of: z.object({ id: z.string(), revision: z.int(), filename: z.string() }).optional(),
  /** When the list was uploaded. Its day applies to rows without a `shipDate`. */
  instant: z.iso.datetime(),
  scenarios: z.array(storedScenario),
  /** Present if two batches are joined. */
  join: joined.optional(),
});
export type ComparisonDocument = z.output<typeof comparisonDocument>;

export const basisPointsIn = (percentage: number): BasisPoints => basisPoints(Math.round(percentage * 100));

const entries = (record: Readonly<Record<string, unknown>>): string =>
  Object.entries(record)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(', ');

const byServiceText = (value: number | Readonly<Record<string, number>>): string =>
  typeof value === 'number' ? String(value) : entries(value);

/** Describes what a scenario changes, in words: `as it is` if it changes nothing. */
export const scenarioText = (scenario: Scenario): string => {
  const { tariff, agreement, discounts, service, serviceMap, carrier, warehouse, shipDate } = scenario;
  const { dimensionalFactor, fuel, by } = scenario;
  const parts = [
    tariff === undefined ? '' : `tariff ${[tariff].flat().join(' and ')}`,
    agreement === undefined ? '' : agreement === NO_AGREEMENT ? 'list prices' : `agreement ${agreement}`,
    discounts === undefined ? '' : `percent off: ${entries(discounts)}`,
    service === undefined ? '' : service === CHEAPEST_SERVICE ? 'each to its cheapest service' : `all to ${service}`,
    serviceMap === undefined
      ? ''
      : Object.entries(serviceMap)
          .map(([from, to]) => `${from} to ${to}`)
          .join(', '),
    carrier === undefined ? '' : `only ${carrier}`,
    warehouse === undefined
      ? ''
      : warehouse === 'any'
        ? 'from the cheapest warehouse'
        : `from ${typeof warehouse === 'number' ? `warehouse ${warehouse}` : `the cheapest of ${warehouse.join(', ')}`}`,
    shipDate === undefined ? '' : `shipped on ${shipDate}`,
    by === undefined
      ? ''
      : typeof by === 'string'
        ? `delivered by ${by}`
        : `within ${by} business ${by === 1 ? 'day' : 'days'}`,
    dimensionalFactor === undefined ? '' : `divisor ${byServiceText(dimensionalFactor)}`,
    fuel === undefined ? '' : `fuel ${byServiceText(fuel)}%`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'as it is' : parts.join(', ');
};

/** What the only scenario changes if two batches are joined. */
export const OTHER_BATCH = 'the same shipments in the other batch';

export const nameOf = (scenario: Scenario): string => scenario.name ?? scenarioText(scenario);

const SLUG_CHARACTERS = 30;

const slug = (name: string): string => {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '');
  return words.slice(0, SLUG_CHARACTERS).replace(/_$/, '');
};

/** Returns a short name for the columns of each scenario: `net_2026_list_rates`. Names are distinct and never `base`. */
export const columnNames = (scenarios: readonly Scenario[]): readonly string[] => {
  const taken = new Set(['base']);
  return scenarios.map((scenario, index) => {
    const wanted = slug(nameOf(scenario));
    let own = wanted === '' ? `scenario_${index + 1}` : wanted;
    if (taken.has(own)) own = `${own}_${index + 1}`;
    while (taken.has(own)) own += '_';
    taken.add(own);
    return own;
  });
};
