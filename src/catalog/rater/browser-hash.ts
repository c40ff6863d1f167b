/** SHA-256 instead of `node:crypto`, which browsers lack. The browser's own SHA-256 is asynchronous and unusable here. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Like the `node:crypto` function, for a single text. */
export const createHash = (_algorithm: 'sha256') => ({
  update: (text: string) => ({ digest: (_form: 'hex'): string => bytesToHex(sha256(utf8ToBytes(text))) }),
});
