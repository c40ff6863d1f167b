/**
 * Decides which hosts messages may go to: only hosts on the public internet. All addresses of a host must be public.
 * The URL parser has normalized other spellings of an address (decimal, hex, octal, shortened).
 */
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';

type Subnet = readonly [network: string, prefix: number];

/**
 * IANA's special-purpose IPv4 registry, plus multicast and reserved addresses: this network, private, carrier-grade NAT,
 * loopback, link-local (which cloud metadata services use), protocols, documentation, relays, benchmarks.
 */
const SPECIAL_V4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Global unicast. IPv4-mapped addresses, loopback, link-local and private addresses are outside of it. */
const GLOBAL_V6: readonly Subnet[] = [['2000::', 3]];

/** Exceptions: protocols and tunnels that carry IPv4 (Teredo, 6to4), and documentation. */
const SPECIAL_V6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (subnets: readonly Subnet[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
};

const specialV4 = listOf(SPECIAL_V4, 'ipv4');
const globalV6 = listOf(GLOBAL_V6, 'ipv6');
const specialV6 = listOf(SPECIAL_V6, 'ipv6');

/** Returns whether an IP address is public. */
export const isPublic = (address: string): boolean => {
  // An address with a zone belongs to a link of this machine.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, 'ipv4');
    case 6:
      return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
    default:
      return false;
  }
};

/** Returns all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Returns the addresses of a URL's host. The host may itself be an address. */
export const addressesOf = async ({ hostname }: URL, resolve: Resolve): Promise<readonly LookupAddress[]> => {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  return family === 0 ? await resolve(hostname) : [{ address: literal, family }];
};
