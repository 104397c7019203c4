import * as z from 'zod';
import { dateTime, id } from './fields.ts';

const ClientConfigRevokedData = z
  .object({ product_id: id, device_id: z.string() })
  .meta({ id: 'ClientConfigRevokedData', description: 'A device that may not run the product.' });

const ClientConfigPolicyData = z
  .object({
    ttl_days: z.int().meta({ description: 'days for which an application may run offline' }),
    recheck_hours: z.int().meta({ description: 'hours after which an application should ask again' }),
  })
  .meta({ id: 'ClientConfigPolicyData' });

export const ClientConfigData = z
  .object({
    min_client_version: z.string(),
    revoked: z.array(ClientConfigRevokedData),
    policy: ClientConfigPolicyData,
    signed_at: dateTime,
    signature: z.string().optional().meta({
      description:
        'Compact JWS (EdDSA, `typ: client-policy+jws`) whose payload is this document without `signature`, as RFC 8785 JSON. Its `kid` names a key of `/.well-known/jwks.json`. Absent where the service has no key.',
    }),
    version: z.int().optional().meta({ description: 'grows with each change of the policy' }),
  })
  .meta({ id: 'ClientConfigData' });
