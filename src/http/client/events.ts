/** Server-sent events of a batch or a comparison, as an async iterator that survives lost connections. */
import { isFinal } from '../../batch/status.ts';
import { type Caller, type Calls, pause, type Waiting } from './caller.ts';
import { noAnswer } from './fault.ts';

/** Longest silence on a connection. The service sends a comment every 15 seconds. */
const SILENCE_MS = 45_000;
const COME_BACK_MS = 1_000;
/** Limit on an event. A batch as JSON is far smaller. */
const MOST_CHARACTERS = 2 ** 20;

interface Event {
  readonly id: string;
  readonly data: string;
}

const fieldOf = (lines: readonly string[], name: string): string | undefined =>
  lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);

/** The events of one connection. Ends when the service ends it, or when it is silent for too long. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const silent = setTimeout(() => void reader.cancel().catch(() => undefined), SILENCE_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(silent));
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > MOST_CHARACTERS) throw new TypeError('The stream has no end of an event.');
      for (const lines of blocks.map((block) => block.split('\n'))) {
        const [id, data] = [fieldOf(lines, 'id'), fieldOf(lines, 'data')];
        if (id !== undefined && data !== undefined) yield { id, data };
      }
    }
  } finally {
    // Closes the connection. This fails if the connection is lost.
    await reader.cancel().catch(() => undefined);
  }
}

type Watched = { readonly status: string };

/**
 * Yields the batch or comparison at once and after each change, until it has ended. Reconnects after a lost connection, for
 * up to `patienceMs` each time.
 * @throws {ApiFault}
 */
export async function* watch<T extends Calls<T>, W extends Watched>(
  caller: Caller<T>,
  name: Extract<keyof T, string>,
  id: string,
  waiting: Waiting = {},
): AsyncGenerator<W, void, undefined> {
  const { signal = new AbortController().signal, onRetry } = waiting;
  let last: string | undefined;
  for (;;) {
    const headers = last === undefined ? {} : { 'Last-Event-ID': last };
    const answer = await caller.answerOf(name, { ...waiting, id, headers });
    // The event with this id was the last one.
    if (answer.status === 204 || answer.body === null) return;
    try {
      for await (const event of eventsIn(answer.body)) {
        last = event.id;
        const seen: W = JSON.parse(event.data);
        yield seen;
        if (isFinal(seen.status)) return;
      }
    } catch (error) {
      signal.throwIfAborted();
      // An event that is not JSON, or the signal of the whole client.
      if (error instanceof SyntaxError || (error instanceof Error && error.name === 'AbortError')) throw error;
      onRetry?.(noAnswer(caller.server, error));
    }
    await pause(COME_BACK_MS, signal);
  }
}
