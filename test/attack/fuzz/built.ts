/** Modules of the built program. Their threads start faster than those of the sources. */
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../../../dist/src');

/** @param module the path below `src`, without extension */
export const built = async <T>(module: string): Promise<T> => await import(join(BUILT, `${module}.js`));
