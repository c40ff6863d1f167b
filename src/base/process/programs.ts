/**
 * The programs of the package: what starts as a process of its own. The build makes a bundle of each with all that it
 * imports (`scripts/bundle.ts`). The API loads its bundle in less than half of the time that its 1,200 files take.
 */
import { extname, join } from 'node:path';
import { ROOT } from '../config/settings.ts';

/** By their place in `src`. */
export const PROGRAMS = [
  'cli/main',
  'cli/rate/rating-process',
  'cli/tariff/tariff-change-process',
  'base/redis/in-memory-redis-process',
  'catalog/agreement/folder-process',
  'files/input/archive-process',
  'import/draft/process',
  'import/read/pdf-process',
  'import/read/xlsx-process',
] as const;
export type Program = (typeof PROGRAMS)[number];

/** Whether this process runs the sources, for development and in tests. */
export const RUNS_SOURCES = extname(import.meta.filename) === '.ts';

/** The file of a program: its source if this process runs sources, and its bundle if not. */
export const fileOf = (program: Program): string =>
  RUNS_SOURCES ? join(ROOT, 'src', `${program}.ts`) : join(ROOT, 'dist', 'bundle', `${program}.js`);
