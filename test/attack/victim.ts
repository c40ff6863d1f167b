/** The parent's side of `victim-main.ts`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { percentile } from '../bench/quotes.ts';

export type Order =
  | { readonly type: 'measure'; readonly url: string; readonly token: string; readonly perSecond: number }
  | { readonly type: 'stop' };

/** The victim's report of one measurement. */
export interface Figures {
  /** Milliseconds of each quote, in ascending order. */
  readonly times: readonly number[];
  readonly failed: number;
  readonly reasons: readonly string[];
}

export const p50 = ({ times }: Figures): number => percentile(times, 0.5);
export const p99 = ({ times }: Figures): number => percentile(times, 0.99);

export interface Victim {
  readonly begin: (url: string, token: string) => void;
  /** Ends the measurement when every quote has been answered or given up. */
  readonly end: () => Promise<Figures>;
  readonly close: () => void;
}

const PER_SECOND = 200;

export const startVictim = async (): Promise<Victim> => {
  const main = join(import.meta.dirname, 'victim-main.ts');
  const child: ChildProcess = fork(main, [], { execArgv: ['--single-threaded-gc', '--import', 'tsx'] });
  await once(child, 'message');
  const tell = (order: Order): void => void child.send(order);
  return {
    begin: (url, token) => tell({ type: 'measure', url, token, perSecond: PER_SECOND }),
    end: async () => {
      const told: Promise<[Figures]> = once(child, 'message').then(([figures]) => [figures]);
      tell({ type: 'stop' });
      const [figures] = await told;
      return figures;
    },
    close: () => child.disconnect(),
  };
};
