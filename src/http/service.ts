import type { Router } from 'express';
import type { Audit } from '../base/audit/audit.ts';
import type { Logger } from '../base/log.ts';
import type { Redis } from '../base/redis/connection.ts';
import type { Store } from '../base/store/store.ts';
import type { Batches } from '../batch/batches.ts';
import type { KeptMappings } from '../batch/kept/mappings.ts';
import type { Shares } from '../batch/shares.ts';
import type { Subscriptions } from '../batch/subscriptions.ts';
import type { Clients } from '../catalog/clients/clients.ts';
import type { Snapshots } from '../catalog/published/snapshots.ts';
import type { Finding } from '../catalog/tariff/document.ts';
import type { Schedule } from '../catalog/tariff/schedule.ts';
import type { Authorize } from './auth.ts';
import type { UploadLimits } from './batches/list-body.ts';
import type { FindDraft } from './batches/scenarios.ts';
import { callsOf } from './call.ts';
import type { BareRequest, BareResponse } from './reply.ts';
import type { Limits } from './server/limits.ts';
import type { QuoteTurns } from './server/quote-turns.ts';
import type { AddressOf, WrongTry } from './server/wrong-tries.ts';
import type { Tokens } from './tokens.ts';

/** Resolves if a dependency works. */
type Check = () => Promise<void>;

export interface Metrics {
  /** Counts a request that has ended. */
  readonly observe: (req: BareRequest, res: BareResponse, seconds: number) => void;
  readonly text: () => Promise<string>;
}

export interface Service {
  readonly log: Logger;
  readonly clients: {
    readonly current: () => Clients;
    /** Number of clients without prices, because one of their agreements cannot be used. */
    readonly withoutAgreement: () => number;
    /** Drafts of agreements, which clients may use in comparisons. */
    readonly draft: FindDraft;
  };
  readonly tariffs: { readonly current: () => Schedule; readonly findings: () => readonly Finding[] };
  /** How callers authenticate: with a token, or with a session of the console. */
  readonly authorize: Authorize;
  readonly tokens: Tokens;
  /** Tokens of the console's sessions. */
  readonly sessions: Tokens;
  /** The folder of the built console. */
  readonly consoleDir: string;
  /** The readiness checks, by name: Redis, store, tariff. */
  readonly checks: Readonly<Record<string, Check>>;
  /** In bytes. */
  readonly maxJsonBytes: number;
  readonly maxList: UploadLimits;
  /** Host names of the service in addition to loopback. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  readonly limits: Limits;
  readonly quoteTurns: QuoteTurns;
  readonly wrongTry: WrongTry;
  readonly store: Store;
  /** Bytes in the store that are reserved for running batches. */
  readonly reserveBytes: number;
  /** How long a presigned URL of the store is valid. Undefined: outputs pass through this process. */
  readonly presignSeconds: number | undefined;
  readonly redis: Redis;
  readonly batches: Batches;
  readonly snapshots: Snapshots;
  readonly subscriptions: Subscriptions;
  readonly mappings: KeptMappings;
  readonly shares: Shares;
  readonly audit: Audit;
  readonly addressOf: AddressOf;
  /** Metrics of this process. */
  readonly metrics: Metrics;
  /** Metrics of queues and workers. */
  readonly workMetrics: () => Promise<string>;
  /** The bearer token for the metrics. Undefined: everybody may read them. */
  readonly metricsToken: string | undefined;
  /** The routes below `/ops`. Undefined: there are none. */
  readonly operatorRouter: Router | undefined;
  readonly now: () => Date;
}

/** What the caller of `createApp` gives. */
export type Given = Omit<Service, 'authorize'>;

export const call = callsOf<Service>({});
