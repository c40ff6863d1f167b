/** Clients files, and the CSV of warehouses for `rates client add`. */
import { ClientsFileError, readClients } from '../../../../src/catalog/clients/clients.ts';
import type { Target } from '../target.ts';

export const clientsTarget: Target =
  async () =>
  async ({ bytes }) => {
    try {
      return readClients(bytes.toString('utf8'), 'clients.json').size > 0 ? 'read' : 'read, nobody';
    } catch (error) {
      if (error instanceof ClientsFileError) return 'refused';
      throw error;
    }
  };
