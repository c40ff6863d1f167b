/** Damaged bodies of single calls, and damaged clients files. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Fuzzer } from './fuzzer.ts';
import { mutated, mutations } from './mutate.ts';
import type { Input } from './target.ts';

const SAMPLES = join(import.meta.dirname, '../../../samples');

/** JSON values, some of which no program writes. */
const VALUES = [
  ...[
    'null',
    'true',
    '0',
    '-0',
    '1e308',
    '1e309',
    '-1e309',
    '1e-400',
    '123456789012345678901234567890',
    '0.1e1',
    '1E5',
  ],
  ...[
    '""',
    '" "',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\u202e"',
    '"__proto__"',
    '"02139"',
    '"LB"',
    '"C1-GROUND"',
    '"any"',
    '"2026-02-30"',
  ],
  ...[
    `"${'x'.repeat(5_000)}"`,
    '[]',
    '{}',
    '[[]]',
    '{"":{}}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"toString":1}',
  ],
  ...[
    `[${'0,'.repeat(5_000)}0]`,
    `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
    `${'{"a":'.repeat(3_000)}0${'}'.repeat(3_000)}`,
  ],
  ...[
    `{${Array.from({ length: 3_000 }, (_, at) => `"k${at}":${at}`).join()}}`,
    `[${'{"weight":{"units":"LB","value":1}},'.repeat(500)}1]`,
  ],
  ...['{"units":"LB","value":1,"value":2}', '{"length":1,"width":1e9,"height":-1,"units":"IN"}'],
];

const JSON_TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u',
    '\\ud83d',
    '//',
    '/*',
    'NaN',
    '\0',
    '\xff',
    '\xef\xbb\xbf',
    '\xed\xa0\x80',
    '\u00a0',
    ' ',
  ],
  ...[
    '"__proto__":',
    '"rates":',
    '"weight":',
    '"packageItems":',
    '"options":',
    '"residental":true,',
    '"shipDate":"0000-00-00",',
    '1e999',
  ],
];

/** Replaces some values of members in a text. */
const replaced = (text: string, values: readonly { readonly at: number; readonly value: string }[]): string =>
  values.reduce((now, { at, value }) => {
    const found = [...now.matchAll(/(?<=:\s?)(?:-?\d+(?:\.\d+)?|"[^"\\]*"|\{[^{}]*\}|\[[^[\]]*\])/g)];
    const one = found[at % Math.max(1, found.length)];
    return one === undefined ? now : now.slice(0, one.index) + value + now.slice(one.index + one[0].length);
  }, text);

const inputsFrom = (texts: readonly string[]): fc.Arbitrary<Input> =>
  fc
    .record({
      text: fc.constantFrom(...texts),
      values: fc.array(fc.record({ at: fc.nat(60), value: fc.constantFrom(...VALUES) }), { maxLength: 4 }),
      broken: fc.oneof(fc.constant([]), fc.constant([]), mutations(JSON_TOKENS, 3)),
    })
    .map(({ text, values, broken }) => ({ bytes: mutated(Buffer.from(replaced(text, values)), broken) }));

const requests = async (): Promise<string[]> => {
  const folder = join(SAMPLES, 'requests');
  return await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
};

export const CALL_FUZZERS: readonly Fuzzer[] = [
  {
    name: 'fuzz-json',
    tries: 'Bodies of quotes with odd values, depths, widths, duplicate members and prototypes.',
    target: 'json',
    runs: 6_000,
    inputs: async () => inputsFrom(await requests()),
  },
  {
    name: 'fuzz-clients',
    tries: 'Clients files with odd values and broken bytes.',
    target: 'clients',
    runs: 3_000,
    seconds: 10,
    inputs: async () => inputsFrom([await readFile(join(SAMPLES, 'clients.json'), 'utf8')]),
  },
];
