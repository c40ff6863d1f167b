/**
 * Turns of clients at something of which few run at once. A client runs one at a time and may have a few under way; among
 * those who wait, the client that was served longest ago is next.
 */

export interface PlaceLimits {
  /** Running, of all clients together. */
  readonly atOnce: number;
  /** Under way, of one client: running, waiting or on its way here. */
  readonly perClient: number;
  /** The same of all clients together. */
  readonly inAll: number;
}

export interface Place {
  /** Resolves when it may run. */
  readonly turn: () => Promise<void>;
  /** Gives the place back; once. */
  readonly leave: () => void;
}

export interface Places {
  /** @returns undefined if the client, or all together, have as many under way as they may */
  readonly enter: (client: string) => Place | undefined;
}

interface Served {
  underWay: number;
  isRunning: boolean;
  /** When it was served last, by a count. */
  last: number;
  readonly waiting: (() => void)[];
}

export const createPlaces = ({ atOnce, perClient, inAll }: PlaceLimits): Places => {
  const clients = new Map<string, Served>();
  let running = 0;
  let underWay = 0;
  let count = 0;

  const next = (): Served | undefined => {
    const waiting = [...clients.values()].filter((client) => !client.isRunning && client.waiting.length > 0);
    return waiting.sort((a, b) => a.last - b.last)[0];
  };
  const admit = (): void => {
    for (let client = next(); client !== undefined && running < atOnce; client = next()) {
      running += 1;
      count += 1;
      client.isRunning = true;
      client.last = count;
      client.waiting.shift()?.();
    }
  };

  return {
    enter: (name) => {
      const client = clients.get(name) ?? { underWay: 0, isRunning: false, last: 0, waiting: [] };
      if (client.underWay >= perClient || underWay >= inAll) return undefined;
      underWay += 1;
      client.underWay += 1;
      clients.set(name, client);
      let isMine = false;
      return {
        turn: () =>
          new Promise((resolve) => {
            client.waiting.push(() => {
              isMine = true;
              resolve();
            });
            admit();
          }),
        leave: () => {
          underWay -= 1;
          client.underWay -= 1;
          if (isMine) {
            running -= 1;
            client.isRunning = false;
          }
          if (client.underWay === 0) clients.delete(name);
          admit();
        },
      };
    },
  };
};
