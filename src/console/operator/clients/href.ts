/** Links to the pages of clients and agreements. */
export const clientsHref = '#/operator/clients';

export const clientHref = (id: string): string => `${clientsHref}/${encodeURIComponent(id)}`;

export const agreementsHref = '#/operator/agreements';

export const agreementHref = (name: string): string => `${agreementsHref}/${encodeURIComponent(name)}`;
