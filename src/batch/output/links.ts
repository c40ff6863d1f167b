/** The paths of quotes, batches and comparisons. The console's bundle has them too, so this file imports nothing. */

export const RATES_PATH = '/v1/client/shipment/rates';
export const BATCHES_PATH = `${RATES_PATH}/batches`;
export const COMPARISONS_PATH = `${RATES_PATH}/comparisons`;

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
    comparisons: `${self}/comparisons`,
  };
};

/** The same of a comparison. @param batchId the batch that it compares; absent if a list was uploaded for it */
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
