/**
 * Watches a batch, or a comparison, by server-sent events. Only the latest event is kept, and drawn a few times a second. Browsers reconnect
 * by themselves; if they give up after a long outage, this module polls the batch until the service answers.
 */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Api, type ApiFault, asFault, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { keepAsking } from '../ui/answering.ts';
import { hasEnded } from '../ui/batch-state.tsx';

/** Between two drawings. */
const FRAME_MS = 250;
const POLL_MS = 2_000;
/** Shorter outages are not shown. */
const LOST_AFTER_MS = 1_500;
/** A retry is useless: the batch or the session is gone. */
const FATAL = [401, 403, 404];

/** Where something is watched. */
export interface Source<T> {
  /** The name of its events. */
  readonly event: string;
  readonly eventsOf: (id: string) => string;
  readonly load: (api: Api, id: string, signal: AbortSignal) => Promise<T>;
}

export interface Watched<T> {
  readonly batch: T | undefined;
  /** Why watching has ended. */
  readonly fault: ApiFault | undefined;
  /** The connection is lost, and the batch shown is the last known state. */
  readonly lost: boolean;
  /** Shows the batch that a call returned, and watches it. */
  readonly take: (batch: T) => void;
  /** Watches again after `fault`. */
  readonly again: () => void;
}

interface Listener<T> {
  readonly onBatch: (batch: T) => void;
  readonly onLost: (lost: boolean) => void;
  readonly onFault: (fault: ApiFault) => void;
}

/** @returns a function that stops watching */
const watch = <T extends Pick<Batch, 'status'>>(
  api: Api,
  what: Source<T>,
  id: string,
  { onBatch, onLost, onFault }: Listener<T>,
): (() => void) => {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let losing: ReturnType<typeof setTimeout> | undefined;
  const leaving = new AbortController();
  const enough = keepAsking();
  const isBack = (): void => {
    clearTimeout(losing);
    losing = undefined;
    onLost(false);
  };
  const isLost = (): void => {
    losing ??= setTimeout(() => onLost(true), LOST_AFTER_MS);
  };
  const stop = (): void => {
    leaving.abort();
    enough();
    source?.close();
    clearTimeout(timer);
    clearTimeout(losing);
  };
  const heard = (batch: T): void => {
    isBack();
    onBatch(batch);
    if (hasEnded(batch)) stop();
  };
  const connect = (): void => {
    source = new EventSource(what.eventsOf(id));
    source.addEventListener('open', isBack);
    source.addEventListener(what.event, ({ data }: MessageEvent<string>) => heard(JSON.parse(data)));
    source.addEventListener('error', () => {
      isLost();
      // The response was not a stream, so the browser does not reconnect.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(poll, POLL_MS);
    });
  };
  const poll = (): void => {
    what.load(api, id, leaving.signal).then(
      (batch) => {
        heard(batch);
        if (!hasEnded(batch)) connect();
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        const fault = asFault(error);
        if (FATAL.includes(fault.status)) {
          // Removes the message that the page tries again.
          isBack();
          onFault(fault);
        } else timer = setTimeout(poll, POLL_MS);
      },
    );
  };
  connect();
  return stop;
};

export const useWatched = <T extends Pick<Batch, 'status'>>(what: Source<T>, id: string): Watched<T> => {
  const api = useApi();
  const [batch, setBatch] = useState<T>();
  const [fault, setFault] = useState<ApiFault>();
  const [lost, setLost] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let latest: T | undefined;
    let frame: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      frame = undefined;
      if (latest === undefined) return;
      setBatch(latest);
      latest = undefined;
      frame = setTimeout(draw, FRAME_MS);
    };
    const onBatch = (heard: T): void => {
      setFault(undefined);
      latest = heard;
      if (frame === undefined) draw();
    };
    const stop = watch(api, what, id, { onBatch, onLost: setLost, onFault: setFault });
    return () => {
      stop();
      clearTimeout(frame);
    };
  }, [api, what, id, turn]);
  const again = useCallback(() => {
    setFault(undefined);
    setTurn((before) => before + 1);
  }, []);
  const take = useCallback(
    (answered: T) => {
      setBatch(answered);
      again();
    },
    [again],
  );
  return { batch, fault, lost, take, again };
};
