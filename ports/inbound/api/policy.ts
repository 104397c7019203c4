import * as z from 'zod';
import { component, dateTime, id } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';

const api = endpointsOf({ host: 'api' });

export const getClientConfig = api({
  id: 'getClientConfig',
  path: '/api/client-config',
  access: { credential: 'key' },
  answer: () =>
    component('ClientConfigData', {
      min_client_version: z.string(),
      revoked: z.array(
        component(
          'ClientConfigRevokedData',
          { product_id: id, device_id: z.string() },
          'A device that may not run the product.',
        ),
      ),
      policy: component('ClientConfigPolicyData', {
        ttl_days: z.int().describe('days for which an application may run offline'),
        recheck_hours: z.int().describe('hours after which an application should ask again'),
      }),
      signed_at: dateTime,
      signature: z
        .string()
        .optional()
        .describe(
          'Compact JWS (EdDSA, `typ: client-policy+jws`) whose payload is this document without `signature`, as RFC 8785 JSON. Its `kid` names a key of `/.well-known/jwks.json`. Absent where the service has no key.',
        ),
      version: z.int().optional().describe('grows with each change of the policy'),
    }),
  cache: 'revalidate',
  tool: { name: 'show_client_config', effect: 'reads' },
});
