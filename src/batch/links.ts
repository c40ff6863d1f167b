/** The paths of a batch. The console's bundle has them too, so this file imports nothing. */

export const BATCHES_PATH = '/v1/client/shipment/rates/batches';

/** Paths of a batch and of what belongs to it, relative to the host. */
export const linksOf = (id: string) => {
  const self = `${BATCHES_PATH}/${id}`;
  return {
    self,
    events: `${self}/events`,
    output: `${self}/output`,
    faults: `${self}/faults`,
    unprocessed: `${self}/unprocessed`,
    summary: `${self}/summary`,
    cancel: `${self}/cancel`,
    retry: `${self}/retry`,
    corrections: `${self}/corrections`,
  };
};
