/**
 * An object store for a test file: the one that `TEST_S3_URL` names (`s3://bucket/prefix`, reached by the `AWS_*`
 * variables), else its own Swift if Debian's packages are installed, else none.
 */
import { randomUUID } from 'node:crypto';
import { readConfig } from '../../src/base/config/settings.ts';
import type { StoreSettings } from '../../src/base/store/open.ts';
import { hasSwift, SWIFT_PACKAGES, type Swift, startSwift } from './swift.ts';

export interface ObjectStore {
  /** A prefix for this file only. */
  readonly settings: StoreSettings;
  /** The environment of a process that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent if the store was not started here. */
  readonly swift: Swift | undefined;
  readonly stop: () => Promise<void>;
}

/** The time limit for the start, on a busy machine. */
export const START_MS = 180_000;

const given = process.env['TEST_S3_URL'] ?? '';

export const hasObjectStore = (): boolean => {
  const there = given !== '' || hasSwift();
  if (!there)
    console.warn(`The tests of the object store are skipped: they need ${SWIFT_PACKAGES.join(', ')}, or TEST_S3_URL.`);
  return there;
};

const settingsOf = (env: Readonly<Record<string, string | undefined>>): StoreSettings => {
  const { storeUrl, s3, maxUploadBytes } = readConfig(env);
  return { storeUrl, maxUploadBytes, ...(s3 !== undefined && { s3 }) };
};

export const startObjectStore = async (): Promise<ObjectStore> => {
  const own = `test-${randomUUID()}`;
  if (given !== '') {
    const STORE_URL = `${given.replace(/\/$/, '')}/${own}`;
    const aws = Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('AWS_') && value !== undefined ? [[name, value]] : [],
    );
    const env = { ...Object.fromEntries(aws), STORE_URL };
    return { settings: settingsOf(env), env, swift: undefined, stop: async () => undefined };
  }
  const swift = await startSwift('rates');
  const env = { ...swift.env, STORE_URL: `s3://rates/${own}` };
  return { settings: settingsOf(env), env, swift, stop: swift.stop };
};
