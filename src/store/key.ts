/** Keys of objects. A key is a valid path in every file system and a valid name in every object store. */

const KEY = /^[A-Za-z0-9_@+][A-Za-z0-9._@+-]*(?:\/[A-Za-z0-9_@+][A-Za-z0-9._@+-]*)*\/?$/;

/** @throws {Error} if the text is neither a key nor a prefix that ends in `/` */
export const checkedKey = (key: string): string => {
  if (!KEY.test(key)) throw new Error(`not a key of the store: ${JSON.stringify(key)}`);
  return key;
};

/** The prefix of the objects with which `check` tests whether the store is writable. */
export const CHECKS = 'check/';
