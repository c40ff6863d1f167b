import { describe, expect, test } from 'vitest';
import {
  API_FAULT_TYPES,
  API_FAULTS,
  faultObject,
  type HttpFault,
  headersOf,
  statusOf,
} from '../../src/http/faults.ts';
import { SHIPMENT_FAULTS } from '../../src/rating/fault.ts';

// A fault of each type that only HTTP has, with its code and arguments (docs/contract.md).
const table: [number, HttpFault, readonly string[]][] = [
  [400, { type: 'request.malformedBody', reason: 'it is not JSON' }, ['body']],
  [400, { type: 'request.invalidHost', problem: 'appears twice' }, ['Host']],
  [401, { type: 'InvalidAuthorizationException', reason: 'the access token has expired' }, ['Authorization']],
  [401, { type: 'InvalidCredentialsException' }, ['client_id']],
  [403, { type: 'request.forbidden', scope: 'batch' }, ['scope']],
  [404, { type: 'request.notFound', path: '/x' }, ['path']],
  [405, { type: 'request.methodNotAllowed', path: '/x', allow: ['POST'] }, ['path']],
  [409, { type: 'batches.notReady', status: 'in_progress' }, ['status']],
  [409, { type: 'batches.notFinal', status: 'queued' }, ['status']],
  [409, { type: 'batches.final', status: 'completed' }, ['status']],
  [409, { type: 'idempotency.inProgress', key: 'k' }, ['Idempotency-Key']],
  [409, { type: 'operator.refused', reason: 'The client acme is revoked.' }, ['reason']],
  [410, { type: 'batches.expired', expiresAt: '2026-01-01T00:00:00Z' }, ['expiresAt']],
  [413, { type: 'request.tooLarge', limit: 'rows', most: '10000000' }, ['rows']],
  [415, { type: 'request.unsupportedMediaType', header: 'Content-Type', accepted: ['text/csv'] }, ['Content-Type']],
  [422, { type: 'createBatch.invalidFile', problems: { postalCode: 'the column is missing' } }, ['postalCode']],
  [422, { type: 'idempotency.keyReused', key: 'k' }, ['Idempotency-Key']],
  [429, { type: 'credentials.tooManyWrong', perMinute: 60, retryAfterS: 7 }, ['client_id']],
  [429, { type: 'request.rateLimited', limit: 'uploads', perMinute: 60, retryAfterS: 7 }, ['limit']],
  [500, { type: 'service.internalError', requestId: 'r' }, ['requestId']],
  [503, { type: 'service.unavailable', dependency: 'redis' }, ['dependency']],
];

test.each(table)('%i %o', (code, fault, args) => {
  const { type, message, arguments: named } = faultObject(fault);
  expect(statusOf(fault.type)).toBe(code);
  expect(type).toBe(fault.type);
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(Object.keys(named)).toEqual(args);
});

test('every type has a row here, or is a shipment’s fault with 422', () => {
  const here = new Set<string>(table.map(([, { type }]) => type));
  const others = API_FAULT_TYPES.filter((type) => !here.has(type));
  expect(others.toSorted()).toEqual(Object.keys(SHIPMENT_FAULTS).toSorted());
  expect(new Set(others.map(statusOf))).toEqual(new Set([422]));
});

test.each(API_FAULT_TYPES)('the example of %s has the arguments that the docs name', (type) => {
  const { args, example, tokenExample, say } = API_FAULTS[type];
  for (const one of [example, tokenExample ?? example]) {
    const named = Object.keys(say(one)[1]);
    // A name in angle brackets stands for any name.
    const unknown = named.filter((name) => !(name in args));
    expect(Object.keys(args)[0]?.startsWith('<') === true ? [] : unknown).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  }
});

describe('headers that belong to a fault', () => {
  test.each<[HttpFault, Record<string, string>]>([
    [{ type: 'request.methodNotAllowed', path: '/x', allow: ['GET', 'HEAD'] }, { Allow: 'GET, HEAD' }],
    [{ type: 'service.unavailable', dependency: 'redis' }, { 'Retry-After': '5' }],
    [
      { type: 'request.rateLimited', limit: 'uploads', perMinute: 60, retryAfterS: 7 },
      { 'Retry-After': '7', RateLimit: '"uploads";r=0;t=7', 'RateLimit-Policy': '"uploads";q=60;w=60' },
    ],
    [{ type: 'request.notFound', path: '/x' }, {}],
  ])('%o', (fault, headers) => {
    expect(headersOf(fault)).toEqual(headers);
  });
});

test.each([
  [{ file: 'is empty' }, 'The file is empty.'],
  [{ sheet: 'is only for workbooks' }, 'The file cannot be used. sheet: is only for workbooks.'],
])('the message about a list says which part of it is wrong: %o', (problems, message) => {
  expect(faultObject({ type: 'createBatch.invalidFile', problems }).message).toBe(message);
});
