/** All fuzzers. */
import { AGREEMENT_FUZZERS } from './agreements.ts';
import { CALL_FUZZERS } from './calls.ts';
import type { Fuzzer } from './fuzzer.ts';
import { LIST_FUZZERS } from './lists.ts';
import { TARIFF_FUZZERS } from './tariffs.ts';

export const FUZZERS: readonly Fuzzer[] = [...LIST_FUZZERS, ...CALL_FUZZERS, ...TARIFF_FUZZERS, ...AGREEMENT_FUZZERS];
