/** The import report for a page: the content of each file, then problems by severity. All lists are limited. */
import { z } from 'zod';
import { type ImportReport, problemLines, sourcesOf, takenLines } from './report.ts';

/** Enough for a person. If a file has more problems, they have a common cause. */
const MAX_LINES = 200;

/** The first lines, and the number of all lines. */
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
      /** The content that the tariff takes from the file. */
      taken: lines,
      notes: lines,
      /** Content of the file that quotes do not use. */
      notTaken: lines,
    }),
  ),
  /** Files of earlier imports that are still used. */
  earlier: z.array(z.string()),
  /** A line for each earlier file whose tables were replaced. */
  replaced: z.array(z.string()),
  /** The operator's earlier decisions, which the import kept. */
  decisions: z.array(z.string()),
  /** A tariff with errors cannot be published. */
  errors: lines,
  /** Cells that could not be read and stay empty. */
  unreadable: lines,
  /** Contradictions between files. The first file counts. */
  contradictions: lines,
  /** Warnings: why shipments have no price, what prices lack, and all others. */
  unpriced: lines,
  incomplete: lines,
  warnings: lines,
});
export type ReportBody = z.output<typeof reportBody>;

const linesOf = (all: readonly string[]): Lines => ({
  count: all.length,
  lines: all.slice(0, MAX_LINES).map((line) => line.trim()),
});

export const reportBodyOf = (report: ImportReport): ReportBody => {
  const { unreadable, contradictions, errors, unpriced, incomplete, warnings } = problemLines(report);
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
    unpriced: linesOf(unpriced),
    incomplete: linesOf(incomplete),
    warnings: linesOf(warnings),
  };
};
