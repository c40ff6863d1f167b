/**
 * Shares the event loop among clients whose quotes wait for it. A client's quotes run at once until they have used a
 * time slice in this turn of the loop. Its other quotes wait in line, and later turns run one quote of each client in order.
 * So a client waits for about one quote of each other client, however many connections that client has.
 */

/** Enough for many ordinary quotes, or for part of a heavy one. */
const SLICE_MS = 2;
/** Limit on the waiting bodies of one client, in bytes. */
export const MOST_WAITING_BYTES = 16 * 1024 * 1024;

interface Line {
  bytes: number;
  readonly quotes: { readonly bytes: number; readonly run: () => void }[];
}

export type QuoteTurns = ReturnType<typeof createQuoteTurns>;

export const createQuoteTurns = (mostBytes = MOST_WAITING_BYTES) => {
  /** Time that each client has used in this turn of the event loop, in ms. */
  const taken = new Map<string, number>();
  /** The first client is next. */
  const waiting = new Map<string, Line>();
  let isTurnSet = false;

  const take = (client: string, work: () => void): void => {
    const begun = performance.now();
    try {
      work();
    } finally {
      taken.set(client, (taken.get(client) ?? 0) + performance.now() - begun);
      if (!isTurnSet) setImmediate(nextTurn);
      isTurnSet = true;
    }
  };

  const nextTurn = (): void => {
    isTurnSet = false;
    taken.clear();
    const ends = performance.now() + SLICE_MS;
    // A client with more quotes goes to the end of the line. It gets another turn if there is time.
    for (const [client, line] of waiting) {
      const next = line.quotes.shift();
      waiting.delete(client);
      if (line.quotes.length > 0) waiting.set(client, line);
      if (next === undefined) continue;
      line.bytes -= next.bytes;
      take(client, next.run);
      if (performance.now() >= ends) break;
    }
  };

  const wait = (client: string, bytes: number, work: () => void): Promise<void> | 'full' => {
    const line = waiting.get(client) ?? { bytes: 0, quotes: [] };
    if (line.bytes + bytes > mostBytes && line.quotes.length > 0) return 'full';
    line.bytes += bytes;
    waiting.set(client, line);
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      line.quotes.push({ bytes, run });
    });
  };

  return {
    /**
     * Runs the work at once, or when the client's turn comes.
     * @param bytes length of the waiting body
     * @returns undefined if the work has run, a promise if it waits, `full` if too much of the client waits
     */
    run: (client: string, bytes: number, work: () => void): Promise<void> | 'full' | undefined => {
      if (waiting.has(client) || (taken.get(client) ?? 0) >= SLICE_MS) return wait(client, bytes, work);
      take(client, work);
      return undefined;
    },
  };
};
