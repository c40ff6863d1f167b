/** SHA-256 (FIPS 180-4) in place of `node:crypto`, which browsers do not have. Their own one cannot be awaited here. */

/** The first 32 bits of the fractions of roots of the first primes: square roots (1/2) or cube roots (1/3). */
const fractions = (count: number, power: number): number[] => {
  const found: number[] = [];
  for (let prime = 2; found.length < count; prime += 1) {
    let divisor = 2;
    while (divisor * divisor <= prime && prime % divisor !== 0) divisor += 1;
    if (divisor * divisor > prime) found.push(((prime ** power % 1) * 2 ** 32) | 0);
  }
  return found;
};
const ROUNDS = fractions(64, 1 / 3);

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Adds a block of 64 bytes. */
const mix = (state: Int32Array, block: DataView, from: number, words: Int32Array): void => {
  for (let i = 0; i < 64; i += 1) {
    const [a = 0, b = 0, c = 0, d = 0] = [words[i - 15], words[i - 2], words[i - 16], words[i - 7]];
    const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    words[i] = i < 16 ? block.getInt32(from + 4 * i) : (c + low + d + high) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const one = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + one + (ROUNDS[i] ?? 0) + (words[i] ?? 0)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0) + word) | 0;
};

const sha256 = (text: string): string => {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Int32Array.from(fractions(8, 1 / 2));
  const words = new Int32Array(64);
  for (let from = 0; from < padded.length; from += 64) mix(state, view, from, words);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
};

/** As the function of `node:crypto` for one text. */
export const createHash = (_algorithm: 'sha256') => ({
  update: (text: string) => ({ digest: (_form: 'hex'): string => sha256(text) }),
});
