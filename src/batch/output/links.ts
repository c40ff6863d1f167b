/** Paths of quotes, batches and comparisons. The console's bundle includes them too, so this file imports nothing. */

export const RATES_PATH = '/v1/client/shipment/rates';
export const BATCHES_PATH = `${RATES_PATH}/batches`;
export const COMPARISONS_PATH = `${RATES_PATH}/comparisons`;

/** Returns the paths of a batch and of what belongs to it, relative to the host. */
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
    comparisons: `${self}/comparisons`,
  };
};

/** The same for a comparison. @param batchId the compared batch; undefined if a list was uploaded for the comparison */
export const comparisonLinksOf = (id: string, batchId?: string) => {
  const self = `${COMPARISONS_PATH}/${id}`;
  return {
    self,
    events: `${self}/events`,
    output: `${self}/output`,
    summary: `${self}/summary`,
    cancel: `${self}/cancel`,
    retry: `${self}/retry`,
    ...(batchId === undefined ? {} : { batch: `${BATCHES_PATH}/${batchId}` }),
  };
};
