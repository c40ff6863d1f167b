/** Starts the process that works on tariff drafts. Only one runs at a time, with limits of memory and time. */
import { fileOf } from '../../base/process/programs.ts';
import { createFairSlots, type FairSlots } from '../../files/sandbox/fair-slots.ts';
import { linesOfConfined, type ProcessLimits } from '../../files/sandbox/run.ts';
import { OverLimit, UnreadableFile } from '../../files/unreadable-file.ts';
import type { ReadingProgress } from '../progress.ts';
import {
  type CompareResult,
  type CompareTask,
  type DraftTask,
  type ImportResult,
  type ImportTask,
  type TaskLine,
  taskLine,
} from './tasks.ts';

/** All carriers' files for one year take 0.5 GB and a minute. The processes that read single files have their own limits. */
const LIMITS: ProcessLimits = { heapMb: 1_536, memoryMb: 2_048, processorS: 600, silentS: 300 };
const DEADLINE_MS = 900_000;
/** Limits on operators' tasks, running and waiting. */
const SLOTS = { running: 1, openPerClient: 3, open: 6 };

/** The task could not be done. The message is for users. */
export class TaskRefused extends Error {
  override readonly name = 'TaskRefused';
}

export interface TaskOptions {
  /** The user who requests the task. */
  readonly by: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReadingProgress) => void;
}

export type DraftTasks = ReturnType<typeof createDraftTasks>;

const refusal = (error: unknown, late: AbortSignal): unknown => {
  if (late.aborted) return new TaskRefused(`It took more than ${DEADLINE_MS / 60_000} minutes.`);
  if (error instanceof OverLimit) return new TaskRefused(`It is too much: ${error.limit} is at most ${error.most}.`);
  return error instanceof UnreadableFile ? new TaskRefused(`The tariff ${error.problem}.`) : error;
};

/** Runs a task when it is its turn. @returns the last line that the process writes */
const run = async (slots: FairSlots, task: DraftTask, { by, signal, onProgress }: TaskOptions): Promise<TaskLine> => {
  const slot = slots.enter(by);
  if (slot === undefined) throw new TaskRefused('Too many imports and comparisons wait. Try again in a minute.');
  const late = AbortSignal.timeout(DEADLINE_MS);
  try {
    await slot.turn();
    const job = {
      program: fileOf('import/draft/process'),
      task,
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    };
    let last: TaskLine | undefined;
    for await (const line of linesOfConfined(job, taskLine, LIMITS)) {
      last = line;
      if ('progress' in line) onProgress?.(line.progress);
    }
    if (last === undefined) throw new Error('the process ended without a result');
    return last;
  } catch (error) {
    throw refusal(error, late);
  } finally {
    slot.release();
  }
};

/** The tasks share their slots. They throw a {TaskRefused} if too many wait, or if one takes too much time or memory. */
export const createDraftTasks = () => {
  const slots = createFairSlots(SLOTS);
  return {
    import: async (task: ImportTask, options: TaskOptions): Promise<ImportResult> => {
      const line = await run(slots, task, options);
      if ('imported' in line) return line.imported;
      throw new Error('the process did not import');
    },
    compare: async (task: CompareTask, options: TaskOptions): Promise<CompareResult> => {
      const line = await run(slots, task, options);
      if ('compared' in line) return line.compared;
      throw new Error('the process did not compare');
    },
  };
};
