/**
 * Shares a few concurrent slots fairly among clients. A client runs one job at a time and may have a few open. Of the
 * waiting clients, the one that was served longest ago is next.
 */

export interface SlotLimits {
  /** Running jobs of all clients together. */
  readonly running: number;
  /** Open jobs of one client: running, waiting, or still uploading. */
  readonly openPerClient: number;
  /** Open jobs of all clients together. */
  readonly open: number;
}

export interface Slot {
  /** Resolves when the job may run. */
  readonly turn: () => Promise<void>;
  /** Gives the slot back. Call it exactly once. */
  readonly release: () => void;
}

export interface FairSlots {
  /** @returns undefined if the client, or all clients together, have reached the limit of open jobs */
  readonly enter: (client: string) => Slot | undefined;
}

interface ClientState {
  open: number;
  isRunning: boolean;
  /** The sequence number of its last run. */
  last: number;
  readonly waiting: (() => void)[];
}

export const createFairSlots = (limits: SlotLimits): FairSlots => {
  const clients = new Map<string, ClientState>();
  let running = 0;
  let open = 0;
  let count = 0;

  const next = (): ClientState | undefined => {
    const waiting = [...clients.values()].filter((client) => !client.isRunning && client.waiting.length > 0);
    return waiting.sort((a, b) => a.last - b.last)[0];
  };
  const admit = (): void => {
    for (let client = next(); client !== undefined && running < limits.running; client = next()) {
      running += 1;
      count += 1;
      client.isRunning = true;
      client.last = count;
      client.waiting.shift()?.();
    }
  };

  return {
    enter: (name) => {
      const client = clients.get(name) ?? { open: 0, isRunning: false, last: 0, waiting: [] };
      if (client.open >= limits.openPerClient || open >= limits.open) return undefined;
      open += 1;
      client.open += 1;
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
        release: () => {
          open -= 1;
          client.open -= 1;
          if (isMine) {
            running -= 1;
            client.isRunning = false;
          }
          if (client.open === 0) clients.delete(name);
          admit();
        },
      };
    },
  };
};
