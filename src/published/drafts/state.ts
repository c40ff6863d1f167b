/** What has become of a draft's files. */
import type { DraftRecord, ProgressRecord, ResultRecord } from './records.ts';

/** An import whose process is gone. */
const SILENT_MS = 20_000;

/** `open`: files or options have changed since the last import, or there was none. */
export type DraftState =
  | { readonly is: 'open' }
  | { readonly is: 'importing'; readonly read: number; readonly of: number; readonly by: string }
  | { readonly is: 'interrupted' }
  | { readonly is: 'done'; readonly result: ResultRecord };

export const stateOf = (
  { revision }: DraftRecord,
  progress: ProgressRecord | undefined,
  result: ResultRecord | undefined,
  now: Date,
): DraftState => {
  // A result is written when its import ends, so a later progress is of another one.
  const isNewer = progress !== undefined && (result === undefined || progress.at > result.at);
  if (isNewer && progress.revision === revision) {
    const { read, of, by, seenAt } = progress;
    return now.getTime() - Date.parse(seenAt) < SILENT_MS ? { is: 'importing', read, of, by } : { is: 'interrupted' };
  }
  return result?.revision === revision ? { is: 'done', result } : { is: 'open' };
};
