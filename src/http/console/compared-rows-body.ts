/** The answer and the query of the console's call for rows of a comparison. */
import { z } from 'zod';
import { ROW_GROUPS, ROW_OUTCOMES } from '../../batch/compared-rows.ts';
import { MOST_SCENARIOS } from '../../comparison/scenario.ts';
import { pageFrom, pageLimit, rowsBody } from './schemas.ts';

/**
 * `GET /console/v1/client/shipment/rates/comparisons/{id}/rows?scenario=&by=&value=&from=&limit=`: rows of the output.
 * `scenario` counts from 1. `by` and `value` choose rows as the summary groups them, such as `by=zone&value=8`; `by=row` takes
 * numbers of rows with commas. `from` is how many rows of the list to skip, whether they match or not.
 */
export const comparedRowsBody = rowsBody.pick({ complete: true, header: true, rows: true }).extend({
  /** The `from` of the next page; null if there are no more rows. A page may be empty although there is a next one. */
  next: z.int().nullable(),
});

const SCENARIO_RULE = `must be a whole number from 1 to ${MOST_SCENARIOS}`;

export const comparedRowsQuery = z
  .strictObject({
    from: pageFrom,
    limit: pageLimit,
    scenario: z
      .string()
      .regex(/^[1-8]$/, SCENARIO_RULE)
      .transform(Number)
      .default(1),
    by: z.enum(ROW_GROUPS, `must be one of ${ROW_GROUPS.join(', ')}`).default('all'),
    value: z.string().max(400).default(''),
  })
  .superRefine(({ by, value }, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['value'], message });
    if (by !== 'all' && value === '') refuse(`must say which rows by=${by} chooses`);
    else if (by === 'row' && !/^\d{1,10}(?:,\d{1,10}){0,39}$/.test(value))
      refuse('must be at most 40 numbers of rows, with commas');
    else if (by === 'outcome' && !ROW_OUTCOMES.some((outcome) => outcome === value))
      refuse(`must be one of ${ROW_OUTCOMES.join(', ')}`);
  });
