/** Builds the console once for a test run, into its own folder, so that no test sees a stale or half-written one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the built console, or why the build failed: then only its tests fail. */
    readonly builtConsole: { readonly dir: string } | { readonly failure: string };
  }
}

const ROOT = join(import.meta.dirname, '..', 'src', 'console');

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const outDir = await mkdtemp(join(tmpdir(), 'rates-console-'));
  const configFile = join(ROOT, 'vite.config.ts');
  // Vite builds for development unless this says otherwise, and vitest has set it to `test`.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({ configFile, configLoader: 'runner', mode: 'production', logLevel: 'error', build: { outDir } });
    project.provide('builtConsole', { dir: outDir });
  } catch (error) {
    project.provide('builtConsole', { failure: `The console does not build: ${String(error)}` });
  } finally {
    process.env['NODE_ENV'] = before;
  }
  return () => rm(outDir, { recursive: true, force: true });
};
