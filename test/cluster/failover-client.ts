/** A caller of a service with several addresses. It skips addresses that do not answer, or answer 503. */
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCHES, type BatchState } from '../bench/batch.ts';
import { httpCall } from '../bench/service.ts';

const ANSWER_MS = 5_000;
/** An output arrives in as many pieces as the batch had chunks. */
const FILE_MS = 180_000;
const PAUSE_MS = 100;
/** Longer than the longest silence of the service on an event stream. */
const SILENCE_MS = 20_000;
const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

export interface Caller {
  readonly batch: (id: string) => Promise<BatchState>;
  readonly file: (id: string, what: 'output' | 'faults') => Promise<string>;
  /** Uploads a list, only to the first address. */
  readonly upload: (list: string) => Promise<BatchState>;
  /** The events of a batch from one address, until it has ended. Broken or silent streams are reopened. */
  readonly watch: (
    url: string,
    id: string,
  ) => Promise<{ readonly told: readonly BatchState[]; readonly streams: number }>;
}

const tokenAt = async (url: string, client: { readonly id: string; readonly secret: string }): Promise<string> => {
  const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const { body } = await httpCall(`${url}/token/generate`, 'POST', String(new URLSearchParams(form)), headers);
  const { access_token: token }: { access_token: string } = JSON.parse(body);
  return token;
};

/** The data of the complete events in a text, and the rest. */
const eventsIn = (text: string): { readonly data: readonly string[]; readonly rest: string } => {
  const parts = text.split('\n\n');
  const rest = parts.pop() ?? '';
  return { data: parts.flatMap((part) => /^data: (.*)$/m.exec(part)?.[1] ?? []), rest };
};

/** @param signal ends all retries */
export const createCaller = async (
  urls: readonly [string, ...string[]],
  client: { readonly id: string; readonly secret: string },
  signal: AbortSignal,
): Promise<Caller> => {
  const headers = { Authorization: `Bearer ${await tokenAt(urls[0], client)}` };

  const ask = async (path: string, ms = ANSWER_MS): Promise<string> => {
    for (let turn = 0; ; turn += 1) {
      signal.throwIfAborted();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
      try {
        const answer = await fetch(`${urls[turn % urls.length]}${BATCHES}/${path}`, { headers, signal: limit });
        const text = await answer.text();
        if (answer.status === 200) return text;
        if (answer.status !== 503) throw new RangeError(`${path} was answered with ${answer.status}: ${text}`);
      } catch (error) {
        if (error instanceof RangeError) throw error;
        // There is no answer, or not in time: try the next address.
      }
      await sleep(PAUSE_MS);
    }
  };

  const listen = async (url: string, id: string, told: BatchState[]): Promise<void> => {
    const silent = new AbortController();
    const over = AbortSignal.any([signal, silent.signal]);
    let timer = setTimeout(() => silent.abort(), SILENCE_MS);
    try {
      const { body, status } = await fetch(`${url}${BATCHES}/${id}/events`, { headers, signal: over });
      let rest = '';
      const decoder = new TextDecoder();
      for await (const bytes of status === 200 && body !== null ? body : []) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS);
        const events = eventsIn(rest + decoder.decode(bytes, { stream: true }));
        rest = events.rest;
        told.push(...events.data.map((data): BatchState => JSON.parse(data)));
      }
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    batch: async (id) => JSON.parse(await ask(id)),
    file: (id, what) => ask(`${id}/${what}`, FILE_MS),
    upload: async (list) => {
      const sent = { ...headers, 'Content-Type': 'text/csv' };
      const { status, body } = await httpCall(`${urls[0]}${BATCHES}`, 'POST', createReadStream(list), sent);
      if (status !== 202) throw new Error(`the upload was answered with ${status}: ${body}`);
      return JSON.parse(body);
    },
    watch: async (url, id) => {
      const told: BatchState[] = [];
      let streams = 0;
      while (!FINAL.includes(told.at(-1)?.status ?? '')) {
        signal.throwIfAborted();
        streams += 1;
        await listen(url, id, told).catch(() => undefined);
        await sleep(PAUSE_MS);
      }
      return { told, streams };
    },
  };
};
