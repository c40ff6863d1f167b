/** SHA-256 in place of `node:crypto`, which browsers do not have. Their own one cannot be awaited here. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** As the function of `node:crypto` for one text. */
export const createHash = (_algorithm: 'sha256') => ({
  update: (text: string) => ({ digest: (_form: 'hex'): string => bytesToHex(sha256(utf8ToBytes(text))) }),
});
