/** Questions on a terminal. They go to standard error, because standard output is for data. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandFailure, EXIT } from './exit.ts';
import type { Io } from './io.ts';

export const isTerminal = ({ stdin }: Pick<Io, 'stdin'>): boolean => 'isTTY' in stdin && stdin.isTTY === true;

/** Takes what readline would echo. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const answerTo = async (io: Pick<Io, 'stdin' | 'stderr'>, question: string, isSecret: boolean): Promise<string> => {
  const output = isSecret ? nowhere() : io.stderr;
  const lines = createInterface({ input: io.stdin, output, terminal: true });
  const left = new AbortController();
  lines.once('SIGINT', () => left.abort());
  lines.once('close', () => left.abort());
  try {
    if (isSecret) io.stderr.write(question);
    return (await lines.question(isSecret ? '' : question, { signal: left.signal })).trim();
  } catch (cause) {
    if (!left.signal.aborted) throw cause;
    throw new CommandFailure('Interrupted. Nothing was saved.', EXIT.interrupted, { cause });
  } finally {
    lines.close();
    if (isSecret || left.signal.aborted) io.stderr.write('\n');
  }
};

/** @returns the answer, or `absent` if it is empty */
export const ask = async (io: Pick<Io, 'stdin' | 'stderr'>, question: string, absent = ''): Promise<string> =>
  (await answerTo(io, absent === '' ? `${question}: ` : `${question} [${absent}]: `, false)) || absent;

/** Asks without showing the answer. */
export const askSecret = (io: Pick<Io, 'stdin' | 'stderr'>, question: string): Promise<string> =>
  answerTo(io, `${question} (not shown): `, true);
