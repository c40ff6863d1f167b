/** Cookies and tokens that let somebody in: found in a request, and compared in a time that tells nothing of them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** The value of a cookie; empty where the request has none of this name. */
export const cookieOf = (req: Request, name: string): string =>
  (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** The bearer token of a request; empty where it has none. */
export const bearerOf = (req: Request): string => /^bearer +(\S.*)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';

/** Both sides are hashed first, so that neither the length nor the first difference shows in the time. */
export const isSame = (given: string, expected: string): boolean => {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
};
