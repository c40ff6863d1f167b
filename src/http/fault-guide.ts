/**
 * What each fault means to whoever integrates: when it occurs, what its arguments say, and the way out. The pages of the
 * API and the OpenAPI document show it; docs/api.md repeats it, and a test holds it to this table.
 */
import type { FaultType } from '../rating/fault.ts';
import type { HttpFaultType } from './faults.ts';

export interface FaultGuide {
  /** When it occurs: a sentence. */
  readonly when: string;
  /** What to do: one sentence or two. */
  readonly wayOut: string;
  /** What each argument says, by its name. Names in angle brackets stand for several. */
  readonly arguments: Readonly<Record<string, string>>;
}

export const FAULT_GUIDE: Readonly<Record<FaultType | HttpFaultType, FaultGuide>> = {
  'request.malformedBody': {
    when: 'The body cannot be read.',
    wayOut: 'Send JSON, or a whole upload.',
    arguments: { body: 'what is wrong with it' },
  },
  'request.invalidHost': {
    when: 'The header `Host` is missing, is there twice, or does not name the service.',
    wayOut: 'Send one header `Host` with a name of the service (`ALLOWED_HOSTS`).',
    arguments: { Host: 'what is wrong with it' },
  },
  InvalidAuthorizationException: {
    when: 'The token is missing, malformed, expired or revoked.',
    wayOut: 'Take a new token.',
    arguments: { Authorization: 'what is wrong with the token' },
  },
  InvalidCredentialsException: {
    when: 'No client has this id with this secret.',
    wayOut: 'Check both. Ask the operator for a new secret if yours is lost.',
    arguments: { client_id: 'that the id is unknown, or not with this secret' },
  },
  'request.forbidden': {
    when: 'The token lacks a scope.',
    wayOut: 'Take a token with the scope that `arguments` names.',
    arguments: { scope: 'the scope that is missing' },
  },
  'request.notFound': {
    when: 'Nothing is at this path, or the batch or the agreement is not yours.',
    wayOut: 'Compare the path with this reference: paths are case-sensitive and have no trailing slash.',
    arguments: { path: 'the path of the request' },
  },
  'request.methodNotAllowed': {
    when: 'The path exists, but not with this method.',
    wayOut: 'Use a method that the header `Allow` lists.',
    arguments: { path: 'the path of the request' },
  },
  'batches.notReady': {
    when: 'The output is not there yet.',
    wayOut: 'Wait until the batch has ended.',
    arguments: { status: 'the status of the batch' },
  },
  'batches.notFinal': {
    when: 'The batch is still running, or did not fail.',
    wayOut: 'Wait until it has ended, or cancel it. Only a failed batch can be retried.',
    arguments: { status: 'the status of the batch' },
  },
  'batches.final': {
    when: 'The batch has ended already.',
    wayOut: 'There is nothing to cancel. Download what it has, or delete it.',
    arguments: { status: 'the status of the batch' },
  },
  'idempotency.inProgress': {
    when: 'The first request with this `Idempotency-Key` is still running.',
    wayOut: 'Wait, then send the request again with the same key.',
    arguments: { 'Idempotency-Key': 'the key' },
  },
  'operator.refused': {
    when: 'A change by an operator is not made. Only the calls of the operator’s console have this fault.',
    wayOut: 'Do what the message says.',
    arguments: { reason: 'why, and the way out' },
  },
  'batches.expired': {
    when: 'The files of the batch are gone.',
    wayOut: 'Upload the list again.',
    arguments: { expiresAt: 'until when they were kept' },
  },
  'request.tooLarge': {
    when: 'A body, a row or the number of rows is over a limit.',
    wayOut: 'Send less at once: divide the list.',
    arguments: { '<limit>': 'the highest value, under the name of the limit' },
  },
  'request.unsupportedMediaType': {
    when: 'The body has a type or a compression that the call does not take.',
    wayOut: 'Use one of the values that `arguments` lists.',
    arguments: { '<header>': 'the accepted values, under `Content-Type` or `Content-Encoding`' },
  },
  'getRates.invalidRequest': {
    when: 'A field is missing, unknown or has a wrong value.',
    wayOut: 'Correct each field that `arguments` names.',
    arguments: { '<field>': 'what is wrong there, under the JSON path of each wrong field' },
  },
  'getRates.unknownShippingService': {
    when: 'The service is not in force.',
    wayOut: 'Use a code from `GET /v1/client/services`.',
    arguments: { shippingService: 'the service that was named' },
  },
  'getRates.unknownWarehouse': {
    when: 'The warehouse is not registered to you, or is not in the US.',
    wayOut: 'Use one from `GET /v1/client/warehouses`.',
    arguments: { warehouse_id: 'the warehouse that was named' },
  },
  'getRates.noTariff': {
    when: 'No tariff is in force on that day.',
    wayOut: 'Correct `rates.shipDate`, or leave it out for today.',
    arguments: { shipDate: 'the day' },
  },
  'getRates.addressLineRequired': {
    when: 'The carrier of this service needs the street.',
    wayOut: 'Send `rates.recipient.address.addressLine`.',
    arguments: { addressLine: 'which service needs it' },
  },
  'getRates.noDeliveryCoverage': {
    when: 'The service does not go from there to there, or not to homes, or the country is not the US.',
    wayOut: 'Check the ZIP code and the country. Otherwise try another service.',
    arguments: { postalCode: 'the postal code of the destination' },
  },
  'getRates.weightNotServed': {
    when: 'A package counts as heavier than the service takes.',
    wayOut: 'Check its weight and dimensions, send more packages that are lighter, or try another service.',
    arguments: { weight: 'what the package counts as' },
  },
  'getRates.sizeNotServed': {
    when: 'A package is longer, or has more length plus girth, than the service takes. Girth is 2 × width + 2 × height.',
    wayOut: 'Check its dimensions, or try another service.',
    arguments: { '<measure>': 'what the package has, under `length` or `lengthPlusGirth`' },
  },
  'row.malformed': {
    when: 'A row of a list cannot be read. Single calls never have this fault.',
    wayOut: 'Correct the row as `message` says.',
    arguments: { row: 'the number of the row' },
  },
  'createBatch.invalidFile': {
    when: 'The list as a whole cannot be used.',
    wayOut: 'Correct each problem that `arguments` names.',
    arguments: { '<problem>': 'what is wrong, under the column or the part of the file' },
  },
  'idempotency.keyReused': {
    when: 'This `Idempotency-Key` was used before, for other content.',
    wayOut: 'Use a new key for new content.',
    arguments: { 'Idempotency-Key': 'the key' },
  },
  'request.rateLimited': {
    when: 'A limit of the client is reached: calls a minute, work at once, or stored bytes.',
    wayOut: 'Come back after the seconds of the header `Retry-After`.',
    arguments: { limit: 'the name of the limit, such as `quotes`' },
  },
  'service.internalError': {
    when: 'There is a bug in the service.',
    wayOut: 'Tell the operator the `requestId`.',
    arguments: { requestId: 'the id of the request, as in the header `X-Request-Id`' },
  },
  'service.unavailable': {
    when: 'Redis or the store is away or nearly full (single quotes still work), bodies come too slowly, or an agreement of yours cannot be used (`agreements`).',
    wayOut:
      'Come back after the seconds of the header `Retry-After`. Prices under an agreement come back when the operator has corrected it.',
    arguments: { dependency: 'what is away' },
  },
};
