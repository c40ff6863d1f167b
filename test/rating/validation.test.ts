import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Failed } from '../../src/base/failed.ts';
import { check, pathText } from '../../src/base/validation.ts';

/** The problems as users read them. */
const problemsOf = (schema: z.ZodType<object>, value: unknown): readonly string[] => {
  const checked = check(schema, value);
  return checked instanceof Failed ? checked.fault.map(({ path, message }) => `${pathText(path)} ${message}`) : [];
};

const price = z.string().regex(/^\d+\.\d\d$/, 'must be dollars with two decimals');

describe('a problem is a sentence about the member', () => {
  test.each<[what: string, schema: z.ZodType, value: unknown, problem: string]>([
    ['missing', z.string(), undefined, 'a is required'],
    ['missing choice', z.enum(['x', 'y']), undefined, 'a is required'],
    ['wrong type', z.string(), 5, 'a must be a string'],
    ['list in place of an object', z.strictObject({}), [], 'a must be an object'],
    ['text in place of a record', z.record(z.string(), z.int()), 'x', 'a must be an object'],
    ['fraction', z.int(), 1.5, 'a must be a whole number'],
    ['small number', z.int().gte(1), 0, 'a must be at least 1'],
    ['zero', z.number().gt(0), 0, 'a must be greater than 0'],
    ['large number', z.int().lte(99), 100, 'a must be at most 99'],
    ['empty text', z.string().min(1), '', 'a must have at least 1 character'],
    ['long text', z.string().max(2), 'abc', 'a must have at most 2 characters'],
    ['empty list', z.array(z.string()).min(1), [], 'a must have at least 1 entry'],
    ['long list', z.array(z.string()).max(2), ['', '', ''], 'a must have at most 2 entries'],
    ['wrong choice', z.enum(['x', 'y']), 'z', 'a must be one of x, y'],
    ['date that does not exist', z.iso.date(), '2026-02-30', 'a must be a date, YYYY-MM-DD'],
    [
      'time without a zone',
      z.iso.datetime(),
      '2026-01-31T12:00',
      'a must be a time in UTC, such as 2026-01-31T12:00:00Z',
    ],
    ['text that is not a URL', z.url(), 'acme', 'a must be a URL'],
    ['text against the rule of the schema', price, '5', 'a must be dollars with two decimals'],
    ['entry of a list', z.array(z.object({ b: price })), [{ b: '1.00' }, {}], 'a[1].b is required'],
    ['unknown member', z.strictObject({}), { b: 1 }, 'a.b is unknown: correct its name, or remove it'],
    [
      'name of a member',
      z.record(z.string().max(2), price),
      { abc: '1.00' },
      'a.abc is not a valid name: it must have at most 2 characters',
    ],
    [
      'form without a known kind',
      z.discriminatedUnion('per', [z.object({ per: z.literal('mile') }), z.object({ per: z.enum(['box', 'pound']) })]),
      { per: 'ton' },
      'a.per must be one of mile, box, pound',
    ],
    [
      'entry of one of two forms',
      z.union([price, z.record(z.string(), price)]),
      { x: '5' },
      'a.x must be dollars with two decimals',
    ],
    ['value of none of two forms', z.union([price, z.array(price)]), 5, 'a must be a string, or must be an array'],
    ['missing value of two forms', z.union([price, z.array(price)]), undefined, 'a is required'],
  ])('%s', (_what, schema, value, problem) => {
    expect(problemsOf(z.object({ a: schema }), { a: value })).toEqual([problem]);
  });
});

test('reports every problem, and each unknown member', () => {
  const schema = z.strictObject({ a: price, b: z.int() });
  expect(problemsOf(schema, { a: 1, c: 1, d: 1 })).toEqual([
    'a must be a string',
    'b is required',
    'c is unknown: correct its name, or remove it',
    'd is unknown: correct its name, or remove it',
  ]);
});

test('returns what the schema makes of a valid value', () => {
  expect(check(z.object({ a: z.string().transform(Number) }), { a: '5' })).toEqual({ a: 5 });
});

test('does not repeat the value, which may be a secret', () => {
  expect(
    problemsOf(z.object({ a: z.string().max(3), b: z.enum(['x']), c: z.int() }), {
      a: 's3cret',
      b: 's3cret',
      c: 's3cret',
    }).join(),
  ).not.toContain('s3cret');
});
