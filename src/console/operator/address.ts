/** The address of an operator's page. @param page its name in the address */
export const operatorHref = (page: string, id?: string): string =>
  `#/operator/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
