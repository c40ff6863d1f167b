/**
 * Changes tariffs for the API. Each change runs in a separate process because checking and copying a year's tariffs takes
 * seconds, and no quote would be answered meanwhile.
 */
import { fork } from 'node:child_process';
import { z } from 'zod';
import { fileOf, RUNS_SOURCES } from '../../base/process/programs.ts';
import { HttpError } from '../../http/faults.ts';
import type { TariffChanged, TariffChangeRequest } from '../../http/operator/service.ts';

const CHANGE_MS = 120_000;

/** The process's answer. `away` is set if the store or Redis is down. Otherwise the failure is a bug. */
export type ChangeAnswer = TariffChanged | { readonly failed: string; readonly away?: 'redis' | 'store' };
/** The process has the same version, so its answer is not checked further. */
const changeAnswer = z.custom<ChangeAnswer>((value) => typeof value === 'object');

/** The process of a test has the sources without their loader. */
const execArgv = RUNS_SOURCES ? ['--import', import.meta.resolve('tsx')] : [];

/** Makes a change. @throws {Error} if it failed; then it is unknown whether the change was made */
export const changeTariffsApart = async (
  request: TariffChangeRequest,
  env: NodeJS.ProcessEnv,
): Promise<TariffChanged> => {
  const child = fork(fileOf('cli/tariff/tariff-change-process'), [], {
    execArgv,
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), CHANGE_MS);
  try {
    const answer = await new Promise<unknown>((resolve, reject) => {
      child.once('message', resolve);
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`the process ended with ${signal ?? code}`)));
      child.send(request);
    });
    const read = changeAnswer.parse(answer);
    if (!('failed' in read)) return read;
    const cause = new Error(read.failed);
    if (read.away === undefined) throw cause;
    throw new HttpError({ type: 'service.unavailable', dependency: read.away }, { cause });
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
};
