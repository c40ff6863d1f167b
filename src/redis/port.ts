import { randomInt } from 'node:crypto';

/**
 * A port below the ranges that systems take outgoing ports from. Among those, a client that tries again and again while
 * the server is down can be given the very port it calls, reach itself, and keep the server from coming back. Whether
 * it is free only the server's own bind can tell.
 */
export const somePort = (): number => randomInt(20_000, 32_000);

/** How many ports to try before giving up. */
export const PORT_ATTEMPTS = 20;
