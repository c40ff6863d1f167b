/** LibreOffice for tests, which are skipped if it is not installed. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const hasLibreOffice = ((): boolean => {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    console.warn('LibreOffice (soffice) is not installed: tests of workbooks in it are skipped.');
    return false;
  }
})();

/** Comma, quotes where needed, UTF-8, numbers as shown, every sheet (the last token). */
export const ALL_SHEETS_AS_CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';

/**
 * Converts a file.
 * @param from the filter that reads it, if LibreOffice cannot choose it
 * @returns the resulting files by name
 */
export const convert = async (
  name: string,
  content: Uint8Array,
  to: string,
  from?: string,
): Promise<ReadonlyMap<string, Buffer>> => {
  const dir = await mkdtemp(join(tmpdir(), 'libre-office-'));
  try {
    await writeFile(join(dir, name), content);
    const out = join(dir, 'out');
    const profile = `-env:UserInstallation=file://${join(dir, 'profile')}`;
    const read = from === undefined ? [] : [`--infilter=${from}`];
    const args = [profile, '--headless', ...read, '--convert-to', to, '--outdir', out, join(dir, name)];
    await promisify(execFile)('soffice', args, { timeout: 120_000 });
    const files = await readdir(out);
    return new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(out, file))] as const)));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};
