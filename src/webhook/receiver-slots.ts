/**
 * How many messages one process sends at once: a few for each client and for each receiver, and for all slow receivers
 * together a part of what it can. So a receiver that does not answer holds up its own messages alone. A message that finds
 * no place is asked for again later: those for one receiver after each other, as quickly as it answered last, so that a
 * message costs little however many wait.
 */

/** Messages that a process sends at once: they wait for their receivers, and cost next to nothing. */
export const PLACES = 64;
const PER_CLIENT = 2;
const PER_RECEIVER = 4;
const FOR_SLOW = 16;

const SLOW_MS = 2_000;
/** What a receiver is expected to take that was not called yet. */
const USUAL_MS = 100;
const SHORTEST_WAIT_MS = 50;
/** A receiver may be well again: nobody waits for longer than this before it is tried. */
const LONGEST_WAIT_MS = 300_000;

interface Receiver {
  active: number;
  lastMs: number;
  /** When the last of those that were sent away comes back. */
  dueAt: number;
}

/** Gives the place back. @param ms how long the receiver took, where it was called */
export type GiveBack = (ms?: number) => void;

export interface Places {
  /** @returns how to give the place back; where there is none, in how many ms to ask again */
  readonly take: (clientId: string, url: string) => GiveBack | number;
}

export const createPlaces = (clock: () => number = () => performance.now()): Places => {
  const receivers = new Map<string, Receiver>();
  const clients = new Map<string, number>();
  let slowActive = 0;

  const waitFor = (receiver: Receiver): number => {
    const now = clock();
    const earliest = Math.max(receiver.dueAt, now + SHORTEST_WAIT_MS);
    // Spread, for there are many.
    if (earliest - now > LONGEST_WAIT_MS) return Math.round(LONGEST_WAIT_MS * (0.5 + Math.random() / 2));
    receiver.dueAt = earliest + receiver.lastMs / PER_CLIENT;
    return Math.round(earliest - now);
  };

  return {
    take: (clientId, url) => {
      const { origin } = new URL(url);
      const receiver = receivers.get(origin) ?? { active: 0, lastMs: USUAL_MS, dueAt: 0 };
      receivers.set(origin, receiver);
      const ofClient = clients.get(clientId) ?? 0;
      const isSlow = receiver.lastMs >= SLOW_MS;
      if (ofClient >= PER_CLIENT || receiver.active >= PER_RECEIVER || (isSlow && slowActive >= FOR_SLOW))
        return waitFor(receiver);
      clients.set(clientId, ofClient + 1);
      receiver.active += 1;
      if (isSlow) slowActive += 1;
      return (ms = receiver.lastMs) => {
        receiver.lastMs = ms;
        receiver.active -= 1;
        if (isSlow) slowActive -= 1;
        const left = (clients.get(clientId) ?? 1) - 1;
        if (left === 0) clients.delete(clientId);
        else clients.set(clientId, left);
        const isIdle = receiver.active === 0 && receiver.dueAt <= clock();
        if (isIdle && receiver.lastMs < SLOW_MS) receivers.delete(origin);
      };
    },
  };
};
