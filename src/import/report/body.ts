/** The report of an import for a page: what each file gave, then the problems by severity. Everything is bounded. */
import { z } from 'zod';
import type { Source } from '../read/reader.ts';
import { type ImportReport, takenLines } from './report.ts';

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
      /** What it says and a quote cannot know. */
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

const fileOf = (source: Source, { assembly: { taken } }: ImportReport): ReportBody['files'][number] => {
  const { file, reading } = source;
  return {
    file,
    kind: reading.kind,
    effective: reading.effective ?? null,
    taken: linesOf(takenLines(source, taken)),
    notes: linesOf(reading.notes),
    notTaken: linesOf(reading.notTaken.map(({ at, text, reason }) => `${at}: ${text}: ${reason}`)),
  };
};

export const reportBodyOf = (report: ImportReport): ReportBody => {
  const { sources, earlier, replaced, decisions, assembly, findings } = report;
  const found = (severity: 'error' | 'warning'): string[] =>
    findings.filter((finding) => finding.severity === severity).map(({ at, message }) => `${at}: ${message}`);
  return {
    files: sources.toSorted((a, b) => (a.file < b.file ? -1 : 1)).map((source) => fileOf(source, report)),
    earlier: [...earlier],
    replaced: [...replaced],
    decisions: [...decisions],
    errors: linesOf(found('error')),
    unreadable: linesOf(
      assembly.unreadable.map((cell) => `${cell.file}, ${cell.at}: ${JSON.stringify(cell.text)}: ${cell.problem}`),
    ),
    contradictions: linesOf(assembly.contradictions),
    warnings: linesOf([...assembly.warnings, ...found('warning')]),
  };
};
