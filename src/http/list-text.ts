/** The list in an upload as UTF-8 text, with the faults that it is refused for. */

import { NotEncoded } from '../csv/encoding.ts';
import { listText, type Origin } from '../input/csv-text.ts';
import type { Reading } from '../rows/columns.ts';
import { createPlaces, type Place } from '../sandbox/fair-slots.ts';
import { ConfinedFailure } from '../sandbox/run.ts';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import { UnavailableError } from './faults.ts';
import { StoppedUpload, type UploadLimits } from './list-body.ts';

/** Archives that are read at a time by this process, and that may be under way: each is a file, then a process. */
const PLACES = { atOnce: 2, perClient: 4, inAll: 32 } as const;
const RETRY_S = 10;
const places = createPlaces(PLACES);

const placeFor = (client: string): Place => {
  const place = places.enter(client);
  if (place !== undefined) return place;
  const { perClient } = PLACES;
  throw new StoppedUpload({
    type: 'request.rateLimited',
    limit: 'workbooksAtOnce',
    atOnce: perClient,
    retryAfterS: RETRY_S,
  });
};

const stopped = (error: unknown): unknown => {
  if (error instanceof OverLimit)
    return new StoppedUpload({ type: 'request.tooLarge', limit: error.limit, most: error.most });
  if (error instanceof UnreadableFile || error instanceof NotEncoded) {
    const subject = error instanceof UnreadableFile ? error.subject : 'file';
    return new StoppedUpload({ type: 'createBatch.invalidFile', problems: { [subject]: error.problem } });
  }
  return error instanceof ConfinedFailure ? new UnavailableError('reader', { cause: error }) : error;
};

/**
 * @param client whose list it is: clients take turns
 * @param origin is filled in before the first bytes are given out
 * @throws {StoppedUpload} if the list is refused
 */
export async function* uploadedText(
  source: AsyncIterable<Buffer>,
  client: string,
  reading: Reading,
  limits: UploadLimits,
  origin?: Origin,
): AsyncGenerator<Buffer> {
  const { maximumBytes, maximumRowBytes } = limits;
  try {
    yield* listText(source, { reading, maximumBytes, maximumRowBytes, enter: () => placeFor(client) }, origin);
  } catch (error) {
    throw stopped(error);
  }
}
