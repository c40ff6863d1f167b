/** What a tool of the assistant is, and the faults that a tool has beside those of the service. */
import type { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { check, pathText } from '../../base/validation.ts';
import type { FaultBody } from '../../rating/fault.ts';
import { type Remote, RemoteFailure } from '../batch/remote.ts';
import { failureText } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Local } from '../rate/local-sources.ts';

/** The faults that a tool has beside those of the service, and when. */
export const TOOL_FAULTS = {
  'tool.unknown': 'There is no tool with this name, or it needs `--allow-changes`, or it does not work with `--local`.',
  'tool.invalidInput': 'The input does not match the schema of the tool, or names a file that may not be read.',
  'tool.busy': 'Eight calls are running. Try again when one of them has been answered.',
  'tool.failed': 'Something on this machine failed, such as reading a file.',
  'service.unreachable': 'The service did not answer, or another program answered.',
} as const;

/** A fault on its way to the answer. */
export class ToolFault extends Error {
  readonly fault: FaultBody;

  constructor(fault: FaultBody) {
    super(fault.message);
    this.fault = fault;
  }
}

export const toolFault = (type: keyof typeof TOOL_FAULTS, message: string, args = {}): ToolFault =>
  new ToolFault({ type, message, arguments: args });

/** @param problems what is wrong with each member of the input */
export const invalidInput = (problems: Readonly<Record<string, string>>): ToolFault => {
  const words = Object.entries(problems).map(([member, problem]) => `${member} ${problem}`.trim());
  return toolFault('tool.invalidInput', `The input is invalid: ${words.join('; ')}.`, problems);
};

/** What went wrong, as a fault. */
export const faultOf = (error: unknown): FaultBody => {
  if (error instanceof ToolFault) return error.fault;
  if (error instanceof RemoteFailure) {
    const { type, message, arguments: args } = error.fault;
    const isAnswered = type !== 'network' && type !== 'unknown';
    return isAnswered ? { type, message, arguments: args } : toolFault('service.unreachable', error.message).fault;
  }
  return toolFault('tool.failed', failureText(error, false)).fault;
};

/** What a call of a tool works with. */
export interface Surroundings {
  /** The service as the client. Absent with `--local`. */
  readonly service: Remote | undefined;
  /** The client and the tariffs of this machine, with `--local`. */
  readonly local: Local | undefined;
  /** The folder below which files may be read. */
  readonly folder: string;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** A tool without the type of its input. */
export interface Tool {
  readonly name: string;
  /** For the assistant. */
  readonly about: string;
  readonly input: z.ZodObject;
  /** An answer has these members and no others. */
  readonly output: z.ZodObject;
  /** Whether it starts something. Such a tool exists only with `--allow-changes`. */
  readonly starts?: true;
  /** Whether it works without a service. */
  readonly local?: true;
  /** How to get what an answer leaves out because it would be too long. */
  readonly readOn: string;
  /** @throws {Error} what `faultOf` makes a fault of */
  readonly run: (given: unknown, at: Surroundings) => Promise<unknown>;
}

/** More problems of an input are not told. */
const MOST_PROBLEMS = 20;

interface Declaration<I extends z.ZodObject> extends Omit<Tool, 'run'> {
  readonly input: I;
  readonly run: (given: z.output<I>, at: Surroundings) => Promise<unknown>;
}

/** Declares a tool whose input is checked here. */
export const tool = <I extends z.ZodObject>(declaration: Declaration<I>): Tool => ({
  ...declaration,
  run: async (given, at) => {
    const checked = check(declaration.input, given);
    if (!(checked instanceof Failed)) return await declaration.run(checked, at);
    const problems = checked.fault.slice(0, MOST_PROBLEMS).map(({ path, message }) => [pathText(path), message]);
    throw invalidInput(Object.fromEntries(problems));
  },
});
