/** Limits on concurrent requests, for all clients together and for each client, so that no client waits for all of another's. */
import type { RequestHandler } from 'express';
import { turn } from '../../base/time-slices.ts';
import { callerOf } from '../auth.ts';
import { sendFault } from '../reply.ts';

export interface ConcurrencyOptions {
  /** Limit on concurrent requests in this process. */
  readonly slots: number;
  /** Limit on concurrent requests of one client. */
  readonly slotsOfClient: number;
  /** How long a request waits for its turn, and the name of the limit in its refusal. Undefined: it waits forever. */
  readonly patience?: { readonly ms: number; readonly limit: string };
}

const RETRY_S = 10;

interface Waiting {
  readonly key: string;
  readonly begin: () => void;
}

export const createCounts = () => {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    add: (key: string, by: 1 | -1): void => {
      const now = of(key) + by;
      if (now === 0) counts.delete(key);
      else counts.set(key, now);
    },
  };
};

/** Gives slots in order, and skips clients that have their share. */
const createSlots = ({ slots, slotsOfClient }: Pick<ConcurrencyOptions, 'slots' | 'slotsOfClient'>) => {
  const busy = createCounts();
  const waiting: Waiting[] = [];
  let free = slots;
  const advance = (): void => {
    while (free > 0) {
      const at = waiting.findIndex(({ key }) => busy.of(key) < slotsOfClient);
      const [next] = at === -1 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      free -= 1;
      busy.add(next.key, 1);
      next.begin();
    }
  };
  /** @returns `begun`, which tells whether its turn has come, and `now`, which leaves */
  return (key: string, begin: () => void) => {
    let begun = false;
    const own: Waiting = {
      key,
      begin: () => {
        begun = true;
        begin();
      },
    };
    waiting.push(own);
    advance();
    return {
      begun: (): boolean => begun,
      now: (): void => {
        if (begun) {
          free += 1;
          busy.add(key, -1);
          advance();
        } else waiting.splice(waiting.indexOf(own), 1);
      },
    };
  };
};

/** @returns a handler that lets requests pass in turn, or answers 429. Use it in routes behind `requireCaller` */
export const createConcurrencyLimit = ({ slots, slotsOfClient, patience }: ConcurrencyOptions): RequestHandler => {
  const enter = createSlots({ slots, slotsOfClient });
  return (_req, res, pass) => {
    // The caller has left.
    if (res.destroyed) return;
    let late: NodeJS.Timeout | undefined;
    const begin = (): void => {
      clearTimeout(late);
      pass();
    };
    const leave = enter(callerOf(res).id, begin);
    if (patience !== undefined && !leave.begun())
      late = setTimeout(async () => {
        const { limit } = patience;
        // Requests that arrived together are refused in one turn each, so that quotes run in between.
        await turn();
        if (leave.begun()) return;
        sendFault(res, { type: 'request.rateLimited', limit, atOnce: slotsOfClient, retryAfterS: RETRY_S });
      }, patience.ms);
    res.once('close', () => {
      clearTimeout(late);
      leave.now();
    });
  };
};
