/** Damaged agreement files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sampleAgreement } from './agreement-samples.ts';
import type { Fuzzer } from './fuzzer.ts';
import { mutated, mutations } from './mutate.ts';
import type { Input } from './target.ts';

const TOKENS = [
  ...[
    ',',
    '|',
    '*',
    '"',
    '\n',
    '\r\n',
    '\0',
    '\xff',
    '\xef\xbb\xbf',
    '-',
    '0',
    '1',
    '100',
    '99999',
    '1e9',
    '-1.00',
    '%',
  ],
  ...['0.00', '9999999.99', '2-8', '8-2', '44', '202', 'GROUND', 'AREA', 'FUEL', 'any', 'both', 'residential', 'usd'],
  ...[
    'waived',
    'fixed',
    'at most',
    'percent off',
    'less percent',
    '__proto__',
    'constructor',
    '2026-07-01',
    '9999-12-31',
  ],
  ...[
    '"until": "2026-01-01",',
    '"averageWeeks": 104,',
    '"__proto__": {},',
    '"lowerAfterWeeks": 52,',
    'percent,percent',
  ],
];

const folders: Fuzzer = {
  name: 'fuzz-agreement',
  tries: 'Folders of agreements with one changed file: each is refused, or quotes and survives writing and reading.',
  target: 'agreement',
  runs: 2_500,
  inputs: async () => {
    const root = await mkdtemp(join(tmpdir(), 'rates-fuzz-'));
    const samples = await sampleAgreement(root);
    await rm(root, { recursive: true });
    return fc
      .record({ sample: fc.constantFrom(...samples), changes: mutations(TOKENS, 3) })
      .map(({ sample, changes }): Input => ({ bytes: mutated(sample.bytes, changes), said: { name: sample.name } }));
  },
};

export const AGREEMENT_FUZZERS: readonly Fuzzer[] = [folders];
