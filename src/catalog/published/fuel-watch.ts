/** Logs once a day which fuel rates of the services in force have ended or will end within a week. */
import type { Logger } from 'pino';
import { poll } from '../../base/poll.ts';
import { isOfStore } from '../../base/store/store.ts';
import { fuelEndsNow } from '../tariff/check/fuel-ends.ts';
import { dayIn, type Schedule } from '../tariff/schedule.ts';

export interface FuelWatchOptions {
  readonly tariffs: { readonly current: () => Schedule };
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => Date;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;

/** Watches until closed. Newly ending fuel rates are logged at once. */
export const watchFuel = ({
  tariffs,
  log,
  now,
  intervalMs = INTERVAL_MS,
}: FuelWatchOptions): { readonly close: () => void } => {
  let day = '';
  let logged = new Set<string>();

  const check = async (): Promise<void> => {
    let ends: ReturnType<typeof fuelEndsNow>;
    const instant = now();
    try {
      ends = fuelEndsNow(tariffs.current(), instant);
    } catch (err) {
      // If what is published is unknown, this is already logged.
      if (!isOfStore(err)) log.warn({ err }, 'cannot examine fuel rates');
      return;
    }
    const today = dayIn('America/New_York', instant);
    if (today !== day) logged = new Set();
    day = today;
    for (const { hasEnded, allServices: _all, ...end } of ends) {
      const key = JSON.stringify([end, hasEnded]);
      if (logged.has(key)) continue;
      logged.add(key);
      const held = end.carries ? 'prices use the last one' : 'prices have no fuel';
      log.warn(end, hasEnded ? `fuel rates have ended: ${held}` : 'fuel rates end soon');
    }
  };

  const { stop: close } = poll(check, intervalMs);
  return { close };
};
