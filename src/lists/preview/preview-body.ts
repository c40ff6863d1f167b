/** The response of a preview: its schema for the API, OpenAPI and the console. */
import { z } from 'zod';
import { ENCODINGS } from '../../files/csv/encoding.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { findingBody } from '../columns/findings.ts';
import { mappingBody } from '../columns/mapping.ts';
import { DELIMITER_OPTIONS } from '../list-options.ts';
import { REPAIRS } from '../rows/repair.ts';
import { faultKind, repairKind } from './preview-costs.ts';

const field = z.enum(FIELD_NAMES);
const faultShape = z.object({ type: z.string(), message: z.string(), arguments: z.record(z.string(), z.unknown()) });

export const previewBody = z
  .object({
    status: z.literal(200),
    sheets: z
      .array(z.object({ name: z.string(), isRead: z.boolean() }))
      .describe('The visible sheets of a workbook, which `sheet` can name.'),
    dialect: z.object({
      encoding: z.enum(ENCODINGS),
      delimiter: z.enum(DELIMITER_OPTIONS),
      lineBreak: z.enum(['lf', 'crlf', 'cr']),
    }),
    problems: z
      .record(z.string(), z.string())
      .describe(
        'Why an upload would be refused, by field. If there are any, no row was read. Always empty without `preview=report`.',
      ),
    headerRow: z.int().min(1).describe('The number of the row with the column names. Blank rows count.'),
    headerKey: z.string().describe('The same for lists with the same column names in the same order.'),
    suggestedHeaderRow: z
      .int()
      .nullable()
      .describe('The row that seems to have the column names, if another one was read.'),
    mapping: mappingBody,
    columns: z
      .array(z.object({ field, column: z.string(), position: z.int().min(1) }))
      .describe('The columns that are used, by position.'),
    defaults: z
      .partialRecord(field, z.string())
      .describe('Values of fields without a column: from the upload, or a unit in a column name.'),
    unknownColumns: z.object({
      count: z.int(),
      names: z.array(z.string()).describe('At most a hundred. These columns pass through.'),
    }),
    findings: z.array(findingBody).describe('Notes on the columns, such as unused columns that look relevant.'),
    services: z
      .array(z.object({ name: z.string(), code: z.string().nullable(), rows: z.int() }))
      .describe(
        'At most fifty names of services in the rows that were read, with their codes: null if the name is unknown, empty if it means all services.',
      ),
    rowsRead: z.int().describe('At most the first thousand.'),
    quoted: z.int(),
    faulted: z.int(),
    joined: z.int().describe('Rows whose order has its quote or its fault in another row.'),
    orders: z
      .object({
        column: z.string().describe('The column with the number of the order.'),
        quantity: z.string().nullable().describe('The column with the quantity of a line.'),
        isJoined: z.boolean().describe('Whether the rows of an order are priced as one shipment.'),
        rows: z.int(),
        orders: z.int(),
      })
      .nullable()
      .describe('The orders that the rows belong to. If they are not joined, `orders` can say that they are.'),
    faults: z.record(z.string(), z.int()).describe('Rows by fault type.'),
    warnings: z.record(z.string(), z.int()).describe('Quoted rows by the type of a warning.'),
    missing: z
      .record(z.string(), z.int())
      .describe(
        'Quoted rows by the part that is missing from their price, such as `fuel`. The carrier will bill more for them.',
      ),
    faultKinds: z
      .array(faultKind)
      .describe(
        'The faults by type and field, missing cells apart from wrong ones, most rows first. A row with several wrong fields counts for each.',
      ),
    rows: z.array(
      z.object({
        input_row: z.int(),
        request: z.unknown().describe('The body of the equivalent single call.'),
        repairs: z.array(z.string()),
        quote: z.unknown().describe('The response of the single call; null on a fault.'),
        fault: faultShape.nullable(),
        order_row: z.int().optional().describe('For order lines: the row with the quote or the fault of the order.'),
      }),
    ),
    repairs: z.object({
      asked: z.array(z.enum(REPAIRS)),
      rows: z.int().describe('The number of repaired rows.'),
      kinds: z.array(repairKind).describe('The repairs that change a request, by what they repair.'),
      emptyWeights: z.int().describe('Rows whose empty weight cell takes the weight in `empty_weight`.'),
    }),
    repairAll: z
      .object({
        rows: z.int(),
        quoted: z.int(),
        faulted: z.int(),
        examples: z.array(z.object({ input_row: z.int(), repairs: z.array(z.string()) })),
        kinds: z.array(repairKind),
        zipList: z.string(),
      })
      .describe('The result with `repair=all`.'),
    estimate: z.object({
      exact: z.boolean().describe('Whether all rows were read. If so, the other values are exact.'),
      rows: z.int().nullable(),
      faulted: z.int().nullable().describe('Rows with a fault.'),
      seconds: z.number().nullable(),
      totalNetCharge: z.number().nullable(),
      currency: z.literal('USD'),
    }),
  })
  .meta({ id: 'BatchPreview' });
export type Preview = z.output<typeof previewBody>;
