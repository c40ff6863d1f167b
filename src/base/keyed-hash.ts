/** Hashes with a secret key for each process. Without a key, a caller could choose texts that all collide. */
import { hash, randomBytes } from 'node:crypto';

const KEY = randomBytes(16).toString('latin1');

/** @returns two numbers of 32 bits */
export const keyedHash = (text: string): readonly [number, number] => {
  const bytes = hash('sha1', `${KEY}${text}`, 'buffer');
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)];
};
