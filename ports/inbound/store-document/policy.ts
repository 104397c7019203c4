import * as z from 'zod';
import { id, line } from './fields.ts';

/** Half of a surrogate pair is no text, and no canonical JSON. */
const wellFormed = (text: string): boolean => text.isWellFormed();

/** What `policy set` takes as well. */
export const policy = z.strictObject({
  min_client_version: z
    .string()
    .max(64)
    .regex(/^\d[\w.+-]*$/, 'must be a version such as 1.4.0'),
  ttl_days: z.int().min(1).max(365),
  recheck_hours: z.int().min(1).max(8760),
  revoked: z
    .array(z.strictObject({ product_id: id, device_id: line.refine(wellFormed, 'must be whole characters') }))
    .max(2000)
    .default([]),
});
