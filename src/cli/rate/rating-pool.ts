/**
 * Rates chunks of a list in parallel processes. Threads were no faster and cannot run the TypeScript sources. Parent and
 * children have the same version, so only the kind of a message is checked.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { fileOf } from '../../base/process/programs.ts';
import type { AccountParts } from '../../catalog/agreement/account.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import type { Scenario } from '../../lists/comparison/scenario.ts';
import type { Shipper } from '../../rating/terms.ts';
import { CommandFailure } from '../exit.ts';
import type { Io } from '../io.ts';
import type { RatedChunk, RowContext } from './rate-file.ts';

/** Chunks per process: one in progress and one ready. */
const AT_A_TIME = 2;

interface Waiting {
  readonly resolve: (rated: RatedChunk) => void;
  readonly reject: (error: Error) => void;
}

const startProcess = ({ execArgv, env }: Pick<Io, 'execArgv' | 'env'>) => {
  const child: ChildProcess = fork(fileOf('cli/rate/rating-process'), {
    execArgv: [...execArgv],
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting: Waiting[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  const send = (message: ToProcess): void => {
    child.send(message, (error) => {
      if (error !== null) fail(error);
    });
  };
  child.on('message', (received) => {
    const answer = fromProcess.parse(received);
    if (answer.kind === 'rated') waiting.shift()?.resolve(answer.rated);
    else fail(new CommandFailure(answer.message));
  });
  child.on('error', fail);
  const exited = once(child, 'exit').then(([code, signal]) => {
    const how = String(signal ?? `exit code ${code}`);
    fail(
      new CommandFailure(
        `A rating process ended early (${how}). Run the command again, with --jobs 1 if memory is low.`,
      ),
    );
  }, fail);
  return {
    order: (order: RatingOrder): void => send(order),
    rate: (chunk: Chunk): Promise<RatedChunk> =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        waiting.push({ resolve, reject });
        send({ kind: 'chunk', chunk });
      }),
    /** The number of unanswered chunks. */
    load: (): number => waiting.length,
    end: async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** @param jobs the number of processes */
export const startRatingPool = (jobs: number, io: Pick<Io, 'execArgv' | 'env'>) => {
  const processes = Array.from({ length: jobs }, () => startProcess(io));

  /** Rates chunks and yields the results in order. Works ahead by a fixed number of chunks. */
  async function* rate(chunks: readonly Chunk[]): AsyncGenerator<RatedChunk> {
    const ahead: Promise<RatedChunk>[] = [];
    for (const chunk of chunks) {
      const [freest] = processes.toSorted((a, b) => a.load() - b.load());
      if (freest === undefined) throw new Error('a pool needs a process');
      const rating = freest.rate(chunk);
      // Awaited below, when it is the chunk's turn.
      rating.catch(() => undefined);
      ahead.push(rating);
      const first = ahead.length === jobs * AT_A_TIME ? ahead.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (const rating of ahead) yield await rating;
  }

  return {
    /** Sends the data for rating all chunks. Call it once, first. */
    order: (order: RatingOrder): void => {
      for (const process of processes) process.order(order);
    },
    rate,
    end: async (): Promise<void> => {
      await Promise.all(processes.map((process) => process.end()));
    },
  };
};
export type RatingPool = ReturnType<typeof startRatingPool>;

/** The data that a process rates with. It has the tariffs, not their folder, so that all processes use the same tariffs. */
export interface RatingOrder {
  readonly kind: 'order';
  /** The path of the list. */
  readonly path: string;
  readonly documents: readonly TariffDocument[];
  /** The date of rows without a `shipDate`. */
  readonly instant: Date;
  readonly context: RowContext;
  readonly shipper: Pick<Shipper, 'warehouses'> & AccountParts;
  /** Present if the rows are compared. */
  readonly scenarios?: readonly OrderedScenario[];
}

/** A scenario with its data. Absent members are the same as for the list. */
export interface OrderedScenario {
  readonly scenario: Scenario;
  readonly documents?: readonly TariffDocument[] | undefined;
  readonly account?: AccountParts | undefined;
}

export type ToProcess = RatingOrder | { readonly kind: 'chunk'; readonly chunk: Chunk };

/** Results arrive in the order of the chunks. */
export type FromProcess =
  | { readonly kind: 'rated'; readonly rated: RatedChunk }
  | { readonly kind: 'failed'; readonly message: string };

const kindOf = (value: unknown): string | undefined => z.object({ kind: z.string() }).safeParse(value).data?.kind;

export const toProcess = z.custom<ToProcess>((value) => ['order', 'chunk'].includes(kindOf(value) ?? ''));
const fromProcess = z.custom<FromProcess>((value) => ['rated', 'failed'].includes(kindOf(value) ?? ''));
