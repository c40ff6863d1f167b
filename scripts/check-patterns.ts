/**
 * Checks that every regular expression in the sources runs in linear time. A pattern that backtracks can block
 * the process for everybody. Run: tsx scripts/check-patterns.ts FOLDERS…
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSync } from 'recheck';
import { parseSync } from 'vite';

/** Timeout for one pattern. The slowest takes about a second. */
const TIMEOUT_MS = 30_000;

interface Place {
  readonly path: string;
  readonly line: number;
}

interface Pattern extends Place {
  readonly source: string;
  readonly flags: string;
}

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** All nodes of a syntax tree. */
function* nodesOf(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (!isNode(value)) return;
  if ('type' in value) yield value;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

const patterns: Pattern[] = [];
const problems: string[] = [];

const report = ({ path, line }: Place, problem: string): void => {
  problems.push(`${path}:${line} ${problem}`);
};

const collect = (path: string): void => {
  const text = readFileSync(path, 'utf8');
  for (const node of nodesOf(parseSync(path, text).program)) {
    const line = text.slice(0, Number(node['start'])).split('\n').length;
    const { type, regex, callee } = node;
    if (isNode(regex)) patterns.push({ path, line, source: String(regex['pattern']), flags: String(regex['flags']) });
    // Patterns built at run time cannot be checked here.
    const isCall = type === 'NewExpression' || type === 'CallExpression';
    if (isCall && isNode(callee) && callee['name'] === 'RegExp')
      report({ path, line }, 'is a pattern that is made at run time: write it as a literal, or compare text');
  }
};

for (const folder of process.argv.slice(2))
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(name)) collect(join(folder, name));

for (const pattern of patterns) {
  // The fuzzing checker depends on timing, so its results vary.
  const result = checkSync(pattern.source, pattern.flags, { checker: 'automaton', timeout: TIMEOUT_MS });
  if (result.status === 'vulnerable')
    report(pattern, `/${pattern.source}/ backtracks (${result.complexity.summary}) on ${result.attack.pattern}`);
  else if (result.status === 'unknown')
    report(pattern, `/${pattern.source}/ cannot be judged (${result.error.kind}): write it more simply`);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${patterns.length} patterns checked, ${problems.length} problems.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
