/**
 * Where a shipment may leave from: one warehouse, the cheapest of several, or any of the client's. A cell of
 * a list has the same text as the request: `101`, `101|103` or `any`.
 */
import { z } from 'zod';

export const WAREHOUSE_ID_MAX = 9_999_999_999;

/** Maximum number of warehouses that one shipment is compared from. */
export const MOST_WAREHOUSES = 50;

/** Several warehouses: all of the client's in the United States, or listed ids in their order. */
export type ShipFrom = 'any' | readonly number[];

const HELP = `must be a warehouse id, any, or 2 to ${MOST_WAREHOUSES} different warehouse ids such as 101|103`;

/** If a number exceeds two upper bounds, only ours is reported. */
const warehouseId = z.number().lte(WAREHOUSE_ID_MAX, { abort: true }).int().gte(1);

const isList = (ids: readonly number[]): boolean =>
  ids.length >= 2 &&
  ids.length <= MOST_WAREHOUSES &&
  new Set(ids).size === ids.length &&
  ids.every((id) => Number.isInteger(id) && id >= 1 && id <= WAREHOUSE_ID_MAX);

/** Pattern of a text for several warehouses, for the OpenAPI document. */
export const SEVERAL_PATTERN = '^\\s*(?:[Aa][Nn][Yy]|\\d{1,10}(?:\\s*\\|\\s*\\d{1,10}){1,49})\\s*$';

const ID = /^\d{1,10}$/;

const idIn = (text: string): number => (ID.test(text) ? Number(text) : Number.NaN);

/**
 * Reads a text such as `any` or `101 | 103`.
 * @returns undefined if the text is not meant for several warehouses. An invalid id is `NaN`
 */
const severalIn = (text: string): ShipFrom | undefined => {
  if (text.trim().toLowerCase() === 'any') return 'any';
  return text.includes('|') ? text.split('|', MOST_WAREHOUSES + 1).map((part) => idIn(part.trim())) : undefined;
};

/** Reads the same text, but also returns undefined if the list of ids is invalid. */
export const readShipFrom = (text: string): ShipFrom | undefined => {
  const several = severalIn(text);
  return several === undefined || several === 'any' || isList(several) ? several : undefined;
};

/** `warehouse_id` of a request. */
export const warehouseChoice = z
  .union(
    [
      warehouseId,
      z
        .string()
        .meta({ description: '`any`, or several ids.', pattern: SEVERAL_PATTERN, examples: ['any', '101|103'] }),
      z.array(z.number()).meta({
        ...{ description: 'Several ids.', examples: [[101, 103]] },
        ...{ minItems: 2, maxItems: MOST_WAREHOUSES, uniqueItems: true },
      }),
    ],
    {
      // A value of another type was meant to be an id. The first member of the union says what is wrong with it.
      error: (issue) => {
        if (Array.isArray(issue.input) || issue.code !== 'invalid_union') return HELP;
        return issue.errors[0]?.[0]?.message;
      },
    },
  )
  .transform((value, context): number | ShipFrom => {
    if (typeof value === 'number') return value;
    const several = typeof value === 'string' ? severalIn(value) : value;
    if (several === undefined) context.issues.push({ code: 'invalid_type', expected: 'number', input: value });
    else if (several === 'any' || isList(several)) return several;
    else context.issues.push({ code: 'custom', message: HELP, input: value });
    return z.NEVER;
  })
  .describe(
    'Where the shipment leaves from. If there are several, or `any` (all of yours in the United States), the cheapest is quoted.',
  );
