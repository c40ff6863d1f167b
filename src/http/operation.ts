export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** As OpenAPI writes it: `{id}` is the id of a batch or a comparison, `{name}` an agreement's name. */
  readonly path: string;
  /** Who may call: a client with this scope, any client, a client's id and secret, an operator, or everybody. */
  readonly caller: 'quote' | 'batch' | 'client' | 'credentials' | 'operator' | 'everybody';
  /**
   * The rate limit that counts the call. `none`: it costs little or is an operator's. Scrapes and an operator's sign-ins
   * have bounds of their own.
   */
  readonly limit: 'quotes' | 'tokens' | 'uploads' | 'reads' | 'downloads' | 'streams' | 'changes' | 'none';
}
