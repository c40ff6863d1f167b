/** Addresses of the operator's pages. */

/** What a page gets from its address, `#/operator/<name>/<id>/<below>…`. */
export interface OperatorPageProps {
  readonly id: string | undefined;
  readonly below: readonly string[];
}

/** @param page its name in the address */
export const operatorHref = (page: string, id?: string): string =>
  `#/operator/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
