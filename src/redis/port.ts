import { randomInt } from 'node:crypto';

/**
 * A port below the ranges from which systems take outgoing ports. Within those, a client that keeps trying while its server
 * is down can get the port that it calls as its own, connect to itself, and keep the server from coming back. The port may
 * be taken: only the server's own bind can tell.
 */
export const somePort = (): number => randomInt(20_000, 32_000);

/** How many ports to try before giving up. */
export const PORT_ATTEMPTS = 20;
