/**
 * What the tests import as `vitest` while mutants are tried. It keeps their tests as functions, to call them as often as
 * there are mutants. It has only what those tests use. Any other name fails when they are loaded.
 */
import type { ExpectStatic } from 'vitest';

type Run = (...args: readonly unknown[]) => unknown;
type Row = unknown;

export interface KeptTest {
  readonly file: string;
  readonly name: string;
  readonly run: () => unknown;
}

interface Kept {
  /** The file that is being loaded. */
  file: string;
  readonly tests: KeptTest[];
  readonly setups: Run[];
}

declare global {
  /** One for the runner and for all tests, however often this module is loaded. */
  var keptForMutants: Kept | undefined;
}

globalThis.keptForMutants ??= { file: '', tests: [], setups: [] };
export const kept = globalThis.keptForMutants;

/** The entry file of the real package, because `vitest` leads here. */
const own: { readonly expect: ExpectStatic } = await import(
  new URL('../../node_modules/vitest/dist/index.js', import.meta.url).href
);
export const { expect } = own;

let within: readonly string[] = [];

type Declare = (name: string, ...rest: readonly unknown[]) => void;

/** The body is the last argument, or the one before a timeout. */
const bodyOf = (rest: readonly unknown[]): Run => {
  const body = rest.find((value) => typeof value === 'function');
  if (body === undefined) throw new Error('a test has no body');
  return body as Run;
};

const declareTest: Declare = (name, ...rest) => {
  const run = bodyOf(rest);
  kept.tests.push({ file: kept.file, name: [...within, name].join(' '), run: () => run() });
};

const declareSuite: Declare = (name, ...rest) => {
  const outside = within;
  within = [...outside, name];
  bodyOf(rest)();
  within = outside;
};

/** Each row with its own number, because names must differ. Rows are arguments only if all of them are lists, as in Vitest. */
const eachOf =
  (declare: Declare) =>
  (rows: readonly Row[]): Declare =>
  (name, ...rest) => {
    const run = bodyOf(rest);
    const areArguments = rows.every(Array.isArray);
    for (const [index, row] of rows.entries())
      declare(`${name} #${index + 1}`, () => (areArguments && Array.isArray(row) ? run(...row) : run(row)));
  };

const nothing: Declare = () => undefined;

const declarer = (declare: Declare) => {
  const all = Object.assign(declare, { each: eachOf(declare) });
  const none = Object.assign((...args: Parameters<Declare>) => nothing(...args), { each: eachOf(nothing) });
  return Object.assign(all, { skipIf: (skipped: boolean) => (skipped ? none : all) });
};

export const test = declarer(declareTest);
export const describe = declarer(declareSuite);
export const beforeAll = (setup: Run): void => void kept.setups.push(setup);
/** Cleanup is unnecessary, because the process ends. */
export const afterAll = nothing;
