/** What `rates batch` reads of a batch's summary. */
import { z } from 'zod';
import { summarySchema } from '../../lists/output/summary.ts';
import { type Remote, type RemoteBatch, RemoteFailure } from './remote.ts';

const summaryBody = z.object({
  totalNetCharge: z.number(),
  warnings: z.array(z.object({ type: z.string(), shipments: z.number(), totalNetCharge: z.number() })).default([]),
  incomplete: z.object({ missing: z.record(z.string(), z.number()) }).default({ missing: {} }),
  allServices: summarySchema.shape.allServices,
});
export type RemoteSummary = z.output<typeof summaryBody>;

/** The output is already downloaded, so a failed call here is only reported. */
export const fetchSummary = async ({ links }: RemoteBatch, remote: Remote): Promise<RemoteSummary | RemoteFailure> => {
  try {
    return await remote.json(`${links.self}/summary`, summaryBody);
  } catch (failure) {
    if (!(failure instanceof RemoteFailure)) throw failure;
    return failure;
  }
};
