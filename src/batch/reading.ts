/** What an upload may say of how its list is to be read (contract, CSV), for the API's query and the commands alike. */
import { z } from 'zod';
import { LIMITS } from '../rating/shipment.ts';
import type { Defaults, Reading } from './columns.ts';
import type { Dialect } from './csv.ts';
import { ENCODINGS } from './encoding.ts';
import { readNamedColumns } from './named-columns.ts';
import { REPAIR_OPTIONS, type RepairOption } from './repair.ts';

const DELIMITER_NAMES = { ',': ',', ';': ';', tab: '\t', '|': '|' } as const satisfies Readonly<
  Record<string, Dialect['delimiter']>
>;
type DelimiterName = keyof typeof DELIMITER_NAMES;

const names = <K extends string>(record: Readonly<Record<K, unknown>>): K[] => {
  const keys: K[] = [];
  for (const key in record) keys.push(key);
  return keys;
};
export const DELIMITER_OPTIONS: readonly DelimiterName[] = names(DELIMITER_NAMES);
export const REPAIR_CHOICES: readonly RepairOption[] = names(REPAIR_OPTIONS);

/** A separator's name, as `?delimiter=` says it. */
export const delimiterName = (delimiter: Dialect['delimiter']): DelimiterName =>
  delimiter === '\t' ? 'tab' : delimiter;

const COLUMNS_CHARACTERS = 10_000;

const columns = z
  .string()
  .max(COLUMNS_CHARACTERS)
  .superRefine((text, context) => {
    const named = readNamedColumns(text);
    if (typeof named === 'string') context.addIssue({ code: 'custom', message: named });
  });

/** Each parameter and what it may be, as strings. */
export const readingParameters = {
  warehouse_id: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'must be a warehouse id, a whole number of at most 10 digits')
    .optional(),
  units: z.enum(['KG', 'LB', 'OZ', 'G'], 'must be KG or LB (or OZ or G, with repair=weight)').optional(),
  shippingService: z.string().min(1).max(LIMITS.shippingServiceLength).optional(),
  residential: z.enum(['true', 'false'], 'must be true or false').optional(),
  encoding: z.enum(ENCODINGS, `must be one of ${ENCODINGS.join(', ')}`).optional(),
  delimiter: z.enum(DELIMITER_OPTIONS, 'must be one of , ; | and tab').optional(),
  columns: columns.optional(),
  repair: z.enum(REPAIR_CHOICES, 'must be zip, weight or all').optional(),
} as const;

const readingObject = z.object(readingParameters);
type ReadingParameters = z.output<typeof readingObject>;

/** What the parameters must be together: ounces and grams are read only where weights are repaired. */
export const unitsFault = ({ units, repair }: Pick<ReadingParameters, 'units' | 'repair'>): string | undefined =>
  (units === 'OZ' || units === 'G') && repair !== 'weight' && repair !== 'all'
    ? 'must be KG or LB (or OZ or G, with repair=weight)'
    : undefined;

export const readingOf = (said: ReadingParameters): Reading => {
  const { warehouse_id, units, shippingService, residential } = said;
  const defaults: Defaults = {
    ...(warehouse_id === undefined ? {} : { warehouse_id }),
    ...(units === undefined ? {} : { weight_units: units }),
    ...(shippingService === undefined ? {} : { shippingService }),
    ...(residential === undefined ? {} : { residential }),
  };
  const named = said.columns === undefined ? undefined : readNamedColumns(said.columns);
  return {
    defaults,
    encoding: said.encoding,
    delimiter: said.delimiter === undefined ? undefined : DELIMITER_NAMES[said.delimiter],
    named: typeof named === 'string' ? undefined : named,
    repairs: said.repair === undefined ? undefined : REPAIR_OPTIONS[said.repair],
  };
};
