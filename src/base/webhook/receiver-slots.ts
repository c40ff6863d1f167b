/**
 * Limits how many messages one process sends at a time: a few for each client and for each receiver, and a share of all
 * slots for all slow receivers together. So a receiver that does not answer delays only its own messages. A message
 * without a free slot comes back later. Messages for one receiver come back one after the other, at the pace of its
 * last response, so a waiting message costs little.
 */
import { must } from '../must.ts';

/** Messages that a process sends at a time. They mostly wait for their receivers, and cost little. */
export const MOST_SENDING = 64;
const PER_CLIENT = 2;
const PER_RECEIVER = 4;
const FOR_SLOW = 16;

const SLOW_MS = 2_000;
/** The expected response time of a receiver that was not called yet. */
const USUAL_MS = 100;
const SHORTEST_WAIT_MS = 50;
/** The longest wait before the next attempt, because the receiver may have recovered. */
const LONGEST_WAIT_MS = 300_000;

interface Receiver {
  active: number;
  lastMs: number;
  /** When the last delayed message is due. */
  dueAt: number;
}

/** Frees the slot. @param ms how long the receiver took, if it was called */
export type ReleaseSlot = (ms?: number) => void;

export interface ReceiverSlots {
  /** @returns a function that frees the slot; without a free slot, the ms until the next try */
  readonly take: (clientId: string, url: string) => ReleaseSlot | number;
}

export const createReceiverSlots = (clock: () => number = () => performance.now()): ReceiverSlots => {
  const receivers = new Map<string, Receiver>();
  const clients = new Map<string, number>();
  let slowActive = 0;

  const waitFor = (receiver: Receiver): number => {
    const now = clock();
    const earliest = Math.max(receiver.dueAt, now + SHORTEST_WAIT_MS);
    // Spread out, because many messages wait.
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
        const left = must(clients.get(clientId), 'the calls of a client') - 1;
        if (left === 0) clients.delete(clientId);
        else clients.set(clientId, left);
        const isIdle = receiver.active === 0 && receiver.dueAt <= clock();
        if (isIdle && receiver.lastMs < SLOW_MS) receivers.delete(origin);
      };
    },
  };
};
