/** Modules of the built program: threads that they start are there at once, which those of the sources are not. */
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../../../dist/src');

/** @param module its path below `src`, without its ending */
export const built = async <T>(module: string): Promise<T> => await import(join(BUILT, `${module}.js`));
