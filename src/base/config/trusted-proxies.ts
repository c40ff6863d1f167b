/** TRUSTED_PROXIES: the proxies whose `X-Forwarded-For` is trusted. */
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined => {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
};

/** Reads addresses and ranges, separated by commas. @returns undefined if one is neither */
export const readProxies = (text: string): BlockList | undefined => {
  const list = new BlockList();
  for (const entry of text.split(',')) {
    const [address = '', bits, ...more] = entry.trim().split('/');
    const family = familyOf(address);
    if (family === undefined || more.length > 0) return undefined;
    if (bits === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128))
      list.addSubnet(address, Number(bits), family);
    else return undefined;
  }
  return list;
};

/**
 * Returns the address that a request comes from. This is the connection's address, unless it belongs to a trusted
 * proxy. Then it is the last address in `X-Forwarded-For` that does not. Anybody can write the addresses before it.
 */
export const originOf = (connection: string, forwardedFor: string, trusted: BlockList): string => {
  const named = forwardedFor.split(',');
  let origin = connection;
  for (
    let family = familyOf(origin);
    family !== undefined && trusted.check(origin, family);
    family = familyOf(origin)
  ) {
    const before = named.pop()?.trim() ?? '';
    if (familyOf(before) === undefined) break;
    origin = before;
  }
  return origin;
};
