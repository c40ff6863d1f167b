/** Keys: what may be a path of every file system and a name in every object store. */

const KEY = /^[A-Za-z0-9_@+][A-Za-z0-9._@+-]*(?:\/[A-Za-z0-9_@+][A-Za-z0-9._@+-]*)*\/?$/;

/** @throws where it is not a key, or a prefix that ends in `/` */
export const checkedKey = (key: string): string => {
  if (!KEY.test(key)) throw new Error(`not a key of the store: ${JSON.stringify(key)}`);
  return key;
};

/** Where a store tries out whether it can be written to. */
export const CHECKS = 'check/';
