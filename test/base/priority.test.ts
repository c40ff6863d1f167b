import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lowerPriority } from '../../src/base/priority.ts';

let child: ChildProcess;
let pid: number;
beforeEach(async () => {
  child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60_000); console.log("ready")']);
  pid = child.pid ?? 0;
  if (child.stdout !== null) await once(child.stdout, 'data');
});
afterEach(() => {
  child.kill('SIGKILL');
});

const priorities = (): number[] => readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));

test.runIf(process.platform === 'linux')('lowers the priority of every thread of a process', () => {
  const before = priorities();
  expect(before.length).toBeGreaterThan(1);
  lowerPriority(pid, 5);
  expect(priorities()).toEqual(before.map((priority) => priority + 5));
});

test('lowers a priority no further than the lowest', () => {
  lowerPriority(pid, 15);
  lowerPriority(pid, 15);
  expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW);
});

test('ignores a process that has ended', async () => {
  child.kill('SIGKILL');
  await once(child, 'exit');
  lowerPriority(pid, 5);
});
