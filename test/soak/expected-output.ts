/** The expected output of a list, from `rates run`, and how another output differs from it. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { BUILT } from '../bench/service.ts';
import { HEADER } from '../bench/shipments.ts';

const DONE_WITH_FAULTS = 4;

export interface Truth {
  readonly rows: number;
  readonly faulted: number;
  readonly output: string;
  readonly faults: string;
}

/** Rows of the generator's lists have no quoted cells, so the columns after them can be counted off. */
const INPUT_ROW = HEADER.split(',').length;
const cell = (line: string, index: number): string => line.split(',', index + 1)[index] ?? '';

const run = (command: readonly string[], list: string, output: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [...command, 'run', list, '-o', output], (error) => {
      if (error === null || child.exitCode === DONE_WITH_FAULTS) resolve();
      else reject(error);
    });
  });

/** @param path where the output is written */
export const truthOf = async (list: string, path: string, command: readonly string[] = BUILT): Promise<Truth> => {
  await run(command, list, path);
  const output = await readFile(path, 'latin1');
  const [header = '', ...lines] = output.split('\n').slice(0, -1);
  const faulted = lines.filter((line) => cell(line, INPUT_ROW + 1) !== '200');
  return { rows: lines.length, faulted: faulted.length, output, faults: `${[header, ...faulted].join('\n')}\n` };
};

/** @returns what is wrong with an output, in words; undefined if it has the expected bytes */
export const difference = (truth: Truth, output: string, faults: string): string | undefined => {
  if (output === truth.output && faults === truth.faults) return undefined;
  if (output === truth.output) return 'the faults file differs';
  const numbers = output
    .split('\n')
    .slice(1, -1)
    .map((line) => cell(line, INPUT_ROW));
  const once = new Set(numbers);
  const lost = truth.rows - once.size;
  return `the output differs: ${lost} rows lost, ${numbers.length - once.size} doubled`;
};
