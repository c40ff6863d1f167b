/** What the calls about clients read of a request. */
import type { Request } from 'express';

/** A client may have 10,000 warehouses. */
export const EDIT_BYTES = 4 * 1024 * 1024;
export const SMALL_BYTES = 4_096;

/** The client's id in the path. */
export const idOf = (req: Request): string => String(req.params['id']);
