import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { ClientConfigData } from './schemas/client-config.ts';

export const getClientConfig = endpoint({
  id: 'getClientConfig',
  host: 'api',
  method: 'GET',
  path: '/api/client-config',
  group: 'Client config',
  access: { credential: 'key' },
  output: { kind: 'json', status: 200, schema: ClientConfigData, example: examples.clientConfig },
  refusals: [],
  cache: 'revalidate',
  summary: 'Get the signed client policy',
  description:
    'The lowest version that clients should have, how long they may go on offline, and the devices that are revoked, signed so that it can be kept and passed on. Take the key with the `kid` of the signature’s header from `/.well-known/jwks.json`, verify the signature, and go by its payload; take no document whose `version` is lower than one you have seen. The document is the same for everybody.',
});
