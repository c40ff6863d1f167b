import { vi } from 'vitest';
import { testCauses } from './causes.ts';

vi.setConfig({ testTimeout: 600_000 });
testCauses(100_000, 5_000);
