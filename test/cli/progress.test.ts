import { describe, expect, test } from 'vitest';
import { progressText, type Reached } from '../../src/cli/progress.ts';

const HALF: Reached = { doing: 'rating', done: 420_000, total: 1_000_000, unit: 'rows', faulted: 20_000 };

describe('the progress line', () => {
  test('shows everything on a wide terminal', () => {
    expect(progressText(HALF, 76_543, 119)).toBe(
      'rating ██████████░░░░░░░░░░░░░░  42%  420,000 of 1,000,000 rows  76,543 rows/s  20,000 faults  8 s left',
    );
  });

  test('keeps bar, rows, pace, faults and time left at 80 columns', () => {
    expect(progressText(HALF, 76_543, 79)).toBe(
      'rating ████░░░░░░  42%  420,000 rows  76,543 rows/s  20,000 faults  8 s left',
    );
  });

  test('keeps bar and time left at 40 columns, and works with few columns', () => {
    expect(progressText(HALF, 76_543, 39)).toBe('rating ████░░░░░░  42%  8 s left');
    expect(progressText(HALF, 76_543, 25)).toBe('rating  42%  8 s left');
    expect(progressText(HALF, 76_543, 8)).toBe('rating …');
  });

  test('shows pace and time left only when known, and uploads in megabytes', () => {
    expect(progressText({ ...HALF, done: 0, faulted: 0 }, 0, 79)).toBe(
      'rating ░░░░░░░░░░░░░░░░░░░░░░░░   0%  0 of 1,000,000 rows  0 faults',
    );
    expect(progressText({ doing: 'uploading', done: 1_500_000, total: 3_000_000, unit: 'bytes' }, 750_000, 79)).toBe(
      'uploading ████████████░░░░░░░░░░░░  50%  1.5 MB of 3.0 MB  0.8 MB/s  2 s left',
    );
  });

  test('shows files without a pace, because they differ', () => {
    const reached: Reached = { doing: 'reading rates.pdf', done: 4, total: 21, unit: 'files' };
    expect(progressText(reached, 0, 79)).toBe('reading rates.pdf ████░░░░░░░░░░░░░░░░░░░░  19%  4 of 21 files');
  });

  test('shows only the amount if the total is unknown', () => {
    expect(progressText({ doing: 'waiting', done: 0, total: null, unit: 'rows' }, 0, 79)).toBe('waiting  0 rows');
  });
});
