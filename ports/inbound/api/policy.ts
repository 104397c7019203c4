import { endpointsOf } from '../endpoint.ts';

const api = endpointsOf('api');

export const getClientConfig = api({
  id: 'getClientConfig',
  path: '/api/client-config',
  access: { credential: 'key' },
  cache: 'revalidate',
  tool: { name: 'show_client_config', effect: 'reads' },
});
