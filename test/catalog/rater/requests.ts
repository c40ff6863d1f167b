import { randomFrom } from '../../bench/shipments.ts';
import { rateRequest } from '../../http/api.ts';

/** Shipments of all kinds, some of them with a fault. */
export const requests = (count: number) => {
  const random = randomFrom(7);
  const pick = <T>(...values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  return Array.from({ length: count }, () =>
    rateRequest({
      shippingService: pick(undefined, undefined, 'C1-GROUND', 'C1-EXPRESS', 'C2-GROUND', 'C9'),
      shipper: { warehouse_id: pick<unknown>(101, 102, 103, [101, 103], 'any', 999) },
      recipient: {
        address: {
          postalCode: String(Math.floor(random() * 100_000)).padStart(5, '0'),
          residential: pick(undefined, true, false),
          addressLine: pick(undefined, '1 Main St', 'PO Box 7'),
        },
      },
      shipDate: pick(undefined, undefined, '2026-12-24', '1999-01-01'),
      packageItems: Array.from({ length: pick(1, 1, 2, 9) ?? 1 }, () => ({
        weight: { units: pick('LB', 'KG'), value: Math.round(random() * 8_000) / 100 },
        ...(random() < 0.5
          ? {}
          : { dimensions: { units: 'IN', length: 8 + Math.floor(random() * 60), width: 9, height: 7 } }),
      })),
      options: pick<unknown>(undefined, undefined, { signature: 'direct' }, { declaredValue: 700 }, { by: 7 }),
    }),
  );
};
