/** An API with an operator token, and an operator who calls it like the pages. */
import { join } from 'node:path';
import { pino } from 'pino';
import { createAudit } from '../../../src/base/audit/audit.ts';
import { ROOT, readConfig, SAMPLE_AGREEMENTS, SAMPLE_CLIENTS } from '../../../src/base/config/settings.ts';
import type { Send } from '../../../src/base/webhook/send.ts';
import { agreementsOfService, changePublishedWith, clientsOfService } from '../../../src/catalog/published/changing.ts';
import { createSnapshots } from '../../../src/catalog/published/snapshots.ts';
import { openSources } from '../../../src/catalog/published/sources.ts';
import { tariffDesk } from '../../../src/cli/serve/api-operator.ts';
import type { AnswerOf } from '../../../src/http/call.ts';
import { operatorRoutes } from '../../../src/http/operator/routes.ts';
import type { OperatorService, TariffDesk } from '../../../src/http/operator/service.ts';
import type { sessionCalls } from '../../../src/http/operator/session.ts';
import { createAddressOf } from '../../../src/http/server/wrong-tries.ts';
import { type Answer, fixedTariffs, type Overrides, referenceSchedule, startApi } from '../api.ts';
import type { BatchApi } from '../batch-api.ts';

export const OPERATOR_TOKEN = 'the-operators-own-token-0123456789';

export interface OperatorApiOptions {
  readonly now?: () => Date;
  readonly operatorToken?: string;
  /** What changes tariffs. Default: the sample tariffs, which cannot be changed. */
  readonly tariffDesk?: TariffDesk;
  /** The tariffs that it changes. `app` may replace them. */
  readonly tariffs?: OperatorService['tariffs'];
  /** Other parts of the application. */
  readonly app?: Overrides;
  /** Where clients and agreements are. Default: the samples, which cannot be changed. */
  readonly config?: {
    /** Undefined: published. */
    readonly clientsFile?: string | undefined;
    readonly agreementsDir?: string | undefined;
    readonly storeUrl?: string;
    readonly dataDir?: string;
  };
  /** How messages to webhooks are sent. */
  readonly send?: Send;
}

const SAMPLES = { clientsFile: SAMPLE_CLIENTS, agreementsDir: SAMPLE_AGREEMENTS, storeUrl: 's3://none', dataDir: '' };

const sendNothing: Send = () => Promise.reject(new Error('this test sends no messages'));

/** Starts an API with the operator's routes. */
export const operatorApiOf = async (
  { queues, store, redis }: Pick<BatchApi, 'queues' | 'store' | 'redis'>,
  options: OperatorApiOptions = {},
) => {
  const { now = () => new Date(), operatorToken = OPERATOR_TOKEN, app = {}, send: sendMessage = sendNothing } = options;
  const { clientsFile, agreementsDir, ...folders } = { ...SAMPLES, ...options.config };
  const config = {
    ...folders,
    ...(clientsFile !== undefined && { clientsFile }),
    ...(agreementsDir !== undefined && { agreementsDir }),
  };
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const audit = createAudit({ store, log, now });
  const deps = { store, redis, log };
  const sources = await openSources(
    { ...config, tariffsDir: join(ROOT, 'samples', 'tariffs') },
    { ...deps, snapshots: createSnapshots(store), allowSampleSecrets: true },
  );
  const { clients } = sources;
  const { current, findings } = app.tariffs ?? options.tariffs ?? fixedTariffs(await referenceSchedule());
  const tariffs = { current, findings, refresh: options.tariffs?.refresh ?? (async () => undefined) };
  const change = changePublishedWith(config, deps);
  const { checks = {}, reserveBytes = 2 ** 30 } = app;
  const desk = tariffDesk(readConfig({}), { store, redis, clients, tariffs, log, now, env: {} });
  const operatorRouter = operatorRoutes({
    ...{ store, reserveBytes, redis, queues, clients, checks, operatorToken, audit, now },
    addressOf: createAddressOf(app.trustedProxies),
    clientPlace: clientsOfService(config, change, (use) => use(deps), clients.refresh),
    agreementPlace: agreementsOfService(config, change, (use) => use(deps), clients.refreshAgreements),
    tariffs,
    tariffDesk: options.tariffDesk ?? desk,
    publishesAgreements: agreementsDir === undefined,
    takeUp: tariffs.refresh,
    send: sendMessage,
  });
  const api = await startApi({ now, clients, tariffs, ...app, operatorRouter });

  /** @returns the headers of calls by an operator: the cookie and the CSRF token */
  const signIn = async (name = 'Ada'): Promise<Record<string, string>> => {
    const answer = await fetch(`${api.url}/ops/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: operatorToken, name }),
    });
    const { csrf }: AnswerOf<typeof sessionCalls.signInOperator> = JSON.parse(await answer.text());
    return { Cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-CSRF-Token': csrf ?? '' };
  };
  const send = (method: string, path: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    api.call(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(json),
    });
  const close = async (): Promise<void> => {
    await api.close();
    sources.close();
  };
  return { ...api, auditLines: lines, audit, signIn, send, close };
};
export type OperatorApi = Awaited<ReturnType<typeof operatorApiOf>>;
