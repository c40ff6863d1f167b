/** `/console/mappings`: mappings of lists that the client keeps under names, for lists with the same header. */
import type { RequestHandler } from 'express';
import { type KeptMappings, MOST_MAPPINGS, mappingToKeep } from '../../batch/kept-mappings.ts';
import { Failed } from '../../rating/fault.ts';
import { callerOf } from '../auth.ts';
import { readQuery } from '../batch-options.ts';
import { orUnavailable } from '../faults.ts';
import { readBodyAs } from '../input.ts';
import { sendFault, sendJson } from '../reply.ts';
import { pathOf } from '../routes.ts';
import { mappingsQuery } from './schemas.ts';

/** More than the longest names of columns and services need. */
const BODY_BYTES = 128 * 1024;

type MappingOperation = 'listMappings' | 'saveMapping' | 'deleteMapping';

/** Handlers for routes behind `requireCaller`. */
export const mappingHandlers = (mappings: KeptMappings): Record<MappingOperation, RequestHandler> => ({
  listMappings: async (req, res) => {
    const query = readQuery(mappingsQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const listed = await orUnavailable('store', mappings.list(callerOf(res).id, query.headerKey));
    sendJson(res, 200, { mappings: listed, most: MOST_MAPPINGS });
  },
  saveMapping: async (req, res) => {
    const mapping = await readBodyAs(mappingToKeep, req, BODY_BYTES);
    if (mapping instanceof Failed) return sendFault(res, mapping.fault);
    const kept = await orUnavailable('store', mappings.save(callerOf(res).id, mapping));
    if (kept !== undefined) return sendJson(res, 200, kept);
    sendFault(res, { type: 'request.tooLarge', limit: 'mappings', most: `${MOST_MAPPINGS}: delete one first` });
  },
  deleteMapping: async (req, res) => {
    const removed = await orUnavailable('store', mappings.remove(callerOf(res).id, String(req.params['id'])));
    if (!removed) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    res.status(204).end();
  },
});
