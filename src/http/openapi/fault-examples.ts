import type { Fault, FaultType } from '../../rating/fault.ts';
import { FAULT_GUIDE } from '../fault-guide.ts';
import type { HttpFault, HttpFaultType } from '../faults.ts';
import { errorBodyOf } from '../reply.ts';

type AnyFault = Fault | HttpFault;
type Examples = Readonly<Record<FaultType | HttpFaultType, AnyFault>>;

const SERVICE = 'C1-GROUND';

const EXAMPLES: Examples = {
  'request.malformedBody': { type: 'request.malformedBody', reason: 'it is not JSON' },
  'request.invalidHost': { type: 'request.invalidHost', problem: 'is there twice' },
  InvalidAuthorizationException: {
    type: 'InvalidAuthorizationException',
    reason: 'the access token has expired',
    error: 'invalid_token',
  },
  InvalidCredentialsException: { type: 'InvalidCredentialsException' },
  'request.forbidden': { type: 'request.forbidden', scope: 'batch' },
  'request.notFound': { type: 'request.notFound', path: '/v1/client/shipment/rate' },
  'request.methodNotAllowed': {
    type: 'request.methodNotAllowed',
    path: '/v1/client/shipment/rates',
    allow: ['POST'],
  },
  'batches.notReady': { type: 'batches.notReady', status: 'in_progress' },
  'batches.notFinal': { type: 'batches.notFinal', status: 'in_progress' },
  'batches.final': { type: 'batches.final', status: 'completed' },
  'batches.expired': { type: 'batches.expired', expiresAt: '2026-03-08T12:00:00.000Z' },
  'idempotency.inProgress': { type: 'idempotency.inProgress', key: 'order-17' },
  'idempotency.keyReused': { type: 'idempotency.keyReused', key: 'order-17' },
  'operator.refused': { type: 'operator.refused', reason: 'The client acme is revoked.' },
  'request.tooLarge': { type: 'request.tooLarge', limit: 'body', most: '262144 bytes' },
  'request.unsupportedMediaType': {
    type: 'request.unsupportedMediaType',
    header: 'Content-Type',
    accepted: ['application/json'],
  },
  'getRates.invalidRequest': {
    type: 'getRates.invalidRequest',
    issues: [{ path: 'rates.packageItems[0].weight.value', message: 'must be at most 99' }],
  },
  'getRates.unknownShippingService': { type: 'getRates.unknownShippingService', shippingService: 'C9-NONE' },
  'getRates.unknownWarehouse': { type: 'getRates.unknownWarehouse', warehouseId: 999 },
  'getRates.noTariff': { type: 'getRates.noTariff', shipDate: '2001-01-01' },
  'getRates.addressLineRequired': { type: 'getRates.addressLineRequired', shippingService: 'C2-GROUND' },
  'getRates.noDeliveryCoverage': { type: 'getRates.noDeliveryCoverage', postalCode: '00901' },
  'getRates.weightNotServed': {
    type: 'getRates.weightNotServed',
    shippingService: SERVICE,
    packageIndex: 0,
    weightLb: 219,
    maximumLb: 150,
  },
  'getRates.sizeNotServed': {
    type: 'getRates.sizeNotServed',
    shippingService: SERVICE,
    packageIndex: 0,
    measure: 'length',
    inches: 121,
    maximumInches: 108,
  },
  'row.malformed': { type: 'row.malformed', row: 17, reason: 'it has 9 cells, the header 8' },
  'createBatch.invalidFile': {
    type: 'createBatch.invalidFile',
    problems: { postalCode: 'no column is one of its names' },
  },
  'request.rateLimited': { type: 'request.rateLimited', limit: 'quotes', perMinute: 60_000, retryAfterS: 12 },
  'service.internalError': { type: 'service.internalError', requestId: 'b1946ac9-2492-4d23-a0ab-8f5a1f3c2d10' },
  'service.unavailable': { type: 'service.unavailable', dependency: 'redis' },
};

/** Examples that differ at the token endpoint. */
const TOKEN_EXAMPLES: Partial<Examples> = {
  'request.malformedBody': {
    type: 'request.malformedBody',
    reason: 'grant_type is missing: it must be client_credentials',
  },
  'request.unsupportedMediaType': {
    type: 'request.unsupportedMediaType',
    header: 'Content-Type',
    accepted: ['application/x-www-form-urlencoded', 'application/json'],
  },
  'request.rateLimited': { type: 'request.rateLimited', limit: 'tokens', perMinute: 60, retryAfterS: 12 },
};

/** When a fault occurs and the way out, as the document says it. */
const meaningOf = (type: FaultType | HttpFaultType): string => {
  const { when, wayOut } = FAULT_GUIDE[type];
  return `${when} ${wayOut}`;
};

interface Example {
  readonly summary: string;
  readonly description: string;
  readonly value: unknown;
}

/** Examples of error bodies by fault type, as components of the document. */
export const faultExamples = (): Record<string, Example> =>
  Object.fromEntries(
    Object.values(EXAMPLES).map((fault) => [
      fault.type,
      { summary: fault.type, description: meaningOf(fault.type), value: errorBodyOf(fault) },
    ]),
  );

/** An example of the body that the token endpoint answers, with the code of RFC 6749. */
export const tokenFaultExample = (type: FaultType | HttpFaultType): Example => {
  const error = type === 'InvalidCredentialsException' ? 'invalid_client' : 'invalid_request';
  return {
    summary: type,
    description: meaningOf(type),
    value: errorBodyOf(TOKEN_EXAMPLES[type] ?? EXAMPLES[type], error),
  };
};
