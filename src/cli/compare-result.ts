/** What `rates compare` gives: rows in a file, and a page or numbers on standard output. */
import type { ComparisonSummary } from '../comparison/summary.ts';
import { headline, type PageFacts, pageLines } from './compare-page.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { type Io, printJson, say, write } from './io.ts';
import { findingLines } from './list-options.ts';

export interface ResultFlags {
  readonly output?: string;
  readonly summary?: true;
  readonly json?: true;
}

/** What a comparison gives beside its rows. */
export interface Compared {
  /** Of a comparison that a service keeps. */
  readonly id?: string;
  readonly summary: ComparisonSummary;
  readonly facts: PageFacts;
  readonly findings: readonly { readonly message: string }[];
}

/** Refuses options that exclude each other, and a command that would say nothing. */
export const requireResult = ({ output, summary, json }: ResultFlags): void => {
  const toStdout = [output === '-' ? '-o -' : '', summary ? '--summary' : '', json ? '--json' : ''].filter(Boolean);
  if (output === undefined && toStdout.length === 0)
    throw new CommandFailure(
      'Say what you want: --summary for a page to read, --json for its numbers, or -o FILE for the rows (-o - is standard output).',
      EXIT.usage,
    );
  if (toStdout.length > 1)
    throw new CommandFailure(
      `${toStdout.join(' and ')} cannot both go to standard output. Name a file with -o, or leave one of them out.`,
      EXIT.usage,
    );
};

/** Whether every row has a price as it is and in each scenario. */
const isPriced = ({ base, scenarios }: ComparisonSummary): boolean =>
  base.priced === base.rows && scenarios.every(({ onlyBase, neither }) => onlyBase.shipments + neither === 0);

/** Prints what the flags ask for, and sets the exit code. */
export const report = async (compared: Compared, flags: ResultFlags, seconds: number, io: Io): Promise<void> => {
  const { id, summary, facts, findings } = compared;
  if (flags.json === true) await printJson(io, { ...(id !== undefined && { id }), ...summary, findings });
  if (flags.summary === true) await write(io.stdout, `${pageLines(summary, facts).join('\n')}\n`);
  const { output } = flags;
  say(
    io,
    `${id === undefined ? '' : `Comparison ${id}: `}${counted(summary.base.rows, 'row')} as it is and in ${counted(summary.scenarios.length, 'scenario')} ` +
      `in ${seconds.toFixed(1)} s${output === undefined || output === '-' ? '' : `, in ${output}`}`,
  );
  if (flags.summary !== true) for (const scenario of summary.scenarios) say(io, headline(scenario));
  for (const text of findingLines(findings)) say(io, text);
  if (!isPriced(summary)) io.setExitCode(EXIT.faulted);
};
