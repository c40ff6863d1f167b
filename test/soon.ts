/** Waits until a check passes. The timeout allows for a busy machine. */
import { vi } from 'vitest';

export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 });
