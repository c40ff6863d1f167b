/** Answers and queries of the operator's calls. The pages take their types from here; tests check answers against them. */
import { z } from 'zod';
import { auditEntry, isAuditId } from '../../audit/audit.ts';
import { surveySchema } from '../../batch/survey.ts';
import { errorEntry } from '../../error-log.ts';
import { AGREEMENT_ANSWERS, AGREEMENT_QUERIES } from './agreements/schemas.ts';
import { CLIENT_ANSWERS } from './clients/schemas.ts';
import { TARIFF_ANSWERS, TARIFF_QUERIES } from './tariffs/schemas.ts';

/** `GET` and `POST /ops/session`. */
export const operatorSessionBody = z.object({
  /** Who is signed in, and until when; null if nobody is. */
  operator: z.object({ name: z.string(), endsAt: z.iso.datetime() }).nullable(),
  /** The value of `X-CSRF-Token` for every call that changes something. */
  csrf: z.string().nullable(),
});
export type OperatorSessionBody = z.output<typeof operatorSessionBody>;

const AUDIT_ENTRIES = 50;

/** `GET /ops/audit` */
export const auditQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(AUDIT_ENTRIES),
  before: z.string().refine(isAuditId, 'must be the `next` of a page before').optional(),
});
export const auditBody = z.object({
  /** Newest first. */
  entries: z.array(auditEntry),
  /** The `before` of the next page; null if there is none. */
  next: z.string().nullable(),
  /** Ids of entries of this page that cannot be read. */
  unreadable: z.array(z.string()),
});

const jobs = z.int();
/** Null if there is no client of this id any more. */
const clientName = z.string().nullable();

/** `GET /ops/health` */
export const operatorHealthBody = z.object({
  at: z.iso.datetime(),
  /** The parts that readiness depends on. */
  readiness: z.array(z.object({ part: z.string(), problem: z.string().nullable() })),
  /** Null if Redis does not answer. */
  work: z
    .object({
      queues: z.array(z.object({ queue: z.string(), waiting: jobs, active: jobs, delayed: jobs, failed: jobs })),
      /** Worker processes with a recent sign of life. `names` has the first hundred. */
      workers: z.object({ count: z.int(), names: z.array(z.string()) }),
      /** What the last sweep over all batches saw; null before the first one. */
      survey: surveySchema
        .extend({
          secondsAgo: z.int(),
          unfinished: z.array(surveySchema.shape.unfinished.element.extend({ name: clientName })),
          use: z.array(
            surveySchema.shape.use.element.extend({ name: clientName, mostStored: z.int(), mostInFlight: z.int() }),
          ),
        })
        .nullable(),
      /** Lines of the logs of API and worker processes. `full`: earlier ones of this day may be gone. */
      errors: z.object({ entries: z.array(errorEntry).readonly(), full: z.boolean() }),
    })
    .nullable(),
  /** Fuel rates in force that have ended or end within a week; null if it is not known which tariffs are in force. */
  fuel: z
    .array(
      z.object({
        tariff: z.string(),
        carrier: z.string(),
        services: z.array(z.string()).readonly(),
        allServices: z.boolean(),
        lastDay: z.string(),
        hasEnded: z.boolean(),
        carries: z.boolean(),
        nextDay: z.string().optional(),
      }),
    )
    .nullable(),
});
export type OperatorHealthBody = z.output<typeof operatorHealthBody>;

export const OPERATOR_ANSWERS = {
  getOperatorSession: operatorSessionBody,
  signInOperator: operatorSessionBody,
  listAudit: auditBody,
  getOperatorHealth: operatorHealthBody,
  ...CLIENT_ANSWERS,
  ...AGREEMENT_ANSWERS,
  ...TARIFF_ANSWERS,
} as const;

export const OPERATOR_QUERIES = { listAudit: auditQuery, ...AGREEMENT_QUERIES, ...TARIFF_QUERIES } as const;
