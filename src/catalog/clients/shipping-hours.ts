/** The schema of a warehouse's hours. The library has it too, also in browsers. */
import { z } from 'zod';
import { WEEKDAYS } from '../../rating/card.ts';
import { isTimeZone } from '../tariff/days.ts';

/** When a warehouse hands packages over. Absent: every day on which the carrier operates. */
export const shippingHours = z.strictObject({
  days: z.array(z.enum(WEEKDAYS)).min(1).max(7).readonly().default(['MON', 'TUE', 'WED', 'THU', 'FRI']),
  /** Orders after this time leave the next day. */
  cutoff: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, such as 15:00')
    .optional(),
  timeZone: z.string().max(60).refine(isTimeZone, 'must be a time zone, such as America/Phoenix'),
});
