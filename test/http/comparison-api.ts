/** Comparisons in tests: requests them, waits for their end, and reads their results. */
import type { ComparisonView } from '../../src/batch/view.ts';
import { untilReached } from '../soon.ts';
import { type Answer, RATES } from './api.ts';
import type { BatchApi, File } from './batch-api.ts';

export const COMPARISONS = `${RATES}/comparisons`;

export const comparisonsOf = (api: BatchApi) => {
  const call = (method: string, below: string, token?: string): Promise<Answer> =>
    api.api.call(`${COMPARISONS}${below}`, { method, headers: api.bearer(token) });
  const ask = (batchId: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    api.api.call(`${RATES}/batches/${batchId}/comparisons`, {
      method: 'POST',
      headers: { ...api.bearer(), 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  /** Asks for a comparison that must be accepted. @returns its id */
  const compare = async (batchId: string, scenarios: readonly object[]): Promise<string> => {
    const { status, body } = await ask(batchId, { scenarios });
    if (status !== 202) throw new Error(`the comparison was refused: ${JSON.stringify(body)}`);
    return body.id;
  };
  const file = async (below: string): Promise<File> => {
    const answer = await fetch(`${api.api.url}${COMPARISONS}${below}`, { headers: api.bearer() });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const ended = (id: string): Promise<ComparisonView> =>
    untilReached<ComparisonView>(
      async () => (await call('GET', `/${id}`)).body,
      ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
      ({ status, rows }) => [status, rows],
      () => '',
    );
  const summary = async (id: string) => (await call('GET', `/${id}/summary`)).body;
  /** Uploads a list for a comparison. */
  const upload = (list: string, scenarios: unknown, query = '', headers: Record<string, string> = {}) =>
    api.api.call(`${COMPARISONS}?scenarios=${encodeURIComponent(JSON.stringify(scenarios))}${query}`, {
      method: 'POST',
      headers: { ...api.bearer(), 'Content-Type': 'text/csv', ...headers },
      body: list,
    });
  return { call, ask, compare, upload, file, ended, summary };
};

export type ComparisonApi = ReturnType<typeof comparisonsOf>;
