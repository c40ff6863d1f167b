/** Addresses of the operator's pages. */

/** What a page gets from its address, `#/operator/<name>/<id>`. */
export interface OperatorPageProps {
  readonly id: string | undefined;
}

/** @param page its name in the address */
export const operatorHref = (page: string, id?: string): string =>
  `#/operator/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
