/** Uploaded content: one piece or a stream, with progress. */

/** Sends a request: `fetch`, or a function with its signature. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** A list. Text, bytes, a `Blob` or a function can be sent again if the connection breaks. A stream cannot. */
export type Content =
  | string
  | Uint8Array<ArrayBuffer>
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | (() => AsyncIterable<Uint8Array>);

/** Receives the number of bytes sent so far. */
export type OnSent = (bytes: number) => void;

export const isRepeatable = (content: Content): boolean =>
  typeof content === 'string' ||
  typeof content === 'function' ||
  content instanceof Uint8Array ||
  content instanceof Blob;

const streamOf = (content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const pieces = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
};

const counted = (stream: ReadableStream<Uint8Array>, onSent: OnSent): ReadableStream<Uint8Array> => {
  let sent = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        controller.enqueue(bytes);
        sent += bytes.length;
        onSent(sent);
      },
    }),
  );
};

/** The part of `XMLHttpRequest` that is used here. */
interface BrowserRequest extends EventTarget {
  readonly upload: EventTarget;
  readonly status: number;
  readonly response: Blob | null;
  responseType: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}
const browser = globalThis as { readonly XMLHttpRequest?: new () => BrowserRequest };

/** Parses the header text of an answer. */
const headersIn = (text: string): Headers => {
  const headers = new Headers();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
};

/** Sends a `Blob` with progress in a browser. `fetch` in browsers reports no progress, and streams bodies only over HTTP/2. */
const sendByBrowser =
  (Request: new () => BrowserRequest, blob: Blob, onSent: OnSent): Send =>
  (url, { method = 'POST', headers, signal }) =>
    new Promise((resolve, reject) => {
      const request = new Request();
      const abort = (): void => request.abort();
      const settled = (): void => signal?.removeEventListener('abort', abort);
      signal?.throwIfAborted();
      signal?.addEventListener('abort', abort);
      request.open(method, url);
      request.responseType = 'blob';
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.addEventListener('progress', (event) => {
        if ('loaded' in event) onSent(Number(event.loaded));
      });
      request.addEventListener('loadend', settled);
      request.addEventListener('load', () =>
        resolve(
          new Response(request.response, {
            status: request.status,
            headers: headersIn(request.getAllResponseHeaders()),
          }),
        ),
      );
      request.addEventListener('error', () => reject(new TypeError('The connection was lost.')));
      request.addEventListener('abort', () => reject(signal?.reason));
      request.send(blob);
    });

/** The body of a request, and how to send it if `fetch` will not do. */
export const bodyOf = (content: Content, onSent?: OnSent): { readonly init: RequestInit; readonly send?: Send } => {
  const isWhole = typeof content === 'string' || content instanceof Uint8Array;
  const blob = isWhole ? new Blob([content]) : content instanceof Blob ? content : undefined;
  if (blob !== undefined && onSent === undefined) return { init: { body: blob } };
  if (blob !== undefined && onSent !== undefined && browser.XMLHttpRequest !== undefined)
    return { init: {}, send: sendByBrowser(browser.XMLHttpRequest, blob, onSent) };
  const source = typeof content === 'function' ? content() : (blob?.stream() ?? content);
  const stream = source instanceof ReadableStream ? source : streamOf(source as AsyncIterable<Uint8Array>);
  // Only a stream needs `duplex`, which only the types of Node have.
  const init: RequestInit & { readonly duplex: 'half' } = {
    body: onSent === undefined ? stream : counted(stream, onSent),
    duplex: 'half',
  };
  return { init };
};
