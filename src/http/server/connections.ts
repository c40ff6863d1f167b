/**
 * The connections of this process by owner: a client, or strangers, which have not shown a token yet. If there are too many,
 * the owner with the most loses its oldest ones. So neither silent connections nor one client can keep others out.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { getOrMake } from '../../base/maps.ts';

export const MOST_CONNECTIONS = 8_192;
const STRANGERS = '';

const byOwner = new Map<string, Set<Socket>>();
const ownerOf = new WeakMap<Socket, string>();
let open = 0;

const leave = (socket: Socket): boolean => {
  const owner = ownerOf.get(socket);
  const own = owner === undefined ? undefined : byOwner.get(owner);
  if (owner === undefined || own === undefined || !own.delete(socket)) return false;
  if (own.size === 0) byOwner.delete(owner);
  return true;
};

const enter = (socket: Socket, owner: string): void => {
  getOrMake(byOwner, owner, (): Set<Socket> => new Set()).add(socket);
  ownerOf.set(socket, owner);
};

const makeRoom = (connections: number): void => {
  let most: ReadonlySet<Socket> = new Set();
  for (const own of byOwner.values()) if (own.size > most.size) most = own;
  for (const socket of [...most].slice(0, connections)) {
    if (leave(socket)) open -= 1;
    socket.destroy();
  }
};

/** Records that a client uses a connection. */
export const usedBy = (socket: Socket, clientId: string): void => {
  if (ownerOf.get(socket) !== clientId && leave(socket)) enter(socket, clientId);
};

/** Limits the connections of a server. Above nine tenths of the limit it closes some, so that new ones are not refused. */
export const boundConnections = (server: Server, most: number): void => {
  const crowded = Math.floor(most * 0.9);
  server.maxConnections = most;
  server.on('connection', (socket) => {
    open += 1;
    enter(socket, STRANGERS);
    socket.once('close', () => {
      if (leave(socket)) open -= 1;
    });
    if (open >= crowded) makeRoom(Math.ceil(most / 128));
  });
};
