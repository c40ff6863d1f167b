/** An assistant's tool, and the faults of tools in addition to the service's faults. */
import type { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { check, pathText } from '../../base/validation.ts';
import type { FaultBody } from '../../rating/fault.ts';
import { type Remote, RemoteFailure } from '../batch/remote.ts';
import { failureText } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Local } from '../rate/local-sources.ts';

/** The faults of tools in addition to the service's faults, and when they occur. */
export const TOOL_FAULTS = {
  'tool.unknown': 'There is no tool with this name, or it needs `--allow-changes`, or it does not work with `--local`.',
  'tool.invalidInput': 'The input does not match the schema of the tool, or names a file that may not be read.',
  'tool.busy': 'Eight calls are running. Try again when one of them has been answered.',
  'tool.failed': 'Something on this machine failed, such as reading a file.',
  'service.unreachable': 'The service did not answer, or another program answered.',
} as const;

/** An error that carries a fault to the answer. */
export class ToolFault extends Error {
  readonly fault: FaultBody;

  constructor(fault: FaultBody) {
    super(fault.message);
    this.fault = fault;
  }
}

export const toolFault = (type: keyof typeof TOOL_FAULTS, message: string, args = {}): ToolFault =>
  new ToolFault({ type, message, arguments: args });

/** @param problems the problem of each invalid member */
export const invalidInput = (problems: Readonly<Record<string, string>>): ToolFault => {
  const words = Object.entries(problems).map(([member, problem]) => `${member} ${problem}`.trim());
  return toolFault('tool.invalidInput', `The input is invalid: ${words.join('; ')}.`, problems);
};

/** Converts an error to a fault. */
export const faultOf = (error: unknown): FaultBody => {
  if (error instanceof ToolFault) return error.fault;
  if (error instanceof RemoteFailure) {
    const { type, message, arguments: args } = error.fault;
    const isAnswered = type !== 'network' && type !== 'unknown';
    return isAnswered ? { type, message, arguments: args } : toolFault('service.unreachable', error.message).fault;
  }
  return toolFault('tool.failed', failureText(error, false)).fault;
};

/** What a tool call can use. */
export interface Surroundings {
  /** The service, called as the client. Absent with `--local`. */
  readonly service: Remote | undefined;
  /** This machine's client and tariffs, with `--local`. */
  readonly local: Local | undefined;
  /** The folder below which files may be read. */
  readonly folder: string;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** A tool without the type of its input. */
export interface Tool {
  readonly name: string;
  /** The description for the assistant. */
  readonly about: string;
  readonly input: z.ZodObject;
  /** An answer has exactly these members. */
  readonly output: z.ZodObject;
  /** Whether it starts something. Such tools exist only with `--allow-changes`. */
  readonly starts?: true;
  /** Whether it works without a service. */
  readonly local?: true;
  /** How to get the parts that an answer omits because of its length. */
  readonly readOn: string;
  /** @throws {Error} an error that `faultOf` converts to a fault */
  readonly run: (given: unknown, at: Surroundings) => Promise<unknown>;
}

/** More problems of an input are omitted. */
const MOST_PROBLEMS = 20;

interface Declaration<I extends z.ZodObject> extends Omit<Tool, 'run'> {
  readonly input: I;
  readonly run: (given: z.output<I>, at: Surroundings) => Promise<unknown>;
}

/** Declares a tool. Its input is checked here. */
export const tool = <I extends z.ZodObject>(declaration: Declaration<I>): Tool => ({
  ...declaration,
  run: async (given, at) => {
    const checked = check(declaration.input, given);
    if (!(checked instanceof Failed)) return await declaration.run(checked, at);
    const problems = checked.fault.slice(0, MOST_PROBLEMS).map(({ path, message }) => [pathText(path), message]);
    throw invalidInput(Object.fromEntries(problems));
  },
});
