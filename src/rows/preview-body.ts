/** What a preview answers, for the API, its description and whoever shows it. */
import { z } from 'zod';
import { ENCODINGS } from '../csv/encoding.ts';
import { FIELDS } from './fields.ts';
import { findingBody } from './findings.ts';
import { DELIMITER_OPTIONS } from './list-options.ts';
import { REPAIRS } from './repair.ts';

const field = z.enum(FIELDS);
const faultShape = z.object({ type: z.string(), message: z.string(), arguments: z.record(z.string(), z.unknown()) });

export const previewBody = z
  .object({
    status: z.literal(200),
    dialect: z.object({
      encoding: z.enum(ENCODINGS),
      delimiter: z.enum(DELIMITER_OPTIONS),
      lineBreak: z.enum(['lf', 'crlf', 'cr']),
    }),
    columns: z
      .array(z.object({ field, column: z.string(), position: z.int().min(1) }))
      .meta({ description: 'The columns that have a meaning, by their positions.' }),
    defaults: z
      .partialRecord(field, z.string())
      .meta({ description: 'Fields without a column: said at upload, or a unit that a column states in its name.' }),
    unknownColumns: z.object({
      count: z.int(),
      names: z.array(z.string()).meta({ description: 'The first hundred; they are passed through.' }),
    }),
    findings: z
      .array(findingBody)
      .meta({ description: 'What to know of the columns: those that look relevant and were not taken, and the like.' }),
    services: z.array(z.object({ name: z.string(), code: z.string().nullable(), rows: z.int() })).meta({
      description:
        'Names of services in the rows that were read, fifty at most, and the code that each is read as: null where it is none, empty where it stands for all services.',
    }),
    rowsRead: z.int().meta({ description: 'The first thousand at most.' }),
    quoted: z.int(),
    faulted: z.int(),
    faults: z.record(z.string(), z.int()).meta({ description: 'Rows by fault type.' }),
    rows: z.array(
      z.object({
        input_row: z.int(),
        request: z.unknown().meta({ description: 'The body of the single call that the row stands for.' }),
        repairs: z.array(z.string()),
        quote: z.unknown().meta({ description: 'As the single call answers; null on a fault.' }),
        fault: faultShape.nullable(),
      }),
    ),
    repairs: z.object({
      asked: z.array(z.enum(REPAIRS)),
      rows: z.int().meta({ description: 'Rows that were mended.' }),
    }),
    repairAll: z
      .object({
        rows: z.int(),
        quoted: z.int(),
        faulted: z.int(),
        examples: z.array(z.object({ input_row: z.int(), repairs: z.array(z.string()) })),
        zipList: z.string(),
      })
      .meta({ description: 'What repair=all would come to.' }),
    estimate: z.object({
      exact: z.boolean().meta({ description: 'Whether all rows were read: the rest is then counted, not estimated.' }),
      rows: z.int().nullable(),
      seconds: z.number().nullable(),
      totalNetCharge: z.number().nullable(),
      currency: z.literal('USD'),
    }),
  })
  .meta({ id: 'BatchPreview' });
export type Preview = z.output<typeof previewBody>;
