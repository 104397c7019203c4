import * as z from 'zod';
import { composedId } from '../../../../domain/devices/device.ts';
import { MOST_REVOKED } from '../../../../domain/policy/client-policy.ts';
import { isLine } from '../../../../domain/shared/plain-text.ts';
import { id, instant, line } from './fields.ts';

/** Canonical JSON (RFC 8785) can't contain half a surrogate pair. */
const device_id = line
  .refine(isLine, 'must not contain control characters or half a surrogate pair')
  .transform(composedId);

/** The client policy of a store document, and the input of `policy set`. */
export const policy = z.strictObject({
  min_client_version: z
    .string()
    .max(64)
    .regex(/^\d[\w.+-]*$/, 'must be a version such as 1.4.0'),
  ttl_days: z.int().min(1).max(365),
  recheck_hours: z.int().min(1).max(8760),
  revoked: z
    .array(z.strictObject({ product_id: id, device_id }))
    .max(MOST_REVOKED)
    .optional()
    .meta({ description: 'the withdrawn devices; left out, the list in force stays, and [] empties it' }),
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'the version of an exported policy, which a store with an older policy takes over' }),
  changed_at: instant.optional().meta({ description: 'the moment of the change that made this version' }),
});
