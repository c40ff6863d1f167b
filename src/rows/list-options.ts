/** What an upload may say of how its list is to be read (contract, CSV), for the API's query and the commands alike. */
import { z } from 'zod';
import { ENCODINGS } from '../csv/encoding.ts';
import type { Dialect } from '../csv/scanner.ts';
import { LIMITS } from '../rating/shipment.ts';
import type { Defaults, Reading } from './columns.ts';
import { readNamedColumns } from './named-columns.ts';
import { REPAIR_OPTIONS, type RepairOption } from './repair.ts';
import { readServiceMap } from './service-names.ts';
import { ZIP_LIST } from './zip-codes.ts';

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
const MAP_CHARACTERS = 10_000;

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
    .optional()
    .meta({ description: 'For lists without that column, as the next four.' }),
  units: z.enum(['KG', 'LB', 'OZ', 'G'], 'must be LB, KG, OZ or G').optional(),
  dimension_units: z.enum(['IN', 'CM'], 'must be IN or CM').optional(),
  shippingService: z.string().min(1).max(LIMITS.shippingServiceLength).optional(),
  residential: z.enum(['true', 'false'], 'must be true or false').optional(),
  encoding: z
    .enum(ENCODINGS, `must be one of ${ENCODINGS.join(', ')}`)
    .optional()
    .meta({ description: 'How the list is written; a byte-order mark wins, and without either it is UTF-8.' }),
  delimiter: z
    .enum(DELIMITER_OPTIONS, 'must be one of , ; | and tab')
    .optional()
    .meta({ description: 'Between cells; found by the first rows, or a first line `sep=;`, unless given.' }),
  sheet: z.string().min(1).max(100).optional(),
  columns: columns.optional().meta({
    description:
      'Which column means what: pairs of a field and the name of a column, parted by commas. A comma or backslash within a name has a backslash before it. A field with nothing behind its colon has no column.',
    example: 'weight_value:Wt (lbs),postalCode:Ship To Zip',
  }),
  service_map: z
    .string()
    .max(MAP_CHARACTERS)
    .superRefine((text, context) => {
      const map = readServiceMap(text);
      if (typeof map === 'string') context.addIssue({ code: 'custom', message: map });
    })
    .optional()
    .meta({
      description:
        "What a list's names of services stand for: pairs of a name and a code, parted by commas; nothing behind the colon stands for all services. A comma or backslash within a name has a backslash before it; case, spaces and punctuation do not matter. Well-known names of carriers whose tariff is loaded need none.",
      example: 'Standard Ground:UPS-GROUND,Two Day:FDX-2DAY',
    }),
  repair: z
    .enum(REPAIR_CHOICES, 'must be zip, weight or all')
    .optional()
    .meta({
      description: `Cells that are mended where that is certain; the column quote_repairs says what was done. zip: ZIP codes that lost zeros or their hyphen, where the code exists (${ZIP_LIST}), and the names of the United States. weight: OZ, G and other spellings of units, 5 lb 3 oz, 2.3kg, decimal commas. all: both, dimensions, and yes and no in residential.`,
    }),
} as const;

const readingObject = z.object(readingParameters);
type ReadingParameters = z.output<typeof readingObject>;

/**
 * @param services codes of the services that the tariffs have; absent where no row is rated. Whether `service_map` maps to
 * them is for `unknownCode`
 */
export const readingOf = (said: ReadingParameters, services?: readonly string[]): Reading => {
  const { warehouse_id, units, dimension_units, shippingService, residential } = said;
  const defaults: Defaults = {
    ...(warehouse_id === undefined ? {} : { warehouse_id }),
    ...(units === undefined ? {} : { weight_units: units }),
    ...(dimension_units === undefined ? {} : { dimension_units }),
    ...(shippingService === undefined ? {} : { shippingService }),
    ...(residential === undefined ? {} : { residential }),
  };
  const named = said.columns === undefined ? undefined : readNamedColumns(said.columns);
  const map = said.service_map === undefined ? undefined : readServiceMap(said.service_map);
  return {
    defaults,
    services,
    serviceMap: typeof map === 'string' ? undefined : map,
    encoding: said.encoding,
    sheet: said.sheet,
    delimiter: said.delimiter === undefined ? undefined : DELIMITER_NAMES[said.delimiter],
    named: typeof named === 'string' ? undefined : named,
    repairs: said.repair === undefined ? undefined : REPAIR_OPTIONS[said.repair],
  };
};
