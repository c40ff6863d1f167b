/** Links to the pages of clients. */
export const clientsHref = '#/operator/clients';

export const clientHref = (id: string): string => `${clientsHref}/${encodeURIComponent(id)}`;
