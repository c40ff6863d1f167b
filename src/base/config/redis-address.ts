/**
 * Addresses of Redis, as `REDIS_URL` gives them:
 *
 *   redis://[USER[:PASSWORD]@]HOST[:6379][/DATABASE]                    one server
 *   redis+sentinel://[USER[:PASSWORD]@]HOST[:26379],…/MASTER[/DATABASE]  Sentinels, and the name of the master
 *   redis+cluster://[USER[:PASSWORD]@]HOST[:6379],…                     a Cluster: some nodes, or a name for all of them
 *   /PATH[?db=DATABASE]                                                 one server on this machine, by its socket
 *
 * `rediss` instead of `redis` means TLS, with the options `ca`, `cert` and `key` (PEM files). The user for the Sentinels
 * themselves is in the options `sentinel_username` and `sentinel_password`. Special characters in user names and passwords
 * are percent-encoded (`%40` for `@`).
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Node {
  readonly host: string;
  readonly port: number;
}

/** Absolute paths of PEM files. Without `ca`, the system's certificate authorities apply. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface User {
  readonly username?: string;
  readonly password?: string;
}

interface Common {
  readonly nodes: readonly [Node, ...Node[]];
  readonly user: User;
  /** Undefined without TLS. */
  readonly tls?: TlsFiles;
}

export type RedisAddress =
  | { readonly kind: 'socket'; readonly path: string; readonly user: User; readonly database: number }
  | (Common & { readonly kind: 'single'; readonly database: number })
  | (Common & { readonly kind: 'cluster' })
  | (Common & {
      readonly kind: 'sentinel';
      readonly database: number;
      readonly master: string;
      readonly sentinelUser: User;
    });

/** Why a text is not an address. It does not repeat the text, which may contain a password. */
export interface AddressProblem {
  readonly problem: string;
}

const FORMS =
  'must be redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/MASTER or redis+cluster://HOST:PORT,HOST:PORT (rediss: with TLS), or the path of a socket';

const URL_PARTS =
  /^redis(?<secure>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<user>[^/?#]*)@)?(?<nodes>[^/?#@]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const SOCKET = /^(?<path>\/[^?#]+)(?:\?db=(?<database>\d{1,4}))?$/;
const NODE = /^(?:\[(?<six>[\da-fA-F:.]+)\]|(?<name>[^\s:[\]]+))(?::(?<port>\d{1,5}))?$/;
const DATABASE = /^\d{1,4}$/;
const TLS_OPTIONS = ['ca', 'cert', 'key'] as const;

class Refused extends Error {}

const refuse = (problem: string): never => {
  throw new Refused(problem);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('has a % that is not part of an escape: write it as %25');
  }
};

const readUser = (text: string | undefined): User => {
  if (text === undefined || text === '') return {};
  const at = text.indexOf(':');
  const username = decoded(at < 0 ? text : text.slice(0, at));
  return {
    ...(username !== '' && { username }),
    ...(at >= 0 && { password: decoded(text.slice(at + 1)) }),
  };
};

const readNode = (text: string, usualPort: number): Node => {
  const { six, name, port = String(usualPort) } = NODE.exec(text)?.groups ?? {};
  const host = six ?? name;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return refuse(FORMS);
  return { host, port: Number(port) };
};

const readTls = (query: URLSearchParams): TlsFiles => {
  const files = TLS_OPTIONS.flatMap((name) => {
    const given = query.get(name);
    if (given === null) return [];
    const path = resolve(given);
    return [[name, existsSync(path) ? path : refuse(`names ${path} as ${name}, which does not exist`)] as const];
  });
  const tls: TlsFiles = Object.fromEntries(files);
  if ((tls.cert === undefined) !== (tls.key === undefined)) refuse('needs both of cert and key, or neither');
  return tls;
};

const readOptions = (query: URLSearchParams, known: readonly string[]): void => {
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  if (unknown.length > 0) refuse(`has unknown options: ${unknown.join(', ')}`);
};

const databaseOf = (text: string | undefined): number => {
  if (text === undefined || text === '') return 0;
  return DATABASE.test(text) ? Number(text) : refuse('must have the number of a database after the last /');
};

const read = (text: string): RedisAddress => {
  const { path: socket, database } = SOCKET.exec(text)?.groups ?? {};
  if (socket !== undefined) return { kind: 'socket', path: decoded(socket), user: {}, database: databaseOf(database) };
  const { secure, kind = 'single', user, nodes = '', path = '', query: options } = URL_PARTS.exec(text)?.groups ?? {};
  if (secure === undefined) return refuse(FORMS);
  const query = new URLSearchParams(options);
  const sentinels = kind === 'sentinel';
  readOptions(query, [
    ...(secure === '' ? [] : TLS_OPTIONS),
    ...(sentinels ? ['sentinel_username', 'sentinel_password'] : []),
  ]);
  const usualPort = sentinels ? 26_379 : 6_379;
  const [one = '', ...others] = nodes.split(',');
  const common: Common = {
    nodes: [readNode(one, usualPort), ...others.map((node) => readNode(node, usualPort))],
    user: readUser(user),
    ...(secure === 's' && { tls: readTls(query) }),
  };
  const [first = '', second, ...more] = path.split('/').slice(1);
  if (sentinels) {
    if (first === '' || more.length > 0) refuse(FORMS);
    const username = query.get('sentinel_username');
    const password = query.get('sentinel_password');
    const sentinelUser = { ...(username !== null && { username }), ...(password !== null && { password }) };
    return { ...common, kind, master: decoded(first), database: databaseOf(second), sentinelUser };
  }
  if (second !== undefined) refuse(FORMS);
  if (kind === 'cluster') {
    if (databaseOf(first) !== 0) refuse('names a database, but a Cluster only has database 0');
    return { ...common, kind };
  }
  if (common.nodes.length > 1) refuse('has several hosts: use redis+sentinel:// or redis+cluster://');
  return { ...common, kind: 'single', database: databaseOf(first) };
};

/** Reads an address. A problem is worded to follow the name of the setting. */
export const readRedisUrl = (text: string): RedisAddress | AddressProblem => {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    throw error;
  }
};

/** Returns an address without its user and password, for messages and logs. @param url a valid address */
export const withoutSecrets = (url: string): string => {
  if (SOCKET.test(url)) return url;
  const { secure = '', kind, nodes = '', path = '' } = URL_PARTS.exec(url)?.groups ?? {};
  return `redis${secure}${kind === undefined ? '' : `+${kind}`}://${nodes}${path}`;
};

/** Replaces the database of an address. @param url the address of one server or of Sentinels */
export const withDatabase = (url: string, database: number): string => {
  const [base = '', query] = url.split('?');
  if (SOCKET.test(url)) return `${base}?db=${database}`;
  const path = URL_PARTS.exec(url)?.groups?.['path'] ?? '';
  const isSentinel = /^rediss?\+sentinel:/.test(url);
  const kept = isSentinel ? `/${path.split('/')[1]}` : '';
  return `${base.slice(0, base.length - path.length)}${kept}/${database}${query === undefined ? '' : `?${query}`}`;
};
