/** Addresses of the operator's pages. */

/** @param page its name in the address */
export const operatorHref = (page: string, id?: string): string =>
  `#/operator/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
