/**
 * The types of the client's calls: parameters and answers of each call, bodies of requests, and types of faults.
 * All come from the declarations that the service uses. The published package contains them without imports of the
 * service's modules (`scripts/exports.ts`).
 */
import type { z } from 'zod';
import type { Preview as PreviewBody } from '../../lists/preview/preview-body.ts';
import type { rateRequest } from '../../rating/shipment.ts';
import type { comparisonRequest } from '../batches/scenarios.ts';
import type { CallsIn } from '../call.ts';
import type { ApiFaultType } from '../faults.ts';
import type { API_CALLS } from '../operations.ts';

/** The calls of the API by method and path, such as `GET /v1/client/limits`. */
export type ApiCalls = CallsIn<typeof API_CALLS>;
/** The types of the service's own faults. */
export type ServiceFaultType = ApiFaultType;
type Rates = z.input<typeof rateRequest>['rates'];
/** The body of a quote. Its schema counts the packages before it reads them, so their type here is the schema's output type. */
export type RateRequest = {
  readonly rates: {
    readonly [M in keyof Rates]: M extends 'packageItems' ? z.output<typeof rateRequest>['rates'][M] : Rates[M];
  };
};
/** The body of a comparison. */
export type ComparisonRequest = z.input<typeof comparisonRequest>;
export type Preview = PreviewBody;
