/** The agreements in a client's record. */
import { z } from 'zod';
import { present } from '../../base/present.ts';
import { LIMITS } from '../../rating/shipment.ts';
import { AGREEMENT_NAME } from '../agreement/document.ts';

const name = z.string().regex(AGREEMENT_NAME, 'must be lower-case letters, digits and hyphens, at most 40');

/** Agreements that a client may use in comparisons but does not pay by. */
export const draftNames = z
  .array(name)
  .max(50)
  .refine((names) => new Set(names).size === names.length, 'has a name twice');

const entry = z.strictObject({
  name,
  /** Absent: all warehouses. */
  warehouses: z.array(z.int().gte(1).lte(LIMITS.warehouseIdMax)).min(1).max(10_000).optional(),
  /** The shipper's account number with the carrier. For display only. */
  account: z.string().min(1).max(40).optional(),
});
export type AgreementEntry = z.output<typeof entry>;

/** The agreements that are listed twice for one warehouse, or twice for all. */
const namedTwice = (entries: readonly AgreementEntry[]): string[] => {
  const held = new Set<string>();
  return entries.flatMap(({ name, warehouses = ['all'] }) =>
    warehouses.flatMap((id) => {
      const key = `${name} ${id}`;
      if (held.has(key)) return [id === 'all' ? name : `${name} for warehouse ${id}`];
      held.add(key);
      return [];
    }),
  );
};

export const agreementEntries = z
  .array(entry)
  .max(50)
  .superRefine((entries, context) => {
    for (const twice of namedTwice(entries)) context.addIssue({ code: 'custom', message: `has ${twice} twice` });
  });

/** Refuses an agreement for an unknown warehouse. It is a typo, and shipments would get the list price. */
export const refuseUnknownWarehouses = (
  client: {
    readonly warehouses: readonly { readonly warehouse_id: number }[];
    readonly agreements: readonly AgreementEntry[];
  },
  context: z.RefinementCtx,
): void => {
  const known = new Set(client.warehouses.map(({ warehouse_id }) => warehouse_id));
  for (const [at, { name, warehouses = [] }] of client.agreements.entries()) {
    const unknown = warehouses.filter((id) => !known.has(id));
    if (unknown.length === 0) continue;
    const message = `of ${name} has ${unknown.join(', ')}, which the client does not have`;
    context.addIssue({ code: 'custom', path: ['agreements', at, 'warehouses'], message });
  }
};

/** An agreement in a client's record. */
export interface NamedAgreement {
  readonly name: string;
  readonly warehouses?: ReadonlySet<number> | undefined;
  readonly account?: string | undefined;
}

export const namedAgreement = ({ name, warehouses, account }: AgreementEntry): NamedAgreement => ({
  name,
  ...present({ warehouses: warehouses && new Set(warehouses), account }),
});
