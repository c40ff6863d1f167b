/** Cases of tests as data: one line of JSON a case. */
import { readFileSync } from 'node:fs';

export const jsonLines = <T>(path: string): readonly T[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
