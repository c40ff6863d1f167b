/**
 * The programs of the package. Each runs as a separate process. The build bundles each with everything that it imports
 * (`scripts/bundle.ts`). The API loads its bundle in less than half of the time that its 1,200 files take.
 */
import { extname, join } from 'node:path';
import { ROOT } from '../config/settings.ts';

/** Paths in `src`. */
export const PROGRAMS = [
  'cli/main',
  'cli/rate/rating-process',
  'cli/tariff/tariff-change-process',
  'base/redis/in-memory-redis-process',
  'catalog/agreement/folder-process',
  'files/input/archive-process',
  'import/drafts/process',
  'import/read/pdf-process',
  'import/read/xlsx-process',
] as const;
export type Program = (typeof PROGRAMS)[number];

/** Whether this process runs the sources, for development and in tests. */
export const RUNS_SOURCES = extname(import.meta.filename) === '.ts';

/** Returns the file of a program: its source if this process runs the sources, otherwise its bundle. */
export const fileOf = (program: Program): string =>
  RUNS_SOURCES ? join(ROOT, 'src', `${program}.ts`) : join(ROOT, 'dist', 'bundle', `${program}.js`);

/**
 * With V8's default, several threads of a process collect its garbage together. Measured with two cores, that delays the
 * threads of all other processes by milliseconds. `NODE_OPTIONS` does not take this option.
 */
export const ONE_GC_THREAD = '--single-threaded-gc';

/**
 * The API needs about 30 MB. With a small limit, V8 collects garbage early. Without a limit, a busy API grows to gigabytes
 * for no benefit. A quarter of the default space for new objects fits a core's cache: receiving a list takes a third less
 * processor time than with the default, and the peak is lower. One thread helps the garbage collector. With the default of
 * four, the quote thread loses cores when many bodies arrive. The operator's `NODE_OPTIONS` come later and take precedence.
 */
export const API_NODE_OPTIONS = '--max-old-space-size=512 --max-semi-space-size=4 --v8-pool-size=1';
