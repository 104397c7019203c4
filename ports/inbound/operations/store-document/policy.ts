import * as z from 'zod';
import { id, line } from './fields.ts';

/** False where the text has half a surrogate pair, which canonical JSON (RFC 8785) can't contain. */
const wellFormed = (text: string): boolean => text.isWellFormed();

/** The client policy of a store document, and the input of `policy set`. */
export const policy = z.strictObject({
  min_client_version: z
    .string()
    .max(64)
    .regex(/^\d[\w.+-]*$/, 'must be a version such as 1.4.0'),
  ttl_days: z.int().min(1).max(365),
  recheck_hours: z.int().min(1).max(8760),
  revoked: z
    .array(
      z.strictObject({ product_id: id, device_id: line.refine(wellFormed, 'must not contain half a surrogate pair') }),
    )
    .max(2000)
    .default([]),
});
