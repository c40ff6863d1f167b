/** Waits until a check passes: at once where it does, and for as long as a machine that others load may take. */
import { vi } from 'vitest';

export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 });
