/** Keys with which a call can be repeated without a second effect. */

/** A random key. `crypto.randomUUID` exists only on secure origins. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
