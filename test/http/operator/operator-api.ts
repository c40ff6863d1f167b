/** An API with an operator token, and an operator who calls it as the pages do. */
import { pino } from 'pino';
import { createAudit } from '../../../src/audit/audit.ts';
import type { Deps } from '../../../src/http/app.ts';
import { operatorRoutes } from '../../../src/http/operator/routes.ts';
import { operatorSessionBody } from '../../../src/http/operator/schemas.ts';
import { type Answer, startApi } from '../api.ts';
import type { BatchApi } from '../batch-api.ts';

export const OPERATOR_TOKEN = 'the-operators-own-token-0123456789';

export interface OperatorApiOptions {
  readonly now?: () => Date;
  readonly operatorToken?: string;
  /** Other parts of the application. */
  readonly app?: Partial<Deps>;
}

/** What the routes of the operator need. */
export const operatorApiOf = async (
  { queues, store }: Pick<BatchApi, 'queues' | 'store'>,
  { now = () => new Date(), operatorToken = OPERATOR_TOKEN, app = {} }: OperatorApiOptions = {},
) => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const audit = createAudit({ store, log, now });
  const api = await startApi({ now, ...app, operatorRouter: operatorRoutes({ queues, operatorToken, audit, now }) });

  /** @returns the headers of calls by an operator: the cookie and the CSRF token */
  const signIn = async (name = 'Ada'): Promise<Record<string, string>> => {
    const answer = await fetch(`${api.url}/ops/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: operatorToken, name }),
    });
    const { csrf } = operatorSessionBody.parse(await answer.json());
    return { Cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-CSRF-Token': csrf ?? '' };
  };
  const send = (method: string, path: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    api.call(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(json),
    });
  return { ...api, auditLines: lines, audit, signIn, send };
};
export type OperatorApi = Awaited<ReturnType<typeof operatorApiOf>>;
