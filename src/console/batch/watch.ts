/**
 * A batch as it is now. Told by server-sent events, of which the last alone is kept and drawn a few times a second; when
 * the connection is lost browsers come back by themselves, and where they do not (the service was away too long) the batch
 * is asked for now and then until it answers.
 */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Api, type ApiFault, asFault, urlOf, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { hasEnded } from '../ui/batch-state.tsx';

/** Between two drawings. */
const FRAME_MS = 250;
const POLL_MS = 2_000;
/** A connection that is back at once is not worth a word. */
const LOST_AFTER_MS = 1_500;
/** Nothing comes of asking again: the batch is gone, or the session is. */
const FATAL = [401, 403, 404];

export interface Watched {
  readonly batch: Batch | undefined;
  /** Why there is nothing more to be heard. */
  readonly fault: ApiFault | undefined;
  /** The connection is lost; what is shown is the last that was heard. */
  readonly lost: boolean;
  /** Takes a batch as a call has answered it, and watches on from there. */
  readonly take: (batch: Batch) => void;
  /** Watches on, where there was nothing more to be heard. */
  readonly again: () => void;
}

interface Listener {
  readonly onBatch: (batch: Batch) => void;
  readonly onLost: (lost: boolean) => void;
  readonly onFault: (fault: ApiFault) => void;
}

/** @returns how to stop */
const watch = (api: Api, id: string, { onBatch, onLost, onFault }: Listener): (() => void) => {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let losing: ReturnType<typeof setTimeout> | undefined;
  const leaving = new AbortController();
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
    source?.close();
    clearTimeout(timer);
    clearTimeout(losing);
  };
  const heard = (batch: Batch): void => {
    isBack();
    onBatch(batch);
    if (hasEnded(batch)) stop();
  };
  const connect = (): void => {
    source = new EventSource(urlOf('events', { id }));
    source.addEventListener('open', isBack);
    source.addEventListener('batch', ({ data }: MessageEvent<string>) => heard(JSON.parse(data)));
    source.addEventListener('error', () => {
      isLost();
      // An answer that is no stream: browsers do not come back then.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(poll, POLL_MS);
    });
  };
  const poll = (): void => {
    api.call('batch', { id, signal: leaving.signal }).then(
      (batch) => {
        heard(batch);
        if (!hasEnded(batch)) connect();
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        const fault = asFault(error);
        if (FATAL.includes(fault.status)) {
          // Nothing is tried again, so that is not what is said.
          isBack();
          onFault(fault);
        } else timer = setTimeout(poll, POLL_MS);
      },
    );
  };
  connect();
  return stop;
};

export const useBatch = (id: string): Watched => {
  const api = useApi();
  const [batch, setBatch] = useState<Batch>();
  const [fault, setFault] = useState<ApiFault>();
  const [lost, setLost] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let latest: Batch | undefined;
    let frame: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      frame = undefined;
      if (latest === undefined) return;
      setBatch(latest);
      latest = undefined;
      frame = setTimeout(draw, FRAME_MS);
    };
    const onBatch = (heard: Batch): void => {
      setFault(undefined);
      latest = heard;
      if (frame === undefined) draw();
    };
    const stop = watch(api, id, { onBatch, onLost: setLost, onFault: setFault });
    return () => {
      stop();
      clearTimeout(frame);
    };
  }, [api, id, turn]);
  const again = useCallback(() => {
    setFault(undefined);
    setTurn((before) => before + 1);
  }, []);
  const take = useCallback(
    (answered: Batch) => {
      setBatch(answered);
      again();
    },
    [again],
  );
  return { batch, fault, lost, take, again };
};
