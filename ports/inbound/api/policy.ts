import { endpoint } from '../endpoint.ts';

export const getClientConfig = endpoint({
  id: 'getClientConfig',
  host: 'api',
  method: 'GET',
  path: '/api/client-config',
  access: { credential: 'key' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: 'revalidate',
  tool: { name: 'show_client_config', effect: 'reads' },
});
