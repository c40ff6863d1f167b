/**
 * What the client calls, in types alone: each call's parameters and answer, the bodies of requests, and the types of faults.
 * All come from the declarations that the service answers by. The published package has them written out
 * (`scripts/exports.ts`), without the service's modules.
 */
import type { z } from 'zod';
import type { Preview as PreviewBody } from '../../lists/preview/preview-body.ts';
import type { rateRequest } from '../../rating/shipment.ts';
import type { comparisonRequest } from '../batches/scenarios.ts';
import type { CallsIn } from '../call.ts';
import type { ApiFaultType } from '../faults.ts';
import type { API_CALLS } from '../operations.ts';

/** The calls of the API by their method and path, such as `GET /v1/client/limits`. */
export type ApiCalls = CallsIn<typeof API_CALLS>;
/** The types of the service's own faults. */
export type ServiceFaultType = ApiFaultType;
type Rates = z.input<typeof rateRequest>['rates'];
/** The body of a quote. Its schema counts the packages before it looks at them, so their type is that of what it has read. */
export type RateRequest = {
  readonly rates: {
    readonly [M in keyof Rates]: M extends 'packageItems' ? z.output<typeof rateRequest>['rates'][M] : Rates[M];
  };
};
/** What a batch is compared with. */
export type ComparisonRequest = z.input<typeof comparisonRequest>;
export type Preview = PreviewBody;
