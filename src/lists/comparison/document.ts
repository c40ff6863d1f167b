/** The document of a comparison in the store. It says what the comparison is rated on. */
import { z } from 'zod';
import { scenarioSchema } from './scenario.ts';

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
