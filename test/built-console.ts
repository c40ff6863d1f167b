import { join } from 'node:path';
import { inject } from 'vitest';

/** The folder of the console that was built for this test run. Runs without that step use what `npm run build` made. */
export const builtConsole = (): string => {
  const built: { readonly dir: string } | { readonly failure: string } | undefined = inject('builtConsole');
  if (built === undefined) return join(import.meta.dirname, '..', 'dist', 'console');
  if ('failure' in built) throw new Error(built.failure);
  return built.dir;
};
