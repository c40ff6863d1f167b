import { randomInt } from 'node:crypto';

/**
 * Returns a random port below the range of outgoing ports. Within that range, a client that keeps trying while its
 * server is down may get the server's port as its own, connect to itself and block the server's restart. The port may
 * be in use. Only binding to it can tell.
 */
export const somePort = (): number => randomInt(20_000, 32_000);

/** Number of ports to try before giving up. */
export const PORT_ATTEMPTS = 20;
