/** The report of an import for a page: what each file gave, then the problems by severity. Everything is bounded. */
import { z } from 'zod';
import { type ImportReport, problemLines, sourcesOf, takenLines } from './report.ts';

/** Enough for a person: a file with more problems has one cause. */
const MAX_LINES = 200;

/** The first lines, and how many there are. */
const lines = z.object({ count: z.int(), lines: z.array(z.string()) });
export type Lines = z.output<typeof lines>;

export const reportBody = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      /** Such as `UPS zone chart (XLSX)`. */
      kind: z.string(),
      /** The date in the file, `YYYY-MM-DD`. */
      effective: z.string().nullable(),
      /** What the tariff takes from it. */
      taken: lines,
      notes: lines,
      /** What it says and a quote does not have. */
      notTaken: lines,
    }),
  ),
  /** Files of earlier imports that are still used. */
  earlier: z.array(z.string()),
  /** A line for each earlier file whose tables were replaced. */
  replaced: z.array(z.string()),
  /** What the operator decided before, and the import kept. */
  decisions: z.array(z.string()),
  /** With errors, a tariff cannot be published. */
  errors: lines,
  /** Cells that could not be read, and are empty. */
  unreadable: lines,
  /** Files that contradict each other. The first one counts. */
  contradictions: lines,
  warnings: lines,
});
export type ReportBody = z.output<typeof reportBody>;

const linesOf = (all: readonly string[]): Lines => ({
  count: all.length,
  lines: all.slice(0, MAX_LINES).map((line) => line.trim()),
});

export const reportBodyOf = (report: ImportReport): ReportBody => {
  const { unreadable, contradictions, errors, warnings } = problemLines(report);
  return {
    files: sourcesOf(report).map((source) => ({
      file: source.file,
      kind: source.reading.kind,
      effective: source.reading.effective ?? null,
      taken: linesOf(takenLines(source, report.assembly.taken)),
      notes: linesOf(source.reading.notes),
      notTaken: linesOf(source.reading.notTaken.map(({ at, text, reason }) => `${at}: ${text}: ${reason}`)),
    })),
    earlier: [...report.earlier],
    replaced: [...report.replaced],
    decisions: [...report.decisions],
    errors: linesOf(errors),
    unreadable: linesOf(unreadable),
    contradictions: linesOf(contradictions),
    warnings: linesOf(warnings),
  };
};
