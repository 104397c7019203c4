import * as z from 'zod';
import { component, dateTime, id } from './fields.ts';

export const policyDocumentation = {
  getClientConfig: {
    group: 'Client config',
    summary: 'Get the signed client policy',
    description:
      'The lowest version that clients should have, the time that they may run offline, and the revoked devices. The document is signed, so that it can be kept and passed on. To verify it, take the key with the `kid` of the signature’s header from `/.well-known/jwks.json`, verify the signature, and use its payload. Reject a document whose `version` is lower than one that you have seen. The document is the same for everybody.',
    tool: {
      title: 'Show the client policy',
      description:
        'Shows the signed policy for client applications: the lowest version they should have, how long they may run offline, and the revoked devices.',
    },
    answer: component('ClientConfigData', {
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
  },
} as const;
